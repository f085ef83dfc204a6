"""A robot's description before it is placed: its model file, arms and drives.

Frames: an arm's **tcp** has +z along the approach (out of the palm) and +y along the line on which
the fingers close, on every robot. Lengths in metres, angles in radians, time in seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from treec_sapien.bodies.reach import ReachLimits


@dataclass(frozen=True)
class Gripper:
    """Two fingers that open and close symmetrically, each with its own joint.

    ``opening`` is the range of the free width between the finger pads. A finger's joint is at
    ``shut[i] + (width - opening[0]) * travel[i]``.
    """

    joints: tuple[str, str]
    links: tuple[tuple[str, ...], tuple[str, ...]]  # of each finger: may touch the thing
    opening: tuple[float, float]
    shut: tuple[float, float] = (0.0, 0.0)
    travel: tuple[float, float] = (0.5, 0.5)
    depth: float = 0.02  # extent of the pads beyond the tcp, along +z

    def targets(self, width: float) -> tuple[float, float]:
        """Return the two joints' positions for pads ``width`` apart (clamped to the range)."""
        over = min(max(width, self.opening[0]), self.opening[1]) - self.opening[0]
        return (self.shut[0] + over * self.travel[0], self.shut[1] + over * self.travel[1])

    def width(self, first: float, second: float) -> float:
        """Return the free width at these joint positions."""
        return self.opening[0] + sum(
            (value - shut) / travel / 2
            for value, shut, travel in zip((first, second), self.shut, self.travel, strict=True)
        )


@dataclass(frozen=True)
class ArmDescription:
    """One arm: its joints from the shoulder outwards, its frames and its gripper."""

    side: str
    joints: tuple[str, ...]
    tcp: str
    hand: str  # the link to which the planner attaches what is held
    gripper: Gripper
    velocity: tuple[float, ...]  # limits used for timing, in the order of `joints`
    acceleration: tuple[float, ...]


@dataclass(frozen=True)
class Drive:
    """How a joint is driven to its target: PhysX's stiffness, damping and maximum force."""

    stiffness: float
    damping: float
    force: float
    armature: float = 0.05


@dataclass(frozen=True)
class Description:
    """A robot model, as adapted: everything :func:`.describe.load` needs."""

    kind: str
    urdf: Path
    disabled: frozenset[frozenset[str]]  # pairs of links that may overlap in the planner
    arms: Mapping[str, ArmDescription]
    home: Mapping[str, float]  # joints at rest; others are at 0
    drives: Mapping[str, Drive]  # by joint; every movable joint has one
    base: tuple[str, ...] = ()  # the planar base's joints x, y, yaw, or none
    base_velocity: tuple[float, ...] = (0.5, 0.5, 1.0)
    base_acceleration: tuple[float, ...] = (1.0, 1.0, 2.0)
    lift: float = 0.0  # clearance of the model above the floor
    moves: str = "joints"  # or telescope: how it plans
    reach: ReachLimits | None = None
