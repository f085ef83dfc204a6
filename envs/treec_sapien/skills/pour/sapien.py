"""Pour some of what the gripper holds into a container, in SAPIEN.

Physical: the thing is brought upright over the container, then tilted beyond the horizontal while
its mouth comes down to the opening, held and righted. The mouth need not be over the middle: the
hand needs room beside the container. What cannot be tilted as it is held is put down and taken from
another side. For who is in the way room is made: it is righted and drawn back, and poured when they
have moved. Declared: the liquid. There is none in the physics; that some of it is in the
container follows from the tilt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from treec_sapien.base_placement import nearest_place
from treec_sapien.build import BuiltBody
from treec_sapien.manipulation import body, chance, held_body, in_tool
from treec_sapien.motion.arm import Steps as Way
from treec_sapien.motion.base import ReachWish
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, about, compose, inverse, matrix
from treec_sapien.motion.grasp import go_to_one, take
from treec_sapien.motion.reach import ReachRow, ReachSolution
from treec_sapien.placement import footprint, height
from treec_sapien.sense.location import box
from treec_sapien.skills.place.sapien import set_down
from treec_sapien.toppled import LEANS, lean_degrees
from treec_sapien.worker import Physical, PhysicalAct, Steps

WAYS = ((110.0, 0.05), (110.0, 0.12), (85.0, 0.09), (85.0, 0.16))
"""Tilt from upright (degrees) and height of the mouth above the rim (m), best first.

When a thing is held from above, the hand would hit the container at a larger tilt.
"""

ROUNDS = 2
"""How often all ways are tried."""

OTHERWISE = 40.0
"""Angle (degrees) between two approaches from which on they are from different sides."""

HOLD_SECONDS = 1.0
"""Seconds for which it stays tilted."""

ROOM = 3.0
"""Seconds for which somebody may hold it up on its way until it makes room: they may want to reach
into the container."""

_TURNS = 8
_OVER = 0.03  # clearance (m) between the thing, while upright, and the container or its support
_RAISE = 0.06  # how far (m) it comes down upright
_OFFSETS = (0.0, 0.6)  # of the mouth from the middle, in the opening's half width
_COUNTS = (4, 16)
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
        act.kitchen.pouring.add(item)
        act.motion.patience[arm.side] = ROOM
        try:
            try:
                solution = yield from _begin(act, item, container, rng)
            except MotionFailure as failure:
                if failure.name != "not reached":
                    raise
                yield from _take_otherwise(act, built, failure)
                solution = yield from _begin(act, item, container, rng)
            upright, arm.upright = arm.upright, None
            try:
                yield from arm.along(solution, 0, pace=0.5)
                yield from arm.along(solution, 1, pace=0.6)
            except MotionFailure as failure:
                if failure.name == "blocked":
                    act.motion.patience.pop(arm.side, None)
                    yield from _go_back(act, solution)
                    arm.upright = upright
                raise
            act.motion.patience[arm.side] = np.inf  # it is poured, and once is enough
            yield from act.wait(HOLD_SECONDS)
            yield from arm.back(solution, 1, pace=0.6)
            yield from arm.back(solution, 0, pace=0.6)
            arm.upright = upright
            if not arm.grips(built.entity):
                arm.detach()
                raise MotionFailure("dropped", f"{item} while it was poured")
            yield from arm.rest(rng)
        finally:
            arm.motion.base.release(arm)
            act.motion.patience.pop(arm.side, None)
            act.kitchen.pouring.discard(item)


def _go_back(act: PhysicalAct, solution: ReachSolution) -> Steps:
    """Go back to where the way begins, which rights the thing, from where the arm is on it."""
    arm = act.arm
    now = arm.robot.qpos[arm.robot.indices(arm.chain.names)]
    at = int(np.argmin(np.abs(solution.q - now).max(axis=1)))
    if at:
        done = replace(solution.reach, marks=(0, at))
        yield from arm.back(replace(solution, reach=done), 0, pace=0.6)


def _take_otherwise(act: PhysicalAct, built: BuiltBody, reason: MotionFailure) -> Steps:
    """Put down what is held and take it from another side; raise the reason if there is none."""
    approach = inverse(in_tool(act, built))[:3, 2]
    upright, place = act.arm.upright is not None, nearest_place(act.kitchen, act.order.agent)
    others = [
        grasp
        for grasp in built.body.grasps
        if float(matrix(grasp.pose)[:3, 2] @ approach) < np.cos(np.radians(OTHERWISE))
    ]
    if place is None or not others:
        raise reason
    yield from set_down(act, built.name, place)
    if lean_degrees(built) > LEANS:
        raise reason
    try:
        yield from take(act.arm, built, chance(act, 1), grasps=others, keep_upright=upright)
    except MotionFailure as failure:
        if failure.name not in ("not reached", "blocked"):
            raise
        yield from take(act.arm, built, chance(act, 2), keep_upright=upright)  # as it was
        raise reason from failure


def _begin(
    act: PhysicalAct, item: str, container: str, rng: np.random.Generator
) -> Way[ReachSolution]:
    """Bring the item, tilted on the way if need be, to the start of the first way that works."""
    reason = MotionFailure("not reached", f"{item} cannot be tilted over the {container}")
    arm = act.arm
    upright, arm.upright = arm.upright, None
    try:
        for degrees, above in WAYS * ROUNDS:  # each round draws other configurations of the arm
            try:
                ways = tilts(act, item, container, degrees, above)
                (options,) = yield from arm.motion.base.ask(rng, ReachWish(arm, ways))
                return (yield from go_to_one(arm, options, rng))
            except MotionFailure as failure:
                if failure.name not in ("not reached", "blocked") or failure.person:
                    raise
                arm.motion.base.release(arm)
    finally:
        arm.upright = upright
    raise reason


def tilts(
    act: PhysicalAct, item: str, container: str, degrees: float, above: float
) -> list[ReachRow]:
    """Return ways to tilt: raised, upright, tilted with its mouth over the opening.

    Upright it is above the rim, or beside the container: where it comes from, or where the foot of
    a fixed arm is, since farther away the hand may not reach it. In the end its mouth is over the
    middle or nearer to that side: a hand needs room.
    """
    middle, wide = _opening(act, container)
    built = act.kitchen.bodies[item]
    tall, radius = height(built.body), footprint(built.body)
    tool_in_body = inverse(in_tool(act, built))
    floor = float(box(act.kitchen, container)[0][2] - middle[2])
    lift = max(above, tall + _OVER)
    beside = max(above, floor + tall + _OVER)
    angle = np.radians(degrees)
    towards = _towards_arm(act, middle)
    out = []
    for turn in range(_TURNS):
        level = about(_Z, 2 * np.pi * turn / _TURNS)
        for axis in level_axes(compose(level, middle) @ tool_in_body):
            for sign in (1.0, -1.0):
                back = np.cross(_Z, sign * axis)  # from where its mouth tips
                for offset in _OFFSETS:
                    end = middle + offset * wide * back
                    aside = wide + radius + _OVER
                    starts = [end + lift * _Z, middle + aside * back + beside * _Z]
                    if towards is not None:
                        starts.append(middle + aside * towards + beside * _Z)
                    for upright in starts:
                        mouths = [upright + _RAISE * _Z, upright, end + above * _Z]
                        poses = [
                            _with_mouth(about(axis, sign * angle * share) @ level, mouth, tall)
                            for mouth, share in _path(mouths)
                        ]
                        marks = (0, _COUNTS[0], sum(_COUNTS))
                        way = np.stack(poses) @ tool_in_body
                        out.append(ReachRow(way, marks, 2, "tilt", 0.02 * offset))
    return out


def _towards_arm(act: PhysicalAct, place: Array) -> Array | None:
    """The level direction from a place to the foot of an arm on a fixed base; else None."""
    if act.robot.base_joints:
        return None
    step = (matrix(act.robot.pose)[:3, 3] - place) * np.array([1.0, 1.0, 0.0])
    return np.asarray(step / np.linalg.norm(step))


def _path(mouths: Sequence[Array]) -> Iterator[tuple[Array, float]]:
    """Where the mouth goes: down, then to its end, tilting; each with the share of the tilt."""
    high, upright, end = mouths
    yield high, 0.0
    for step in np.arange(1, _COUNTS[0] + 1) / _COUNTS[0]:
        yield high + step * (upright - high), 0.0
    for step in np.arange(1, _COUNTS[1] + 1) / _COUNTS[1]:
        yield upright + step * (end - upright), float(step)


def _opening(act: PhysicalAct, container: str) -> tuple[Array, float]:
    """Return the middle of a container's opening, at the height of its rim, and half its width."""
    low, high = box(act.kitchen, container)
    built = act.kitchen.bodies[container]
    inside = [region for region in built.body.regions if region.kind == "in"]
    if not inside:
        middle, wide = (low + high) / 2, float(np.min(high[:2] - low[:2])) / 2
        return np.array([*middle[:2], high[2]]), wide
    region = max(inside, key=lambda one: float(np.prod(one.half_size)))
    middle = np.array(built.pose(region.link).apply(region.p))
    return np.array([*middle[:2], high[2]]), min(region.half_size[:2])


def _with_mouth(turned: Array, mouth: Array, tall: float) -> Array:
    """Return the pose (4, 4) of a thing so turned (3, 3) with its mouth there."""
    return compose(turned, mouth - tall * turned[:, 2])


def level_axes(tool: Array) -> list[Array]:
    """The level axes of the tool; tilting about them demands least of the wrist.

    If it is held so slanted that none is level, the one that comes nearest.
    """
    steep = np.abs(tool[2, :3])
    axes = [tool[:3, i] for i in range(3) if steep[i] < max(0.3, steep.min() + 1e-9)]
    flat = [axis * np.array([1.0, 1.0, 0.0]) for axis in axes]
    return [axis / np.linalg.norm(axis) for axis in flat]
