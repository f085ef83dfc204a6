"""Plans for putting down what two hands hold, computed before anything moves, end pose first.

A plan is a base pose, a place, and how far the thing is rotated on the way. Whether both arms reach
the end pose without collision is tested first, for very many plans; only the best remaining ones
are followed from the arms' present configuration, each arm in one batch, and tested along the whole
way.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from treec_sapien.motion import ik
from treec_sapien.motion.base_poses import base_pose_facing
from treec_sapien.motion.frames import Array, about, between, compose, inverse, matrix
from treec_sapien.motion.reach import interleave

if TYPE_CHECKING:
    from treec_sapien.motion.arm import Arm

_Z = np.array([0.0, 0.0, 1.0])
_ABOVE = 0.1
YAWS = (0.0, 0.35, -0.35, 0.7, -0.7)
"""How far (rad) a thing may be rotated on its way."""

_COUNTS = (12, 14, 12, 4)
_BASES, _MAX_SAMPLES = 70, 400  # base poses considered in one round, and samples drawn to find them
_AHEAD = (0.45, 1.05)  # distance of a place in front of the base (m), and to its side
_ASIDE = 0.35
_YAW_SPREADS = (0.4, 1.0)  # rad from the present heading: the robot may stand beside the thing
_IK_ITERATIONS = 30  # for an end pose
_ENDS = 240  # end poses tested for collisions, best first
_AT_ONCE, _MAX_FOLLOWED = 32, 96  # end poses followed in one batch, and in all
_EACH = 4  # of these from one base pose before all others have had their turn
_LEAST = 0.01  # fraction of a joint's half range


@dataclass(frozen=True)
class CarryPlan:
    """A base pose, a target place and rotation, and whether the thing goes down before across."""

    base: Array
    place: Array
    yaw: float
    low: bool
    rise: float = _ABOVE
    rows: tuple[Array, ...] = ()
    margin: float = 0.0


def ways(
    arms: Sequence[Arm],
    held: Sequence[Array],
    places: Sequence[Array],
    q: Array,
    rng: np.random.Generator,
    *,
    here_too: bool,
    askew: float,
) -> Iterator[CarryPlan]:
    """Return collision-free plans (with their rows) from ``q``, the nearest base pose first.

    ``places`` are targets of the thing's origin (x, y, z); ``held`` is its pose in each hand. It is
    rotated by at most ``askew`` from square to the room: both hands need to grasp it again.
    """
    now = q[arms[0].robot.indices(arms[0].robot.base_joints)]
    bases = [*([now] if here_too else []), *base_poses(arms, places, q, rng)]
    plans = [
        CarryPlan(base, place, yaw, False) for base in bases for place in places for yaw in YAWS
    ]
    thing = arms[0].tcp @ held[0]
    aside = float(np.arctan2(thing[1, 0], thing[0, 0]))

    def heading_change(plan: CarryPlan) -> float:
        heading = plan.base[2] - now[2] + plan.yaw + aside
        return abs(float(np.arctan2(np.sin(heading), np.cos(heading))))

    def cost(plan: CarryPlan) -> float:
        return float(np.linalg.norm(plan.base - now)) - plan.margin + 0.3 * heading_change(plan)

    square = [plan for plan in plans if heading_change(plan) <= askew]
    yield from collision_free_plans(arms, held, q, square, cost, lows=(False, True))


def collision_free_plans(
    arms: Sequence[Arm],
    held: Sequence[Array],
    q: Array,
    plans: Sequence[CarryPlan],
    cost: Callable[[CarryPlan], float] = lambda plan: 0.0,
    *,
    lows: Sequence[bool] = (False,),
) -> Iterator[CarryPlan]:
    """Return the collision-free plans with their rows, the cheapest end poses first."""
    fine = reachable_ends(arms, held, q, plans, cost)
    for first in range(0, len(fine), _AT_ONCE):
        some = fine[first : first + _AT_ONCE]
        each = [replace(plan, low=low) for plan in some for low in lows]
        for plan in sorted(followable(arms, held, q, each), key=cost):
            if clear(arms, plan, q):
                yield plan


def base_poses(
    arms: Sequence[Arm], places: Sequence[Array], q: Array, rng: np.random.Generator
) -> list[Array]:
    """Return base poses (x, y, yaw) in front of the places where the loaded robot is free.

    Much further to the side than for an empty hand: what hangs above a place, or an open door, may
    leave room for the arms from there only.
    """
    motion = arms[0].motion
    base = motion.robot.indices(motion.robot.base_joints)
    now, root = q[base], inverse(matrix(motion.robot.pose))
    out: list[Array] = []
    whole = q.copy()
    for number in range(_MAX_SAMPLES):
        target = (root @ np.append(places[rng.integers(len(places))], 1.0))[:2]
        yaw = now[2] + rng.normal(0.0, _YAW_SPREADS[number % 2])
        ahead, left = rng.uniform(*_AHEAD), rng.normal(0.0, _ASIDE)
        whole[base] = base_pose_facing(target, yaw, ahead, left)
        if _free(arms, whole[None], roomy=True):
            out.append(whole[base])
            if len(out) >= _BASES:
                break
    return out


def reachable_ends(
    arms: Sequence[Arm],
    held: Sequence[Array],
    q: Array,
    plans: Sequence[CarryPlan],
    cost: Callable[[CarryPlan], float],
) -> list[CarryPlan]:
    """Return the plans whose end pose both arms reach collision-free from where they are.

    Cheapest first, but only a few from one base pose before the others have had their turn.
    """
    if not plans:
        return []
    starts = _things(arms, held, q, plans)
    goals = np.stack([end(start, plan) for start, plan in zip(starts, plans, strict=True)])
    fine = np.ones(len(plans), dtype=bool)
    least = np.full(len(plans), np.inf)
    ends = np.repeat(q[None], len(plans), axis=0)
    for arm, own in zip(arms, held, strict=True):
        problem = arm.problem(q)
        begin = _start_rows(arm, q, plans)
        solutions, converged = ik.solve(
            arm.chain, goals @ inverse(own), begin, free=problem.arm, iterations=_IK_ITERATIONS
        )
        fine &= converged
        least = np.minimum(least, ik.margin(arm.chain, solutions, problem.arm))
        for i, row in enumerate(solutions):
            ends[i] = arm.whole(ends[i], row)
    fine &= least > _LEAST
    reached = {i: replace(plans[i], margin=float(least[i])) for i in np.flatnonzero(fine)}
    whose = [tuple(plan.base) for plan in plans]
    order = interleave(sorted(reached, key=lambda i: cost(reached[i])), whose, _EACH)
    free = (reached[i] for i in order[:_ENDS] if _free(arms, ends[i][None]))
    return list(itertools.islice(free, _MAX_FOLLOWED))


def followable(
    arms: Sequence[Arm], held: Sequence[Array], q: Array, plans: Sequence[CarryPlan]
) -> list[CarryPlan]:
    """Return the plans on which both arms can keep the thing level throughout, with their rows."""
    if not plans:
        return []
    starts = _things(arms, held, q, plans)
    things = np.stack([row(start, plan) for start, plan in zip(starts, plans, strict=True)])
    fine = np.ones(len(plans), dtype=bool)
    least = np.full(len(plans), np.inf)
    rows = []
    for arm, own in zip(arms, held, strict=True):
        problem = arm.problem(q)
        begin = _start_rows(arm, q, plans)
        solutions, tracked = ik.track(
            arm.chain, things @ inverse(own), begin, free=problem.arm, jump=0.6
        )
        fine &= tracked
        least = np.minimum(least, np.min(ik.margin(arm.chain, solutions, problem.arm), axis=1))
        rows.append(solutions[:, :, problem.arm])
    return [
        replace(plans[i], rows=tuple(own[i] for own in rows), margin=float(least[i]))
        for i in np.flatnonzero(fine & (least > _LEAST))
    ]


def end(start: Array, plan: CarryPlan) -> Array:
    """Return the thing's final pose (4, 4): level, however it hangs between the hands."""
    axis = np.cross(start[:3, 2], _Z)
    sine = float(np.linalg.norm(axis))
    level = about(axis / sine, float(np.arctan2(sine, start[2, 2]))) if sine > 1e-9 else np.eye(3)
    return compose(about(_Z, plan.yaw) @ level @ start[:3, :3], plan.place)


def row(start: Array, plan: CarryPlan) -> Array:
    """Return the thing's poses (n, 4, 4): across and down, or down, across and down.

    It is levelled on its way across.
    """
    turn = end(start, plan)[:3, :3]
    low = plan.place[2] + plan.rise
    height = low if plan.low else max(start[2, 3], low)
    over = compose(turn, np.array([*plan.place[:2], height]))
    keys = [
        start,
        compose(start[:3, :3], np.array([*start[:2, 3], height])),
        over,
        compose(turn, np.array([*plan.place[:2], low])),
        compose(turn, plan.place),
    ]
    way = [start]
    for one, two, count in zip(keys[:-1], keys[1:], _COUNTS, strict=True):
        way += list(between(one, two, np.arange(1, count + 1) / count))
    return np.stack(way)


def clear(arms: Sequence[Arm], plan: CarryPlan, q: Array) -> bool:
    """Whether a plan's rows are collision-free with the base at its pose; the end comes first."""
    order = np.arange(len(plan.rows[0]) - 1, -1, -2)
    whole = np.repeat(q[None], len(order), axis=0)
    whole[:, arms[0].robot.indices(arms[0].robot.base_joints)] = plan.base
    for arm, own in zip(arms, plan.rows, strict=True):
        whole[:, arm.joints] = own[order]
    return _free(arms, whole)


def _free(arms: Sequence[Arm], rows: Array, *, roomy: bool = False) -> bool:
    """Whether the robot, except for what it holds, is collision-free at these rows (n, qpos)."""
    thing = arms[0].holding
    with arms[0].may_touch(thing), arms[1].may_touch(thing):
        return arms[0].motion.space.all_free(rows, roomy=roomy)


def _start_rows(arm: Arm, q: Array, plans: Sequence[CarryPlan]) -> Array:
    """The arm's chain (n, joints) as configured now, with the base where the plans say."""
    problem = arm.problem(q)
    begin = np.repeat(problem.now[None], len(plans), axis=0)
    begin[:, problem.base] = [plan.base for plan in plans]
    return begin


def _things(
    arms: Sequence[Arm], held: Sequence[Array], q: Array, plans: Sequence[CarryPlan]
) -> Array:
    """The thing's pose (n, 4, 4) after the base has moved to where the plans say."""
    return np.asarray(arms[0].chain.poses(_start_rows(arms[0], q, plans)) @ held[0])
