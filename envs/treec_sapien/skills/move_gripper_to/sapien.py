"""Hold the gripper, with what is in it, over a thing, in SAPIEN; physical throughout."""

from __future__ import annotations

import numpy as np

from treec_sapien.manipulation import body, chance
from treec_sapien.motion.base import ReachWish
from treec_sapien.motion.frames import Array, about, compose, inverse, matrix
from treec_sapien.motion.grasp import go_to_one
from treec_sapien.motion.reach import ReachRow, through
from treec_sapien.sense.hands import in_hand
from treec_sapien.sense.location import box
from treec_sapien.worker import Physical, PhysicalAct, Steps

CLEARANCE = 0.06
"""Clearance (m) between the thing and the lowest point of the gripper or what it holds."""

_TURNS = 12
_Z = np.array([0.0, 0.0, 1.0])


class MoveGripperTo(Physical):
    """Worker of `move_gripper_to`."""

    unless = "not reached"

    def do(self, act: PhysicalAct) -> Steps:
        """Bring the gripper over the item and stay there."""
        rng, arm = chance(act), act.arm
        body(act, act.arg("item"))
        reaches = over(act, act.arg("item"))
        try:
            (options,) = yield from arm.motion.base.ask(rng, ReachWish(arm, reaches))
            solution = yield from go_to_one(arm, options, rng, shut=True)
            yield from arm.along(solution, 0)
        finally:
            arm.motion.base.release(arm)


def over(act: PhysicalAct, item: str) -> list[ReachRow]:
    """Return ways to come down over an item, in all rotations; what is held stays upright."""
    low, high = box(act.kitchen, item)
    point = np.array([*((low + high) / 2)[:2], high[2] + CLEARANCE])
    holding = in_hand(act.kitchen, act.hand)
    out = []
    for turn in range(_TURNS):
        spin = about(_Z, 2 * np.pi * turn / _TURNS)
        if holding is None:
            tool = compose(
                spin @ np.diag([1.0, -1.0, -1.0]), point + act.arm.about.gripper.depth * _Z
            )
        else:
            in_tool = inverse(act.arm.tcp) @ matrix(act.kitchen.bodies[holding].pose())
            tool = compose(spin, point) @ inverse(in_tool)
        out.append(through([_raise(tool), tool], [5], name="over"))
    return out


def _raise(tool: Array) -> Array:
    up = tool.copy()
    up[2, 3] += 0.05
    return up
