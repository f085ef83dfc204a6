"""Bimanual manipulation: grasp a thing by two handles, carry it level, put it down."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from treec_sapien.bodies.spec import GraspPoint
from treec_sapien.motion.activity import Activity
from treec_sapien.motion.base import ReachWish
from treec_sapien.motion.base_poses import drive
from treec_sapien.motion.bimanual_base_poses import base_pose_for_two
from treec_sapien.motion.carry_plan import (
    YAWS,
    CarryPlan,
    clear,
    collision_free_plans,
    followable,
    ways,
)
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, about, compose, inverse, matrix, translate
from treec_sapien.motion.grasp import go_to_one, grasp_pose
from treec_sapien.motion.null_space import Swing, swings
from treec_sapien.motion.reach import ReachRow, ReachSolution, through
from treec_sapien.motion.timing import time_parametrize

if TYPE_CHECKING:
    from treec_sapien.build import BuiltBody
    from treec_sapien.motion.arm import Arm, Steps
    from treec_sapien.motion.motion import Motion

_Z = np.array([0.0, 0.0, 1.0])
_BEFORE, _UP, _OUT = 0.09, 0.16, 0.36
_CARRY_HEIGHT = 1.0
"""Height (m) at which a thing held by two hands is carried."""

_CARRY_HEIGHTS = tuple(_CARRY_HEIGHT + more for more in (0.0, 0.07, 0.14, -0.06, -0.12))
_OVER = 0.01  # extra height (m) on its way there

_BACKWARDS = (0.0, 0.12, 0.24, 0.36)  # retreat (m) for that
_SLANTS, _SLOPE = (0.0, 0.5, -0.5, 0.8, -0.8), 0.75
_ALONG = 0.9  # cosine from which on an axis of the hand is that of the bar
_UNLIKE = 2.0  # flatter puts the wrist below the bar, steeper the forearm above it
_CHEAP, _ANY, _OTHERS = (0.0, 0.2), (0.0, np.inf), (0.2, 1.0)
"""Ranges of cost of the grasps: others are tried if no preferred one works."""

_BELOW_A_ROOF = ((0.03, _CHEAP), (0.012, _CHEAP), (0.012, _OTHERS))
"""Lifts (m) below a roof, with the ranges of cost to use: the wrist may hit the roof."""

_RETREATS = 6  # base poses tried from which the base may be unable to move straight back
_STEP = 0.02  # distance (m) between two tested poses of the base on its way back

_STANDS = 2  # other places to try if a hand finds no path from the first
_AGAIN = 4  # attempts to find a path from where the last one ended
_SWINGS = 4
_ROUNDS = 2  # batches of base poses tried without swinging the elbows
_ASKEW = 0.6
_PACE = 0.4


def take_pair(
    arms: Sequence[Arm],
    built: BuiltBody,
    grasps: Sequence[Sequence[GraspPoint]],
    rng: np.random.Generator,
    *,
    front: Array,
) -> Steps[None]:
    """Take a thing with two arms, each by one of its grasps, and extract it.

    Straight up, but out of a shelf a little up and towards ``front`` (a level direction).
    Fails as "not reached", "blocked" or "slipped".
    """
    avoid: list[Array] = []
    while True:
        try:
            yield from _take(arms, built, grasps, rng, front, avoid)
            return
        except MotionFailure as failure:
            if failure.name != "blocked" or len(avoid) >= _STANDS:
                raise
        avoid.append(arms[0].motion.base.place)  # there may be a path from another place


def _take(
    arms: Sequence[Arm],
    built: BuiltBody,
    grasps: Sequence[Sequence[GraspPoint]],
    rng: np.random.Generator,
    front: Array,
    avoid: Sequence[Array],
) -> Steps[None]:
    motion, entity = arms[0].motion, built.entity
    motion.space.update()
    here = matrix(built.pose())
    shelved = not _has_room(arms[0], built, here, [_Z * z for z in (0.06, 0.1, _UP, 0.25, 0.35)])
    if shelved:  # below a roof; but a sink has a tap above it, too, and walls in front
        steps = [_Z * _BELOW_A_ROOF[0][0] + front * (_OUT * share) for share in (0.3, 0.6, 1.0)]
        shelved = _has_room(arms[0], built, here, steps)
    high = max(_UP, _CARRY_HEIGHT - float(here[2, 3]))  # straight to carrying height if possible
    lifts = [(lift, costs) for costs in (_CHEAP, _ANY) for lift in (high, _UP)]
    out = None
    if shelved:
        lifts, out = list(_BELOW_A_ROOF), front * _OUT
    try:
        options = yield from _grasps_from_one_place(arms, built, grasps, lifts, out, rng, avoid)
        solutions = yield from _approach(arms, options, entity, rng)
        for arm in arms:
            yield from arm.close_gripper()
        if not all(arm.grips(entity) for arm in arms):
            yield from _let_go(arms, rng)
            raise MotionFailure("slipped", built.name)
        arms[0].attach(entity, also=arms[1].hand_links)
        arms[1].attach_too(entity)
        for part in range(1, len(solutions[0].reach.marks) - 1):
            rows = [
                arm.chain_rows(one.part(part)) for arm, one in zip(arms, solutions, strict=True)
            ]
            yield from in_step(arms, rows)
        if out is not None:
            yield from _shift_base(motion, out)
        yield from _carry(arms, built, rng)
        if not all(arm.grips(entity) for arm in arms):
            raise _detach_dropped(arms, built)
    finally:
        motion.base.release(*arms)


def _grasps_from_one_place(
    arms: Sequence[Arm],
    built: BuiltBody,
    grasps: Sequence[Sequence[GraspPoint]],
    lifts: Sequence[tuple[float, tuple[float, float]]],
    out: Array | None,
    rng: np.random.Generator,
    avoid: Sequence[Array],
) -> Steps[list[list[ReachSolution]]]:
    """Go where both hands can grasp and lift the thing, and the base can then move by ``out``.

    ``lifts`` are tried in order: a height, and the range of the grasps' costs.
    """
    motion, left = arms[0].motion, list(avoid)
    for number, (lift, (least, most)) in enumerate(lifts, 1):
        wishes = []
        for arm, own in zip(arms, grasps, strict=True):
            reaches = [it for it in _ways(built, own, _Z * lift) if least <= it.cost <= most]
            wishes.append(ReachWish(arm, reaches, built.entity))
        try:
            for _ in range(_RETREATS):
                options = yield from motion.base.ask_with(
                    base_pose_for_two, rng, *wishes, avoid=left
                )
                if out is None or _can_shift_base(arms, built, options, out):
                    return list(options)
                motion.base.release(*arms)
                left.append(motion.base.place)
        except MotionFailure as failure:
            if failure.name != "not reached" or number == len(lifts):
                raise
    raise MotionFailure("not reached", f"{built.name}: the base cannot move back with it")


def _can_shift_base(
    arms: Sequence[Arm], built: BuiltBody, options: Sequence[Sequence[ReachSolution]], by: Array
) -> bool:
    """Whether the robot stays free while the base moves by a vector, both hands at their ends."""
    robot, space = arms[0].robot, arms[0].motion.space
    q = robot.qpos
    for arm, solutions in zip(arms, options, strict=True):
        q = arm.whole(q, solutions[0].q[-1])
    rows = np.repeat(q[None], round(float(np.linalg.norm(by)) / _STEP), axis=0)
    rows[:, robot.indices(robot.base_joints)] = _base_row(arms[0].motion, by, len(rows))
    with arms[0].may_touch(built.entity), arms[1].may_touch(built.entity):
        return space.all_free(rows)


def _base_row(motion: Motion, by: Array, count: int) -> Array:
    """The base's poses (n, 3) from its present one along a vector in the scene."""
    there = motion.base.place
    level = (matrix(motion.robot.pose)[:3, :3].T @ by)[:2]
    return np.stack([there + share * np.array([*level, 0.0]) for share in np.linspace(0, 1, count)])


def _shift_base(motion: Motion, by: Array) -> Steps[None]:
    """Move the base straight by a vector in the scene; the arms keep their configurations."""
    robot, about = motion.robot, motion.robot.description
    limits = np.array(about.base_velocity), np.array(about.base_acceleration)
    rows = time_parametrize(_base_row(motion, by, 2), *limits, pace=_PACE)
    yield from motion.follow("base", robot.indices(robot.base_joints), rows)
    yield from motion.pause(0.2)


def _detach_dropped(arms: Sequence[Arm], built: BuiltBody, when: str = "") -> MotionFailure:
    """Release the planner's attachment after it was dropped."""
    for arm in arms:
        arm.detach()
    return MotionFailure("dropped", built.name + when)


def _has_room(arm: Arm, built: BuiltBody, here: Array, shifts: Sequence[Array]) -> bool:
    """Whether the thing fits at each of these shifts from where it is."""
    space = arm.motion.space
    return all(space.fits(built.entity, translate(here, world=shift)) for shift in shifts)


def _carry(arms: Sequence[Arm], built: BuiltBody, rng: np.random.Generator) -> Steps[None]:
    """Bring what was taken to carrying height in front of the body, clear of doors and obstacles.

    Backwards first, as far as necessary, to where there is room.
    """
    motion = arms[0].motion
    motion.space.update()
    here = matrix(built.pose())
    if abs(here[2, 3] - _CARRY_HEIGHT) < 0.1:
        return
    held = _poses_in_hands(arms, built)
    joints = motion.robot.indices(motion.robot.base_joints)
    now = motion.robot.qpos[joints]
    heading = about(_Z, float(now[2])) @ np.array([1.0, 0.0, 0.0])
    back = -matrix(motion.robot.pose)[:3, :3] @ heading
    left = np.cross(back, _Z)
    for step, yaws in itertools.product(_BACKWARDS, (YAWS[:1], YAWS[1:3])):
        base = now - step * np.array([*heading[:2], 0.0])
        plans = [
            CarryPlan(base, np.array([*(spot + left * aside)[:2], height]), yaw, False, rise=_OVER)
            for height in _CARRY_HEIGHTS
            for near in (0.0, 0.08, 0.16, -0.08)
            for aside in (0.0, 0.1, -0.1, 0.2, -0.2)
            for yaw in yaws
            for spot in [here[:3, 3] + back * (step + near)]
        ]
        for plan in collision_free_plans(arms, held, motion.robot.qpos, plans):
            if step:
                try:
                    with motion.activities.during(Activity.DRIVING, *motion.arms):
                        yield from drive(motion, base, rng, careful=True)
                except MotionFailure:
                    break
            motion.space.update()
            (again,) = followable(arms, held, motion.robot.qpos, [plan]) or (plan,)
            yield from in_step(arms, again.rows)
            return


def put_pair(
    arms: Sequence[Arm], built: BuiltBody, places: Sequence[Array], rng: np.random.Generator
) -> Steps[None]:
    """Put down what two arms hold so that its origin is at one of ``places`` (x, y, z).

    Fails as "dropped", "not reached" or "blocked".
    """
    entity = built.entity
    if not all(arm.grips(entity) for arm in arms):
        raise _detach_dropped(arms, built, " before it was put down")
    for _ in range(_AGAIN):
        if (yield from _bring(arms, built, places, rng)):
            if not all(arm.grips(entity) for arm in arms):
                raise _detach_dropped(arms, built, " on the way")
            yield from _let_go(arms, rng)
            return
    raise MotionFailure("not reached", f"{built.name} with both hands")


def _bring(
    arms: Sequence[Arm], built: BuiltBody, places: Sequence[Array], rng: np.random.Generator
) -> Steps[bool]:
    """Bring it to one of the places; whether it is there, or has to be planned again from here.

    Nothing has moved if it fails.
    """
    motion = arms[0].motion
    motion.space.update()
    held = _poses_in_hands(arms, built)
    for number, (swing, askew) in enumerate(_rounds(arms)):
        q = motion.robot.qpos if swing is None else swing.after(arms, motion.robot.qpos)
        swung = False
        for plan in ways(arms, held, places, q, rng, here_too=number == 0, askew=askew):
            if swing is not None and not swung:
                yield from in_step(arms, swing.rows)
                swung = True
            try:
                with motion.activities.during(Activity.DRIVING, *motion.arms):
                    yield from drive(motion, plan.base, rng, careful=True)
            except MotionFailure:
                continue  # there is no path to that place
            motion.space.update()
            here = replace(plan, base=motion.base.place)
            now = _poses_in_hands(arms, built)  # it may have shifted in the hands
            (again,) = followable(arms, now, motion.robot.qpos, [here]) or (None,)
            if again is None or not clear(arms, again, motion.robot.qpos):
                return False  # the base is not exactly where planned
            yield from in_step(arms, again.rows)
            return True
        if swung:
            return False
    raise MotionFailure("not reached", f"{built.name} with both hands")


def _poses_in_hands(arms: Sequence[Arm], built: BuiltBody) -> list[Array]:
    """The thing's present pose (4, 4) in each hand."""
    return [inverse(arm.tcp) @ matrix(built.pose()) for arm in arms]


def _rounds(arms: Sequence[Arm]) -> Iterator[tuple[Swing | None, float]]:
    """Rounds of the search: which configurations to start from, and how far from square (rad).

    From the present configuration first, then with the elbows elsewhere; askew last.
    """
    null_space_swings = swings(arms, arms[0].robot.qpos, most=_SWINGS)
    for swing in (*[None] * _ROUNDS, *null_space_swings):
        yield swing, _ASKEW
    for swing in (None, *null_space_swings[:1]):
        yield swing, np.pi


def in_step(arms: Sequence[Arm], rows: Sequence[Array], *, pace: float = _PACE) -> Steps[None]:
    """Move several arms along rows of equal length, each row at the same moment."""
    motion = arms[0].motion
    joints = np.concatenate([arm.joints for arm in arms])
    path = np.concatenate(rows, axis=1)
    path = np.concatenate([motion.robot.qpos[joints][None], path[1:]])
    velocity = np.concatenate([arm.about.velocity for arm in arms])
    acceleration = np.concatenate([arm.about.acceleration for arm in arms])
    steps = time_parametrize(path, velocity, acceleration, pace=pace)
    yield from motion.follow(" and ".join(arm.side for arm in arms), joints, steps)
    yield from motion.pause(0.2)


def _approach(
    arms: Sequence[Arm],
    options: Sequence[list[ReachSolution]],
    entity: Any,
    rng: np.random.Generator,
) -> Steps[list[ReachSolution]]:
    """Bring both hands to their handles, one after the other, in whichever order works."""
    for order in ((0, 1), (1, 0)):
        solutions: dict[int, ReachSolution] = {}
        try:
            for i in order:
                solutions[i] = yield from go_to_one(arms[i], options[i], rng, patience=1)
                yield from arms[i].along(solutions[i], 0, touch=entity)
            return [solutions[0], solutions[1]]
        except MotionFailure:
            for i in reversed(order):
                if i in solutions:
                    yield from arms[i].back_off(_BEFORE, touch=entity)
                yield from arms[i].rest(rng)
            if order == (1, 0):
                raise
    raise AssertionError("unreachable")


def _ways(built: BuiltBody, grasps: Sequence[GraspPoint], away: Array) -> list[ReachRow]:
    """Every grasp, and rotated about the bar so that the hand comes down at a slope.

    A sloping hand is preferred: it fits into a cupboard and down into a sink. A hand that comes
    along the bar is not rotated: its fingers would close askew, and turn the thing.
    """
    out = []
    for grasp in grasps:
        bar = np.array([*grasp.p[:2], 0.0]) / np.hypot(*grasp.p[:2])
        around = abs(float(matrix(grasp.pose)[:3, 0] @ bar)) > _ALONG
        for slant in _SLANTS if around else _SLANTS[:1]:
            lean = compose(about(np.array([1.0, 0.0, 0.0]), slant), np.zeros(3))
            tool = grasp_pose(built, grasp) @ lean
            slope = -float(tool[2, 2])  # 0 level, 1 straight down
            if slope > -0.1:
                cost = _UNLIKE * abs(slope - _SLOPE)
                before = translate(tool, own=np.array([0.0, 0.0, -_BEFORE]))
                count = max(4, round(float(away[2]) / 0.02))
                keys = [before, tool, translate(tool, world=away)]
                out.append(through(keys, [7, count], name=grasp.name, cost=cost))
    return out


def _let_go(arms: Sequence[Arm], rng: np.random.Generator) -> Steps[None]:
    thing: Any = arms[0].holding
    for arm in arms:
        yield from arm.open_gripper()
        arm.detach()
    arms[0].motion.space.update()
    for arm in arms:
        yield from arm.back_off(_BEFORE, touch=thing)
    for arm in arms:
        yield from arm.rest(rng)
