"""What is known of a robot before it stands anywhere: its model file, its arms, its drives.

Frames: an arm's **tcp** has +z along the approach (out of the palm) and +y along the line on which
the fingers close, on every robot. Lengths in metres, angles in radians, time in seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Gripper:
    """Two fingers that move apart and together, each by its own joint.

    ``opening`` is the range of the free width between the finger pads. A finger's joint stands at
    ``shut[i] + (width - opening[0]) * travel[i]``.
    """

    joints: tuple[str, str]
    links: tuple[tuple[str, ...], tuple[str, ...]]  # of each finger: what may touch the thing
    opening: tuple[float, float]
    shut: tuple[float, float] = (0.0, 0.0)
    travel: tuple[float, float] = (0.5, 0.5)
    depth: float = 0.02  # how far the pads reach beyond the tcp, along +z

    def targets(self, width: float) -> tuple[float, float]:
        """Where the two joints stand when the pads are ``width`` apart (kept within range)."""
        over = min(max(width, self.opening[0]), self.opening[1]) - self.opening[0]
        return (self.shut[0] + over * self.travel[0], self.shut[1] + over * self.travel[1])

    def width(self, first: float, second: float) -> float:
        """The free width when the joints stand at these values."""
        return self.opening[0] + sum(
            (value - shut) / travel / 2
            for value, shut, travel in zip((first, second), self.shut, self.travel, strict=True)
        )


@dataclass(frozen=True)
class ArmDescription:
    """One arm: its joints from the shoulder out, its frames and its gripper."""

    side: str
    joints: tuple[str, ...]
    tcp: str
    hand: str  # the link that what is held is fastened to in the planner
    gripper: Gripper
    velocity: tuple[float, ...]  # limits used for timing, in the order of `joints`
    acceleration: tuple[float, ...]


@dataclass(frozen=True)
class Drive:
    """How a joint is driven to its target: PhysX' stiffness, damping and largest force."""

    stiffness: float
    damping: float
    force: float
    armature: float = 0.05


@dataclass(frozen=True)
class Description:
    """A robot's kind, as adapted: everything :func:`..robot.load` needs."""

    kind: str
    urdf: Path
    disabled: frozenset[frozenset[str]]  # pairs of links that may overlap in the planner
    arms: Mapping[str, ArmDescription]
    home: Mapping[str, float]  # joints at rest; a joint not named stands at 0
    drives: Mapping[str, Drive]  # by joint; every movable joint has one
    base: tuple[str, ...] = ()  # the planar base's joints x, y, yaw, or none
    base_velocity: tuple[float, ...] = (0.5, 0.5, 1.0)
    base_acceleration: tuple[float, ...] = (1.0, 1.0, 2.0)
    lift: float = 0.0  # how far the model stands above the floor, so that nothing drags
    still: frozenset[str] = field(default_factory=frozenset)  # joints no motion plan moves (head)
