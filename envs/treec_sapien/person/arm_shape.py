"""An arm with what it holds as capsules, for distances to people."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from treec_sapien.motion.frames import Array, inverse, matrix

if TYPE_CHECKING:
    from treec_sapien.build import BuiltBody
    from treec_sapien.motion.arm import Arm

LINK, GRIPPER = 0.075, 0.055
"""Radius (m) of an arm's links, and of its gripper."""

_LAST = 2  # so many joints before the tool are part of the gripper


class ArmShape:
    """The line through an arm's joints to the tool point, across hand and fingers; what is held."""

    def __init__(self, arm: Arm, held: BuiltBody | None = None) -> None:
        self._arm = arm
        self._tool: tuple[Array, float] | None = None
        fingers = [link for links in arm.about.gripper.links for link in links]
        self._hand = [across(arm, [arm.about.hand]), across(arm, fingers)]
        self._held = held
        if held is not None:
            low, high = own_box(held)
            middle, half = (low + high) / 2, (high - low) / 2
            long = int(np.argmax(half))
            along = half[long] * np.eye(3)[long]
            self._ends = np.stack([middle - along, middle + along])
            self._tool = self._in_hand(held), float(np.sort(half)[1])

    def _in_hand(self, held: BuiltBody) -> Array:
        """The ends (2, 3; in the tool's frame) of what is held, where it is now."""
        return _moved(inverse(self._arm.tcp) @ matrix(held.pose()), self._ends)

    def slipped(self) -> float:
        """Return how far (m) an end of what is held has moved in the hand since."""
        if self._held is None or self._tool is None:
            return 0.0
        return float(np.linalg.norm(self._in_hand(self._held) - self._tool[0], axis=1).max())

    @property
    def gripper_capsules(self) -> int:
        """How many of the arm's own capsules, the last ones, are the gripper's."""
        return _LAST + sum(it is not None for it in self._hand)

    @property
    def has_tool(self) -> bool:
        """Whether the last capsule is what is held, rather than a part of the arm."""
        return self._tool is not None

    def capsules(self, q: Array) -> tuple[Array, Array, Array]:
        """Return begins and ends (n, k, 3) and radii (k) for configurations of the chain (n, j)."""
        points, poses = self._arm.chain.joints_and_poses(q)
        line = np.concatenate([points, poses[:, None, :3, 3]], axis=1)
        begin, end = line[:, :-1], line[:, 1:]
        radii = np.full(begin.shape[1], LINK)
        radii[-_LAST:] = GRIPPER
        for ends, radius in (it for it in (*self._hand, self._tool) if it is not None):
            both = np.einsum("nij,kj->nki", poses[:, :3, :3], ends) + poses[:, None, :3, 3]
            begin = np.concatenate([begin, both[:, :1]], axis=1)
            end = np.concatenate([end, both[:, 1:]], axis=1)
            radii = np.append(radii, radius)
        return begin, end, radii


def across(arm: Arm, links: Sequence[str]) -> tuple[Array, float] | None:
    """Return the ends (2, 3; in the tool's frame) and the radius (m) of a capsule along links.

    A Panda's hand is 20 cm wide, far wider than the line from its wrist to the tool point. Every
    corner of their collision shapes is in the capsule. None for links without shapes.

    Raises TypeError for a shape without corners or size, such as a plane.
    """
    corners = []
    tool = inverse(arm.tcp)
    for name in links:
        link = arm.robot.link(name)
        for shape in link.collision_shapes:
            at = tool @ matrix(link.entity_pose) @ matrix(shape.local_pose)
            corners.append(_moved(at, corners_of(shape)))
    return around(np.concatenate(corners)) if corners else None


def corners_of(shape: Any) -> Array:
    """Return the corners (n, 3; in its own frame) of a collision shape, or of the box around it.

    Raises TypeError for a shape without corners or size, such as a plane.
    """
    if hasattr(shape, "vertices"):
        return np.asarray(shape.vertices * shape.scale, float)
    if hasattr(shape, "half_size"):
        half = np.asarray(shape.half_size, float)
    elif hasattr(shape, "radius"):  # a sphere; a cylinder or a capsule along x
        half = np.full(3, float(shape.radius))
        half[0] += float(getattr(shape, "half_length", 0.0))
    else:
        raise TypeError(f"no capsule goes around a {type(shape).__name__}")
    return np.asarray(np.array(list(product((-1.0, 1.0), repeat=3))) * half)


def around(corners: Array) -> tuple[Array, float]:
    """Return the ends (2, 3) and the radius of a capsule around points (n, 3).

    Its axis is the middle of their bounding box, along the longest side. A thin capsule that has
    all of them in it is long, since its ends are round: of those up to half as thick again, the one
    that sticks out of the box least.
    """
    low, high = corners.min(axis=0), corners.max(axis=0)
    middle, half = (low + high) / 2, (high - low) / 2
    long = int(np.argmax(half))
    off = corners - middle
    along, aside = off[:, long], np.linalg.norm(np.delete(off, long, axis=1), axis=1)
    radii = aside.max() * np.linspace(1.0, 1.5, 26)
    rounded = np.sqrt(radii[:, None] ** 2 - aside**2)  # how far an end reaches beyond the axis
    ends = np.stack([(along + rounded).min(axis=1), (along - rounded).max(axis=1)], axis=1)
    is_ball = ends[:, 0] > ends[:, 1]
    ends[is_ball] = ends[is_ball].mean(axis=1, keepdims=True)
    radii = np.array([_farthest(along, aside, *it) for it in ends])
    beyond = np.maximum(np.abs(ends).max(axis=1) + radii - half[long], radii - half.min())
    best = int(np.argmin(beyond))
    return middle + ends[best][:, None] * np.eye(3)[long], float(radii[best])


def _farthest(along: Array, aside: Array, first: float, last: float) -> float:
    """The largest distance (m) of points from a part of an axis."""
    return float(np.hypot(along - np.clip(along, first, last), aside).max())


def _moved(pose: Array, points: Array) -> Array:
    return np.asarray(points @ pose[:3, :3].T + pose[:3, 3])


def own_box(body: BuiltBody) -> tuple[Array, Array]:
    """Return the corners of a body's bounding box in its own frame."""
    corners = []
    for link in body.body.links:
        for shape in link.shapes:
            size = np.array(
                shape.half_size
                if shape.kind == "box"
                else (shape.radius,) * 2 + (shape.half_length,)
            )
            corners += [np.array(shape.p) - size, np.array(shape.p) + size]
    return np.min(corners, axis=0), np.max(corners, axis=0)
