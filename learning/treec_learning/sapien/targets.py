"""Targets of a hand in a kitchen of SAPIEN, in the numbers of the kinematic simulator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from treec_sapien.motion.frames import Array, about, matrix

if TYPE_CHECKING:
    from treec_sapien.build import BuiltBody
    from treec_sapien.motion.arm import Arm, Touch


@dataclass
class HandTarget:
    """Where the tool is when the hand holds, and how that moves.

    ``local`` (4, 4) is in the frame of a link of ``built``, or, without one, in the scene.
    """

    local: Array
    thick: float
    """What is between the fingers (m)."""
    touch: Touch = None
    """What the hand may touch."""
    built: BuiltBody | None = None
    link: str = "body"
    joint: str = ""
    """The joint that is moved by the hand; empty without one."""
    to: float = 0.0
    """Where it is to be (rad or m)."""
    slip: float = 0.0
    puts: bool = False
    """Whether something is put down there."""
    begun: float = 0.0

    def __post_init__(self) -> None:
        """Note where the joint is at first."""
        if self.built is not None and self.joint:
            self.begun = self.built.position(self.joint)

    @property
    def frame(self) -> Array:
        """The pose (4, 4) in the scene, now."""
        if self.built is None:
            return self.local
        moved = np.asarray(matrix(self.built.pose(self.link)) @ self.local)
        if self.joint and self.slip and self._hinged:
            turned = self.slip * (self.built.position(self.joint) - self.begun)
            moved[:3, :3] = about(self._axis, -turned) @ moved[:3, :3]
        return moved

    @property
    def way(self) -> tuple[Array, Array, float]:
        """How it moves (3; m) and turns (3; rad) for a unit of its joint, and what that has to go.

        In the scene, towards where the joint is to be; all 0 without a joint.
        """
        if self.built is None or not self.joint:
            return np.zeros(3), np.zeros(3), 0.0
        left = self.to - self.built.position(self.joint)
        sign = 1.0 if left >= 0 else -1.0
        if not self._hinged:
            return sign * self._axis, np.zeros(3), abs(left)
        about_joint = self.built.body.joint(self.joint)
        root = matrix(self.built.pose())
        centre = (root @ matrix(about_joint.pose))[:3, 3]
        tangent = np.cross(self._axis, self.frame[:3, 3] - centre)
        return sign * tangent, sign * self._axis * (1.0 - self.slip), abs(left)

    def is_held(self, arm: Arm) -> bool:
        """Whether the hand holds what is there."""
        thing: Any = arm.holding if self.built is None else self._entity
        return thing is not None and arm.grips(thing)

    @property
    def _entity(self) -> Any:
        assert self.built is not None
        return self.built.links[self.link].entity

    @property
    def _hinged(self) -> bool:
        assert self.built is not None
        return self.built.body.joint(self.joint).kind == "hinge"

    @property
    def _axis(self) -> Array:
        assert self.built is not None
        pose = matrix(self.built.body.joint(self.joint).pose)
        return np.asarray(matrix(self.built.pose())[:3, :3] @ pose[:3, 0])


@dataclass
class ButtonTarget(HandTarget):
    """A button: a closed hand pushes it, and holds nothing."""

    @property
    def way(self) -> tuple[Array, Array, float]:
        """See `HandTarget.way`: in along the hand; the remaining distance is not observed."""
        return self.frame[:3, 2], np.zeros(3), 0.0

    def is_held(self, arm: Arm) -> bool:
        """It is never held."""
        return False
