"""Grasping where a learned reach has ended: close, lift and withdraw, as every pick does."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from treec_learning.sapien.reach import fingers_on
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, matrix, translate
from treec_sapien.motion.grasp import close_on, lift_out
from treec_sapien.motion.reach import ReachRow, ReachSolution

if TYPE_CHECKING:
    from treec_sapien.build import BuiltBody
    from treec_sapien.motion.arm import Steps
    from treec_sapien.motion.stretch import StretchMover

_CENTRED = (1.0, 0.5, 0.0)  # fractions of the way from where the hand is to the grasp
_LIFTS = (0.03, 0.012, 0.005)  # m
_OVER = (0.06, 0.09)  # m: over what stands before it
_HIGHER = (0.12, 0.08, 0.05, *_LIFTS)
_OUT = (0.26, 0.2, 0.15, 0.1)  # m, against the approach
_SAGS = 0.8  # share of a lift that a thing in the hand surely makes
_COUNT = 8  # configurations of each straight part that are tested


def take_here(
    arm: StretchMover,
    built: BuiltBody,
    at: Array,
    rng: np.random.Generator,
    *,
    keep_upright: bool,
) -> Steps[None]:
    """Take the thing that the open hand is around, with the tool moved straight to ``at`` (4, 4).

    Where there is no straight way out, one is planned. Fails as "blocked" without one, "slipped" if
    the thing is not held, "dropped" on the way back over the base.
    """
    withdrawal = _straight_out(arm, built, at)
    if withdrawal is not None:
        yield from arm.along(withdrawal, 0, touch=built.entity)
    if not (yield from close_on(arm, built, keep_upright)):
        yield from arm.open_gripper()
        raise MotionFailure("slipped", f"{built.name} out of the hand")
    if withdrawal is None:
        yield from _planned_out(arm, built, rng)
    elif not (yield from lift_out(arm, built, withdrawal)):
        raise MotionFailure("slipped", f"{built.name} out of the hand")
    yield from arm.rest(rng)
    if not arm.grips(built.entity):
        arm.detach()
        raise MotionFailure("dropped", built.name)


def _straight_out(arm: StretchMover, built: BuiltBody, at: Array) -> ReachSolution | None:
    """To ``at`` or as far as there is room, lifted, and against the approach; None if blocked.

    A way with some room to spare goes first: joints lag behind where they are sent.
    """
    space, ik = arm.motion.space, arm.ik
    space.update()
    q = arm.within(arm.robot.targets())
    here = ik.pose(q)
    stands = matrix(built.pose())
    level = here[:3, 2] * np.array([1.0, 1.0, 0.0])
    level /= max(float(np.linalg.norm(level)), 1e-6)
    shut = fingers_on(arm, built, np.zeros(1))
    for roomy, share, lift, out in itertools.product(
        (True, False), _CENTRED, (*_LIFTS, *_OVER), _OUT
    ):
        up, back = np.array([0.0, 0.0, lift]), -out * level
        keys = [q]
        for shift in (share * (at - here)[:3, 3], up, back):
            row = ik.straight(keys[-1], shift)
            if row is None:
                break
            keys.append(row)
        if len(keys) < 4 or not all(
            space.fits(built.entity, translate(stands, world=_SAGS * up + part * back))
            for part in np.linspace(0.0, 1.0, _COUNT)
        ):
            continue
        steps = np.linspace(0.0, 1.0, _COUNT, endpoint=False)[:, None]
        parts = [one + steps * (two - one) for one, two in itertools.pairwise(keys)]
        rows = np.concatenate([*parts, keys[-1][None]])
        closed = rows[_COUNT:].copy()
        closed[:, arm.fingers] = shut
        with arm.may_touch(built.entity):
            if all(space.all_free(one, roomy=roomy) for one in (rows, closed)):
                reach = ReachRow(ik.pose(rows), (0, _COUNT, 2 * _COUNT, 3 * _COUNT))
                return ReachSolution(reach, rows[:, ik.columns], None, 0.0)
    return None


def _planned_out(arm: StretchMover, built: BuiltBody, rng: np.random.Generator) -> Steps[None]:
    """Lift it as high as there is room and let the planner find the way out."""
    space, ik = arm.motion.space, arm.ik
    now = arm.within(arm.robot.targets())
    with space.ignore_contacts(now):
        for lift in _HIGHER:
            row = ik.straight(now, np.array([0.0, 0.0, lift]))
            if row is not None and space.all_free(np.stack([row, (row + now) / 2])):
                yield from arm.follow_all(np.stack([now, row])[:, arm.all_joints], 0.6)
                if (yield from arm.rest(rng)):
                    return
                break
    arm.detach()
    yield from arm.open_gripper()
    raise MotionFailure("blocked", f"no way out with {built.name}")
