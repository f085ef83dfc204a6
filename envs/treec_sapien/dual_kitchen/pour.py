"""Pour the contents of a vessel into another."""

from __future__ import annotations

import numpy as np

from treec_sapien.dual_kitchen.common import body, chance
from treec_sapien.motion.base import ReachWish
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, about, compose, inverse, matrix
from treec_sapien.motion.grasp import reach_one
from treec_sapien.motion.reach import ReachRow, through
from treec_sapien.sense.location import box
from treec_sapien.worker import Physical, PhysicalAct, Steps

_Z = np.array([0.0, 0.0, 1.0])
_TILTS = (0.25, 1.1, 1.95)
"""Tilt of the vessel from upright (rad): before, half way, pouring."""

_OVER = 0.05
_FLOWS = 1.0


class Pour(Physical):
    """The tilting over the target is physical; the liquid is declared, not simulated."""

    unless = "spilled"

    def do(self, act: PhysicalAct) -> Steps:
        """Bring the mouth over the target, tilt, wait, tilt back."""
        vessel, arm, rng = body(act, "vessel"), act.arm, chance(act)
        if not arm.grips(vessel.entity):
            raise MotionFailure("dropped", vessel.name)
        low, high = box(act.kitchen, act.arg("target"))
        mouth = np.array([*(low + high)[:2] / 2, high[2] + _OVER])
        own_low, own_high = box(act.kitchen, vessel.name)
        height = float(own_high[2] - own_low[2])
        held = inverse(arm.tcp) @ matrix(vessel.pose())
        ways = reaches(held, mouth, height)
        try:
            solution = yield from reach_one(arm, ReachWish(arm, ways, vessel.entity), rng)
            for part in (0, 1):
                yield from arm.along(solution, part, pace=0.5)
            if not arm.grips(vessel.entity):
                raise MotionFailure("dropped", f"{vessel.name} while pouring")
            yield from act.wait(_FLOWS)
            for part in (1, 0):
                yield from arm.back(solution, part, pace=0.5)
            yield from arm.motion.base.retire(arm, rng)
        finally:
            arm.motion.base.release(arm)


def reaches(held: Array, mouth: Array, height: float) -> list[ReachRow]:
    """Return ways to tilt a vessel (``held`` in the tool's frame) about its middle, to any side.

    At the end its ``mouth`` is at its target; before, the vessel is beside the target.
    """
    out = []
    for side in range(8):
        angle = 2 * np.pi * side / 8
        axis = np.array([-np.sin(angle), np.cos(angle), 0.0])  # leaning towards (cos, sin)
        for spin in range(8):
            keys = []
            half = np.array([0.0, 0.0, height / 2])
            middle = mouth - about(axis, _TILTS[-1]) @ half
            for tilt in _TILTS:
                turn = about(axis, tilt) @ about(_Z, 2 * np.pi * spin / 8)
                vessel = compose(turn, middle - turn @ half)
                keys.append(vessel @ inverse(held))
            out.append(through(keys, [8, 8], pivot=1, name=f"towards {45 * side}"))
    return out
