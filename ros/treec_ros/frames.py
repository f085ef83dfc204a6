"""Where frames are, of the topics `/tf` and `/tf_static`: the last transform of each."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

from treec.frozen import frozen
from treec_ros.messages import find_type

Vector = tuple[float, float, float]
Rotation = tuple[float, float, float, float]
"""A quaternion: x, y, z, w."""

DEPTH = 100
"""Transforms that are kept until they are looked at."""


@frozen
class Transform:
    """A frame in another one, and when that came (infinite: it is fixed)."""

    translation: Vector
    rotation: Rotation
    came: float = math.inf

    def of(self, inner: Transform) -> Transform:
        """A frame that is in this one, in the frame that this one is in."""
        moved = rotate(self.rotation, inner.translation)
        x, y, z = (a + b for a, b in zip(self.translation, moved, strict=True))
        rotation = multiply(self.rotation, inner.rotation)
        return Transform((x, y, z), rotation, min(self.came, inner.came))

    def inverse(self) -> Transform:
        """The other frame in this one."""
        x, y, z, w = self.rotation
        back = (-x, -y, -z, w)
        a, b, c = rotate(back, self.translation)
        return Transform((-a, -b, -c), back, self.came)

    @property
    def yaw(self) -> float:
        """The turn about z, in radians."""
        x, y, z, w = self.rotation
        return math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))


def multiply(a: Rotation, b: Rotation) -> Rotation:
    """The rotation that is ``b``, and then ``a``."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def rotate(rotation: Rotation, vector: Vector) -> Vector:
    """A vector, rotated."""
    x, y, z, w = rotation
    a, b, c, _ = multiply(multiply(rotation, (*vector, 0.0)), (-x, -y, -z, w))
    return (a, b, c)


class FrameTree:
    """All frames that are published."""

    def __init__(self, node: Any) -> None:
        from rclpy.qos import DurabilityPolicy, QoSProfile

        self._parents: dict[str, tuple[str, Transform]] = {}
        self.listeners: list[Callable[[], None]] = []
        """Called when transforms have come."""
        type_ = find_type("tf2_msgs/msg/TFMessage")
        fixed = QoSProfile(depth=DEPTH, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        node.create_subscription(type_, "/tf", lambda it: self._take(it, time.monotonic()), DEPTH)
        node.create_subscription(type_, "/tf_static", lambda it: self._take(it, math.inf), fixed)

    @property
    def names(self) -> set[str]:
        """All frames that have been spoken of."""
        return {*self._parents, *(parent for parent, _ in self._parents.values())}

    def look_up(self, frame: str, of: str) -> Transform | None:
        """Where a frame is in another one; None while no transforms connect them."""
        inner, outer = self._up(of), self._up(frame)
        for name, transform in inner.items():
            if name in outer:
                return outer[name].inverse().of(transform)
        return None

    def _up(self, frame: str) -> dict[str, Transform]:
        """A frame in each of those above it, from itself on."""
        frame = frame.lstrip("/")
        found = {frame: Transform((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))}
        while frame in self._parents:
            parent, transform = self._parents[frame]
            if parent in found:  # a circle
                break
            found[parent] = transform.of(found[frame])
            frame = parent
        return found

    def _take(self, message: Any, came: float) -> None:
        for one in message.transforms:
            move, turn = one.transform.translation, one.transform.rotation
            transform = Transform((move.x, move.y, move.z), (turn.x, turn.y, turn.z, turn.w), came)
            self._parents[one.child_frame_id] = (one.header.frame_id, transform)
        for listener in self.listeners:
            listener()
