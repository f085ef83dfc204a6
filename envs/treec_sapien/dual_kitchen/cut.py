"""Cut food on a board with the knife in the hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from treec_sapien.build import BuiltBody
from treec_sapien.dual_kitchen.common import body, chance
from treec_sapien.motion.base import ReachWish
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, about, compose, inverse, matrix
from treec_sapien.motion.grasp import reach_one
from treec_sapien.motion.reach import ReachRow, through
from treec_sapien.sense.location import box
from treec_sapien.worker import Physical, PhysicalAct, Steps

_Z = np.array([0.0, 0.0, 1.0])
_ABOVE, _PRESS = 0.07, 0.004
_STROKES = (-0.01, 0.01)
"""Offsets of the strokes along the food from its middle (m)."""

_EDGE = np.linspace(-0.02, 0.02, 9)
"""Points of the blade's edge, from its middle (m), at which the food's height is sampled."""

_PITCHES = (0.0, 0.15, -0.15, 0.3, -0.3)
"""Pitches of the blade while it cuts (rad), tried in this order: level first."""


class Cut(Physical):
    """The strokes are physical and must touch the food; that it falls apart is declared."""

    unless = "not reached"

    def do(self, act: PhysicalAct) -> Steps:
        """Bring the blade down twice across the food."""
        knife, food, arm, rng = body(act, "knife"), body(act, "food"), act.arm, chance(act)
        if not arm.grips(knife.entity):
            raise MotionFailure("dropped", knife.name)
        held = inverse(arm.tcp) @ matrix(knife.pose())
        blade = knife.body.links[0].shapes[-1]
        middle = np.array([blade.p[0], blade.p[1], blade.p[2] - blade.half_size[2]])
        low, high = box(act.kitchen, food.name)
        ways = reaches(held, middle, low, high, matrix(food.pose()), lambda at: top(act, food, at))
        touched = 0
        try:
            solution = yield from reach_one(arm, ReachWish(arm, ways, food.entity), rng)
            for part in range(4):
                met = False
                for _ in (steps := arm.along(solution, part, touch=food.entity, pace=0.4)):
                    met = met or act.kitchen.contacts.touch(knife.name, food.name)
                    yield
                steps.close()
                touched += met and part % 2 == 0
            yield from arm.motion.base.retire(arm, rng)
        finally:
            arm.motion.base.release(arm)
        if not touched:
            raise MotionFailure("not reached", f"the blade did not meet {food.name}")
        if not arm.grips(knife.entity):
            raise MotionFailure("dropped", knife.name)


def top(act: PhysicalAct, food: BuiltBody, edge: Array) -> float | None:
    """Return the food's height below the points (n, 3) of a blade's edge, or None."""
    physics = act.kitchen.scene.physx_system
    down, heights = np.array([0.0, 0.0, -1.0]), []
    for point in edge:
        hit = physics.raycast(point, down, 2 * _ABOVE)
        if hit is not None and hit.component.entity == food.entity:
            heights.append(float(hit.position[2]))
    return max(heights, default=None)


def reaches(
    held: Array,
    blade: Array,
    low: Array,
    high: Array,
    food: Array,
    top: Callable[[Array], float | None],
) -> list[ReachRow]:
    """Return ways to bring the edge (``blade`` in the knife's frame) down on the food and up.

    ``top`` gives the food's height below points; the blade does not come down where there is none.
    """
    centre = (low + high) / 2
    size = high - low
    long = food[:3, 1] if max(size[:2]) > 1.5 * min(size[:2]) else None
    out = []
    for number in range(12):
        heading = 2 * np.pi * number / 12
        if long is not None:
            heading = float(np.arctan2(long[1], long[0])) + np.pi * (number % 2)
            heading += (number // 2 - 2.5) * 0.15
        level = about(_Z, heading)
        across = level @ np.array([1.0, 0.0, 0.0])
        over = [np.array([*centre[:2], high[2] + _ABOVE]) + across * step for step in _STROKES]
        along = level @ np.array([0.0, 1.0, 0.0])
        heights = [top(point + along * _EDGE[:, None]) for point in over]
        if None in heights:
            continue
        for pitch in _PITCHES:
            turn = level @ about(np.array([1.0, 0.0, 0.0]), pitch)
            keys = []
            for point, height in zip(over, heights, strict=True):
                for z in (float(high[2]) + _ABOVE, float(height or 0.0) - _PRESS):
                    edge = np.array([*point[:2], z])
                    knife = compose(turn, edge - turn @ blade)
                    keys.append(knife @ inverse(held))
            keys.append(keys[2])
            cost = 0.2 * abs(pitch)
            out.append(through(keys, [6, 6, 6, 6], pivot=1, name="across", cost=cost))
    return out
