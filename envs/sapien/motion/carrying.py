"""Ways to put down what two hands hold, thought out before anything moves: the end first.

A way is a base pose, a place, and how far the thing is turned on its way there. Whether both arms
reach the end, and touch nothing there, is asked first and of very many; only the best of what is
left are followed from where the arms are, both arms in one batch each, and tested along all of it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from treec.envs.sapien.motion import ik
from treec.envs.sapien.motion.frames import Array, about, between, compose, inverse, matrix
from treec.envs.sapien.motion.places import standing_before
from treec.envs.sapien.motion.reach import in_turn

if TYPE_CHECKING:
    from treec.envs.sapien.motion.arm import Arm

_Z = np.array([0.0, 0.0, 1.0])
_ABOVE = 0.1
YAWS = (0.0, 0.35, -0.35, 0.7, -0.7)
"""How far (rad) a thing may be turned on its way."""

_COUNTS = (12, 14, 12, 4)
_BASES, _DRAWN = 70, 400  # base poses that are thought of in one round, and drawn to find them
_AHEAD = (0.45, 1.05)  # how far before the base (m) a place is, and how far to the side of it
_ASIDE = 0.35
_TURNED = (0.4, 1.0)  # rad from the present heading, in turn: it may hold the thing from aside
_SOLVED = 30  # iterations for an end
_ENDS = 240  # ends that are tested for collisions, the best first
_AT_ONCE, _CHOSEN = 32, 96  # ends that are followed at once, and in all
_EACH = 4  # of them from one base pose, before all others have had their turn
_LEAST = 0.01  # of a joint's half range


@dataclass(frozen=True)
class CarryPlan:
    """A base pose, where the thing goes and turned how far, whether it goes down before across."""

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
    """Ways (with their rows) from ``q`` on which nothing is touched, the nearest base pose first.

    ``places`` are where the thing's origin goes (x, y, z); ``held`` is its pose in each hand. It is
    turned by ``askew`` at most from square to the room: both hands want to get to it again.
    """
    now = q[arms[0].robot.indices(arms[0].robot.base_joints)]
    bases = [*([now] if here_too else []), *stands(arms, places, q, rng)]
    tried = [
        CarryPlan(base, place, yaw, False) for base in bases for place in places for yaw in YAWS
    ]
    thing = arms[0].tcp @ held[0]
    aside = float(np.arctan2(thing[1, 0], thing[0, 0]))

    def turned(plan: CarryPlan) -> float:
        heading = plan.base[2] - now[2] + plan.yaw + aside
        return abs(float(np.arctan2(np.sin(heading), np.cos(heading))))

    def cost(plan: CarryPlan) -> float:
        return float(np.linalg.norm(plan.base - now)) - plan.margin + 0.3 * turned(plan)

    square = [plan for plan in tried if turned(plan) <= askew]
    yield from free_ones(arms, held, q, square, cost, lows=(False, True))


def free_ones(
    arms: Sequence[Arm],
    held: Sequence[Array],
    q: Array,
    plans: Sequence[CarryPlan],
    cost: Callable[[CarryPlan], float] = lambda plan: 0.0,
    *,
    lows: Sequence[bool] = (False,),
) -> Iterator[CarryPlan]:
    """Those of the plans, with their rows, on which nothing is touched, the cheapest ends first."""
    fine = ending(arms, held, q, plans, cost)
    for first in range(0, len(fine), _AT_ONCE):
        some = fine[first : first + _AT_ONCE]
        each = [replace(plan, low=low) for plan in some for low in lows]
        for plan in sorted(followed(arms, held, q, each), key=cost):
            if clear(arms, plan, q):
                yield plan


def stands(
    arms: Sequence[Arm], places: Sequence[Array], q: Array, rng: np.random.Generator
) -> list[Array]:
    """Base poses (x, y, yaw) before the places where the robot, as it holds the thing, is free.

    Much further to the side than for an empty hand: what hangs above a place, an open door, may
    leave room for arms from there alone.
    """
    motion = arms[0].motion
    base = motion.robot.indices(motion.robot.base_joints)
    now, root = q[base], inverse(matrix(motion.robot.pose))
    out: list[Array] = []
    whole = q.copy()
    for number in range(_DRAWN):
        target = (root @ np.append(places[rng.integers(len(places))], 1.0))[:2]
        yaw = now[2] + rng.normal(0.0, _TURNED[number % 2])
        ahead, left = rng.uniform(*_AHEAD), rng.normal(0.0, _ASIDE)
        whole[base] = standing_before(target, yaw, ahead, left)
        if _free(arms, whole[None], roomy=True):
            out.append(whole[base])
            if len(out) >= _BASES:
                break
    return out


def ending(
    arms: Sequence[Arm],
    held: Sequence[Array],
    q: Array,
    plans: Sequence[CarryPlan],
    cost: Callable[[CarryPlan], float],
) -> list[CarryPlan]:
    """Those plans whose end both arms reach from their present bends, and touch nothing there.

    The cheapest first, but from one base pose only a few before the others have had their turn.
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
        begin = _begun(arm, q, plans)
        found, arrived = ik.solve(
            arm.chain, goals @ inverse(own), begin, free=problem.arm, iterations=_SOLVED
        )
        fine &= arrived
        least = np.minimum(least, ik.margin(arm.chain, found, problem.arm))
        for i, row in enumerate(found):
            ends[i] = arm.whole(ends[i], row)
    fine &= least > _LEAST
    reached = {i: replace(plans[i], margin=float(least[i])) for i in np.flatnonzero(fine)}
    whose = [tuple(plan.base) for plan in plans]
    order = in_turn(sorted(reached, key=lambda i: cost(reached[i])), whose, _EACH)
    free = (reached[i] for i in order[:_ENDS] if _free(arms, ends[i][None]))
    return list(itertools.islice(free, _CHOSEN))


def followed(
    arms: Sequence[Arm], held: Sequence[Array], q: Array, plans: Sequence[CarryPlan]
) -> list[CarryPlan]:
    """Those plans on which both arms can follow the thing, level all the way, with their rows."""
    if not plans:
        return []
    starts = _things(arms, held, q, plans)
    things = np.stack([row(start, plan) for start, plan in zip(starts, plans, strict=True)])
    fine = np.ones(len(plans), dtype=bool)
    least = np.full(len(plans), np.inf)
    rows = []
    for arm, own in zip(arms, held, strict=True):
        problem = arm.problem(q)
        begin = _begun(arm, q, plans)
        found, kept = ik.track(arm.chain, things @ inverse(own), begin, free=problem.arm, jump=0.6)
        fine &= kept
        least = np.minimum(least, np.min(ik.margin(arm.chain, found, problem.arm), axis=1))
        rows.append(found[:, :, problem.arm])
    return [
        replace(plans[i], rows=tuple(own[i] for own in rows), margin=float(least[i]))
        for i in np.flatnonzero(fine & (least > _LEAST))
    ]


def end(start: Array, plan: CarryPlan) -> Array:
    """The thing's pose (4, 4) where it is put: level, however it hangs between the hands."""
    axis = np.cross(start[:3, 2], _Z)
    sine = float(np.linalg.norm(axis))
    level = about(axis / sine, float(np.arctan2(sine, start[2, 2]))) if sine > 1e-9 else np.eye(3)
    return compose(about(_Z, plan.yaw) @ level @ start[:3, :3], plan.place)


def row(start: Array, plan: CarryPlan) -> Array:
    """The thing's poses (n, 4, 4): across and down, or down and across and down.

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
        way += [between(one, two, i / count) for i in range(1, count + 1)]
    return np.stack(way)


def clear(arms: Sequence[Arm], plan: CarryPlan, q: Array) -> bool:
    """Whether nothing is touched along a plan's rows, the base where it says; the end first."""
    order = np.arange(len(plan.rows[0]) - 1, -1, -2)
    whole = np.repeat(q[None], len(order), axis=0)
    whole[:, arms[0].robot.indices(arms[0].robot.base_joints)] = plan.base
    for arm, own in zip(arms, plan.rows, strict=True):
        whole[:, arm.joints] = own[order]
    return _free(arms, whole)


def _free(arms: Sequence[Arm], rows: Array, *, roomy: bool = False) -> bool:
    """Whether the robot, but for what it holds, touches nothing at these rows (n, qpos)."""
    thing = arms[0].holding
    with arms[0].may_touch(thing), arms[1].may_touch(thing):
        return arms[0].motion.space.all_free(rows, roomy=roomy)


def _begun(arm: Arm, q: Array, plans: Sequence[CarryPlan]) -> Array:
    """The arm's chain (n, joints) as it is now, but with the base where the plans say."""
    problem = arm.problem(q)
    begin = np.repeat(problem.now[None], len(plans), axis=0)
    begin[:, problem.base] = [plan.base for plan in plans]
    return begin


def _things(
    arms: Sequence[Arm], held: Sequence[Array], q: Array, plans: Sequence[CarryPlan]
) -> Array:
    """Where the thing is (n, 4, 4) when the base has gone where the plans say."""
    return np.asarray(arms[0].chain.poses(_begun(arms[0], q, plans)) @ held[0])
