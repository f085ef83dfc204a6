"""Pour some of what the gripper holds into a container, in SAPIEN.

Physical: the thing's mouth is brought over the container's opening, tilted about its mouth beyond
the
horizontal, held and righted. Declared: the liquid. There is none in the physics; that some of it is
in the container follows from the tilt.
"""

from __future__ import annotations

import numpy as np

from treec.envs.sapien.handling import body, chance, held_body, in_tool
from treec.envs.sapien.motion.arm import Steps as Way
from treec.envs.sapien.motion.base import ReachWish
from treec.envs.sapien.motion.failure import MotionFailure
from treec.envs.sapien.motion.frames import Array, about, compose, inverse
from treec.envs.sapien.motion.reach import ReachRow, ReachSolution, through
from treec.envs.sapien.motion.taking import go_to_one
from treec.envs.sapien.sense.location import box
from treec.envs.sapien.spots import height
from treec.envs.sapien.worker import Physical, PhysicalAct, Steps

WAYS = ((110.0, 0.05), (110.0, 0.12), (85.0, 0.09), (85.0, 0.16))
"""Tilt from upright (degrees) and height of the mouth above the rim (m), best first.

When a thing is held from above, the hand would hit the container at a larger tilt.
"""

HOLD_SECONDS = 1.0
"""Seconds for which it stays tilted."""

_TURNS = 12
_Z = np.array([0.0, 0.0, 1.0])


class Pour(Physical):
    """Worker of `pour`."""

    unless = "dropped"

    def do(self, act: PhysicalAct) -> Steps:
        """Tilt the item above the container."""
        item, container = act.arg("item"), act.arg("container")
        built = held_body(act, item)
        body(act, container)
        arm, rng = act.arm, chance(act)
        arm.upright = None
        act.kitchen.pouring.add(item)
        try:
            found = yield from _begin(act, item, container, rng)
            yield from arm.along(found, 0, pace=0.5)
            yield from arm.along(found, 1, pace=0.6)
            yield from act.wait(HOLD_SECONDS)
            yield from arm.back(found, 1, pace=0.6)
            yield from arm.back(found, 0, pace=0.6)
            if not arm.grips(built.entity):
                arm.detach()
                raise MotionFailure("dropped", f"{item} while it was poured")
            yield from arm.rest(rng)
        finally:
            arm.motion.base.release(arm)
            act.kitchen.pouring.discard(item)


def _begin(
    act: PhysicalAct, item: str, container: str, rng: np.random.Generator
) -> Way[ReachSolution]:
    """Bring the item to the start of the first way that works."""
    reason = MotionFailure("not reached", f"{item} cannot be tilted over the {container}")
    for degrees, above in WAYS:
        try:
            ways = tilts(act, item, container, degrees, above)
            (options,) = yield from act.arm.motion.base.ask(rng, ReachWish(act.arm, ways))
            return (yield from go_to_one(act.arm, options, rng))
        except MotionFailure as failure:
            if failure.name not in ("not reached", "blocked"):
                raise
            act.arm.motion.base.release(act.arm)
    raise reason


def tilts(
    act: PhysicalAct, item: str, container: str, degrees: float, above: float
) -> list[ReachRow]:
    """Return ways to tilt: raised, upright over the opening, tilted about a level axis."""
    low, high = box(act.kitchen, container)
    mouth = np.array([*((low + high) / 2)[:2], high[2] + above])
    built = act.kitchen.bodies[item]
    tall = height(built.body)
    tool_in_body = inverse(in_tool(act, built))
    out = []
    for turn in range(_TURNS):
        level = about(_Z, 2 * np.pi * turn / _TURNS)
        upright = compose(level, mouth - tall * _Z) @ tool_in_body
        raised = compose(level, mouth - (tall - 0.06) * _Z) @ tool_in_body
        for axis in _level_axes(upright):
            for angle in (np.radians(degrees), -np.radians(degrees)):
                turned = about(axis, angle) @ level
                tilted = compose(turned, mouth - tall * turned[:, 2]) @ tool_in_body
                out.append(through([raised, upright, tilted], [4, 16], pivot=2, name="tilt"))
    return out


def _level_axes(tool: Array) -> list[Array]:
    """The level axes of the tool; tilting about them demands least of the wrist."""
    axes = [tool[:3, i] for i in range(3) if abs(tool[2, i]) < 0.3]
    flat = [axis * np.array([1.0, 1.0, 0.0]) for axis in axes]
    return [axis / np.linalg.norm(axis) for axis in flat]
