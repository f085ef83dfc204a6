"""Fingers that let go of a thing beside a person's hand.

The grip is loosened at once, which moves nothing. Then each finger opens slowly, and no farther
than the thing is free of it. A finger that is held up gives way and stays where it was pushed to.
While neither finger may open, the release waits; after a while they open all the same, since a
thing that stays between them would be dragged along.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from treec_sapien.motion.timing import CONTROL

if TYPE_CHECKING:
    from treec_sapien.motion.hand import GripperMotion

SPEED = 0.03
"""Speed (m/s) of each finger."""

HELD_UP = 0.002
"""How far (m) a finger is from its target if somebody holds it up or pushes it. A Panda's finger
then presses with 4 N."""

CLEAR = 0.003
"""How far (m) a finger opens at least, unless it is held up."""

PATIENCE = 2.0
"""Seconds for which a release waits, all in all, while neither finger may open."""

_ACROSS = 2.0  # fingers move half as far as the width between them

Mask = npt.NDArray[np.bool_]

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
        self._waited = 0.0  # s

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
        """Open a little, wait, or give way."""
        gripper = self._gripper
        may_open = np.array([self._may_open(finger) for finger in (0, 1)])
        waits = self._has_to_wait(may_open)
        now = (gripper.robot.qpos[gripper.fingers] - self._begun) / self._travel
        most = self._widest
        if self._thing is not None:
            most = np.minimum(most, gripper.loose / _ACROSS)
        held_up = np.abs(self._target - now) > HELD_UP
        self._target = np.where(held_up, now, self._target)
        if not waits:
            self._is_done |= held_up | ~may_open | (self._target >= most - 1e-6)
            self._is_done |= (now > CLEAR) & self._is_off_thing()
        going = ~self._is_done & (not waits)
        self._target = np.where(
            going, np.minimum(self._target + SPEED * CONTROL, most), self._target
        )
        joints = gripper.about.gripper.joints
        gripper.robot.drive_to(joints, self._begun + self._target * self._travel)
        for name, speed in zip(joints, going * SPEED * self._travel, strict=True):
            gripper.robot.joint(name).set_drive_velocity_target(float(speed))

    def _has_to_wait(self, may_open: Mask) -> bool:
        """Whether to wait since neither finger may open; after `PATIENCE` both may."""
        if self._thing is None or (may_open | self._is_done).any():
            return False
        self._waited += CONTROL
        if self._waited > PATIENCE:
            may_open[:] = True
            return False
        return True

    def _is_off_thing(self) -> Mask:
        """Whether each finger does not touch the thing; never once that is forgotten."""
        links = self._gripper.about.gripper.links
        if self._thing is None:
            return np.zeros(len(links), bool)
        touches = [self._gripper.motion.touches(it, self._thing) for it in links]
        return ~np.array(touches)
