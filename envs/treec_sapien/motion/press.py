"""Buttons and levers that are pushed with a closed hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from treec_sapien.bodies.pose import Pose
from treec_sapien.motion.base import ReachWish
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, about, compose, inverse, matrix, translate
from treec_sapien.motion.grasp import reach_one
from treec_sapien.motion.reach import ReachRow, ReachSolution, through

if TYPE_CHECKING:
    from treec_sapien.build import BuiltBody
    from treec_sapien.motion.arm import Arm, Steps

Push = Callable[[Array, ReachSolution], "Steps[None]"]
"""Pushes with the closed hand that is before a button; takes the tool's pose (4, 4) in the link's
frame at which the fingertips are at it.
"""

_BEFORE, _AT = 0.07, 0.004
_ROLLS = 8
_TRIES = 3


def reaches(arm: Arm, point: Array, depth: float) -> list[ReachRow]:
    """Return ways to push ``depth`` metres at ``point`` along its +z: before, at it, pushed."""
    out = []
    tip = -arm.about.gripper.depth
    for roll in range(_ROLLS):
        spin = compose(about(np.array([0.0, 0.0, 1.0]), 2 * np.pi * roll / _ROLLS), np.zeros(3))
        tool = point @ spin
        keys = [translate(tool, own=np.array([0.0, 0.0, tip + z])) for z in (-_BEFORE, -_AT, depth)]
        out.append(through(keys, [6, 2], name="push"))
    return out


def press(
    arm: Arm,
    built: BuiltBody,
    link: str,
    push: Pose,
    depth: float,
    rng: np.random.Generator,
    *,
    by: Push | None = None,
) -> Steps[float]:
    """Push a link at ``push`` (in the link's frame); return the largest travel of its joint.

    ``by`` replaces the straight push. Fails as "not reached" or "blocked".
    """
    joint = next(joint.name for joint in built.body.joints if joint.child == link)
    furthest = built.position(joint)
    touch = (built.articulation, link)
    point = np.asarray(matrix(built.pose(link)) @ matrix(push))
    try:
        ways = reaches(arm, point, depth)
        with arm.motion.base.expecting(arm):
            yield from arm.close_gripper()
            solution = yield from reach_one(arm, ReachWish(arm, ways, touch), rng, shut=True)
        if by is None:
            yield from arm.along(solution, 0, touch=touch)
            steps = arm.along(solution, 1, touch=touch, pace=0.3)
        else:
            face = translate(
                solution.reach.way[solution.reach.marks[1]], own=np.array([0.0, 0.0, _AT])
            )
            steps = by(inverse(matrix(built.pose(link))) @ face, solution)
        for _ in steps:
            furthest = max(furthest, built.position(joint))
            yield
        steps.close()
        for _ in range(8):
            furthest = max(furthest, built.position(joint))
            yield
        if by is None:
            yield from arm.back(solution, 1)
            yield from arm.back(solution, 0)
        else:
            yield from arm.back_off(_BEFORE, touch=touch)
        yield from arm.motion.base.retire(arm, rng)
    finally:
        arm.motion.base.release(arm)
    return furthest


def press_button(
    arm: Arm,
    built: BuiltBody,
    link: str,
    push: Pose,
    on: float,
    rng: np.random.Generator,
    *,
    by: Push | None = None,
) -> Steps[None]:
    """Press a button past ``on``, again from another side if it did not go in; see `press`."""
    for _ in range(_TRIES):
        reached = yield from press(arm, built, link, push, on / 0.6 + 0.004, rng, by=by)
        if reached >= on:
            return
    raise MotionFailure("not reached", f"{built.name}'s {link} did not go in")
