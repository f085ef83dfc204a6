"""Fingers that let go of a thing beside a person's hand.

The grip is loosened at once, which moves nothing. Then each finger opens slowly, and no farther
than the thing is free of it. A finger that is held up gives way and stays where it was pushed to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from treec.envs.sapien.motion.timing import CONTROL

if TYPE_CHECKING:
    from treec.envs.sapien.motion.hand import GripperMotion

SPEED = 0.03
"""Speed (m/s) of each finger."""

HELD_UP = 0.002
"""How far (m) a finger is from its target if somebody holds it up or pushes it. A Panda's finger
then presses with 4 N."""

CLEAR = 0.003
"""How far (m) a finger opens at least, unless it is held up."""

_ACROSS = 2.0  # fingers move half as far as the width between them

Finger = Callable[[int], bool]
"""Whether a finger, by its number, may open."""


class GentleRelease:
    """One release; to be stepped once in each control step, also while the arm draws back."""

    def __init__(self, gripper: GripperMotion, thing: Any, may_open: Finger) -> None:
        self._gripper, self._thing, self._may_open = gripper, thing, may_open
        about = gripper.about.gripper
        self._travel = _ACROSS * np.array(about.travel)
        self._begun = gripper.robot.qpos[gripper.fingers]
        self._widest = (gripper.widest - self._begun) / self._travel
        self._target = np.zeros(2)  # m that each finger is to be open beyond where it began
        self._is_done = np.zeros(2, bool)

    @property
    def is_done(self) -> bool:
        """Whether both fingers are off the thing, or held up."""
        return bool(self._is_done.all())

    def open_on(self) -> None:
        """Open as far as the fingers go from now on: the thing is not between them any more."""
        self._is_done[:] = False
        self._thing = None

    def stop(self) -> None:
        """Leave the fingers as they are."""
        self._gripper.robot.hold(self._gripper.about.gripper.joints)

    def step(self) -> None:
        """Open a little, or give way."""
        gripper = self._gripper
        now = (gripper.robot.qpos[gripper.fingers] - self._begun) / self._travel
        most = self._widest
        if self._thing is not None:
            most = np.minimum(most, gripper.loose / _ACROSS)
        held_up = np.abs(self._target - now) > HELD_UP
        self._target = np.where(held_up, now, self._target)
        self._is_done |= held_up | (self._target >= most - 1e-6)
        for finger, links in enumerate(gripper.about.gripper.links):
            if not self._may_open(finger) or (
                self._thing is not None
                and now[finger] > CLEAR
                and not gripper.motion.touches(links, self._thing)
            ):
                self._is_done[finger] = True
        going = ~self._is_done
        self._target = np.where(
            going, np.minimum(self._target + SPEED * CONTROL, most), self._target
        )
        joints = gripper.about.gripper.joints
        gripper.robot.drive_to(joints, self._begun + self._target * self._travel)
        for name, speed in zip(joints, going * SPEED * self._travel, strict=True):
            gripper.robot.joint(name).set_drive_velocity_target(float(speed))
