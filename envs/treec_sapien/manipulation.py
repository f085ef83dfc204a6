"""Shared helpers of manipulation skills: randomness, what a hand holds, moving it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from treec_sapien.build import BuiltBody
from treec_sapien.motion.base import ReachWish
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, inverse, matrix
from treec_sapien.motion.grasp import go_to_one
from treec_sapien.motion.reach import ReachRow, ReachSolution
from treec_sapien.sense.hands import in_hand

if TYPE_CHECKING:
    from treec_sapien.worker import PhysicalAct, Steps


def chance(act: PhysicalAct, attempt: int = 0) -> np.random.Generator:
    """Return the order's random generator: the same whenever the run is repeated."""
    return np.random.default_rng(act.seed(attempt))


def body(act: PhysicalAct, name: str) -> BuiltBody:
    """Return a thing's body. Raises Failed if it has none."""
    built = act.kitchen.bodies.get(name)
    if built is None:
        raise MotionFailure("not reached", f"{name} has no body")
    return built


def held_body(act: PhysicalAct, item: str) -> BuiltBody:
    """Return the body in the hand, which must be ``item``, and synchronize the planner with it."""
    built = body(act, item)
    if in_hand(act.kitchen, act.hand) != item and not act.arm.grips(built.entity):
        act.arm.detach()
        raise MotionFailure("dropped", f"{item} is not in the gripper")
    if act.arm.holding is not built.entity:
        act.arm.detach()
        act.arm.attach(built.entity)
    return built


def empty(act: PhysicalAct) -> None:
    """Tell the planner that the hand is empty."""
    if act.arm.holding is not None and in_hand(act.kitchen, act.hand) is None:
        act.arm.detach()


def in_tool(act: PhysicalAct, built: BuiltBody) -> Array:
    """Return the pose of what is held in the tool's frame (4, 4)."""
    return np.asarray(inverse(act.arm.tcp) @ matrix(built.pose()))


def carry_out(
    act: PhysicalAct,
    reaches: Sequence[ReachRow],
    rng: np.random.Generator,
    built: BuiltBody,
    *,
    pace: float = 0.5,
) -> Steps:
    """Execute one of the reaches from first to last key pose, holding ``built`` throughout."""
    arm = act.arm
    try:
        (options,) = yield from arm.motion.base.ask(rng, ReachWish(arm, reaches))
        solution: ReachSolution = yield from go_to_one(arm, options, rng)
        for part in range(len(solution.reach.marks) - 1):
            yield from arm.along(solution, part, pace=pace)
            if not arm.grips(built.entity):
                arm.detach()
                raise MotionFailure("dropped", f"{built.name} on the way")
    finally:
        arm.motion.base.release(arm)
