"""Base poses from which two hands reach one thing together, and how each hand does.

For one hand, base poses in front of each target are tried hand by hand. For two hands on one thing,
hardly a base pose that is good for one hand is good for the other. So very many poses get a cheap
test first (both hands reach their handles without collision), and the full test only the best ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from treec_sapien.motion import ik
from treec_sapien.motion.base import (
    Options,
    ReachWish,
    collision_free_ways,
    first_compatible_pair,
)
from treec_sapien.motion.base_poses import base_pose_facing, is_near_any
from treec_sapien.motion.frames import Array, inverse, matrix
from treec_sapien.motion.reach import ReachProblem, ReachRow, ReachSolution, follow, rating

if TYPE_CHECKING:
    from treec_sapien.motion.motion import Motion

_MAX_PLACES, _MAX_SAMPLES = 60, 400  # base poses for the cheap test, and samples drawn to find them
_AHEAD = (0.45, 1.05)  # distance of the thing in front of the base (m), and to its side
_ASIDE, _YAW_SPREAD = 0.3, 0.45
_BEST_WAYS = 12  # best-rated ways of each hand tried from each place
_SEEDS = 3
_ITERATIONS = 40
_MAX_TESTS = 8  # configurations of one hand at its handle, from each place
_MAX_FOLLOWED = 12  # places where both reach it whose configurations are followed all the way
_MAX_COMPARED = 3  # places compared by the joints' distance from their limits
_EASE, _EASY = 3.0, 0.25  # weight of a joint's half range, and the fraction of it that suffices
_MAX_SOLUTIONS = 3
_LEAST = 0.03  # fraction of a joint's half range

Bends = list[tuple[float, ReachRow, Array]]
"""Rating, way, and the chain's joints at the handle."""


def base_pose_for_two(
    motion: Motion, wishes: Sequence[ReachWish], avoided: Sequence[Array], rng: np.random.Generator
) -> tuple[Array, Options] | None:
    """Return a base pose (x, y, yaw) that serves both wishes at once and the solutions, or None.

    ``avoided`` are poses that failed before.
    """
    q = motion.rest_configuration()
    base = motion.robot.indices(motion.robot.base_joints)
    places = _places(motion, wishes, avoided, rng)
    if not len(places):
        return None
    hands = [_bends(wish, wish.arm.problem(q, places), rng) for wish in wishes]
    scored: list[tuple[float, int, list[Bends]]] = []
    for i, place in enumerate(places):
        q[base] = place
        fine: list[Bends] = []
        for wish, bends in zip(wishes, hands, strict=True):
            fine.append(_collision_free(wish, q, bends[i]))
            if not fine[-1]:
                break
        else:
            scored.append((sum(bends[0][0] for bends in fine), i, fine))
    scored.sort(key=lambda one: -one[0])
    best: list[tuple[float, Array, Options]] = []
    for score, i, fine in scored[:_MAX_FOLLOWED]:
        q[base] = places[i]
        plans: Options = []
        for wish, own in zip(wishes, fine, strict=True):
            plans.append(_followable(wish, q, places[i], own))
            if not plans[-1]:
                break
        else:
            pair = first_compatible_pair(wishes, plans, q)
            if pair is not None:
                least = min(solutions[0].margin for solutions in pair)
                best.append((score + _EASE * min(least, _EASY), places[i], pair))
                if len(best) >= _MAX_COMPARED:
                    break
    return max(best, key=lambda one: one[0])[1:] if best else None


def _places(
    motion: Motion, wishes: Sequence[ReachWish], avoided: Sequence[Array], rng: np.random.Generator
) -> Array:
    """Base poses (n, 3) before the thing, across the line of its handles, free of collision."""
    robot = motion.robot
    base = robot.indices(robot.base_joints)
    root = inverse(matrix(robot.pose))
    middles = [
        np.mean([(root @ one.way[one.marks[one.pivot]])[:2, 3] for one in wish.reaches], axis=0)
        for wish in wishes
    ]
    middle, left = (middles[0] + middles[1]) / 2, middles[0] - middles[1]
    ahead_of = float(np.arctan2(left[1], left[0])) - np.pi / 2
    q, out = motion.rest_configuration(), []
    now = float(q[base][2])
    for _ in range(_MAX_SAMPLES):
        yaw = ahead_of + rng.normal(0.0, _YAW_SPREAD)
        yaw = now + float(np.arctan2(np.sin(yaw - now), np.cos(yaw - now)))
        ahead, aside = rng.uniform(*_AHEAD), rng.normal(0.0, _ASIDE)
        q[base] = base_pose_facing(middle, yaw, ahead, aside)
        if not is_near_any(q[base], avoided) and motion.space.free(q, roomy=True):
            out.append(q[base])
            if len(out) >= _MAX_PLACES:
                break
    return np.array(out).reshape(-1, 3)


def _bends(wish: ReachWish, problem: ReachProblem, rng: np.random.Generator) -> list[Bends]:
    """For each place of the problem: configurations with the hand at its handle, best first."""
    ways = sorted(wish.reaches, key=lambda one: one.cost)[:_BEST_WAYS]
    chain, arm, places = problem.chain, problem.arm, problem.bases
    count = len(places) * len(ways)
    seeds = rng.uniform(chain.low[arm], chain.high[arm], (count, _SEEDS, len(arm)))
    seeds[:, 0] = problem.rest
    start = np.repeat(problem.now[None], count * _SEEDS, axis=0)
    start[:, arm] = seeds.reshape(-1, len(arm))
    start[:, problem.base] = np.repeat(places, len(ways) * _SEEDS, axis=0)
    goals = np.stack([one.way[one.marks[one.pivot]] for one in ways])
    goals = np.tile(np.repeat(goals, _SEEDS, axis=0), (len(places), 1, 1))
    q, converged = ik.solve(chain, goals, start, free=arm, iterations=_ITERATIONS)
    margins = ik.margin(chain, q, arm)
    likes = rating(problem, q, margins)
    out: list[Bends] = [[] for _ in places]
    for i in np.flatnonzero(converged & (margins > _LEAST)):
        place, rest = divmod(int(i), len(ways) * _SEEDS)
        way = ways[rest // _SEEDS]
        out[place].append((float(likes[i]) - way.cost, way, q[i]))
    return [sorted(bends, key=lambda one: -one[0]) for bends in out]


def _collision_free(wish: ReachWish, q: Array, bends: Bends) -> Bends:
    """The collision-free ones, with the rest of the robot as in ``q``."""
    arm = wish.arm
    with arm.may_touch(wish.touch):
        return [one for one in bends[:_MAX_TESTS] if arm.motion.space.free(arm.whole(q, one[2]))]


def _followable(wish: ReachWish, q: Array, place: Array, bends: Bends) -> list[ReachSolution]:
    """The collision-free ways of a hand from one place, followed from their configurations."""
    arm = wish.arm
    problem = arm.problem(q, place[None])
    solutions = follow(
        problem, [way for _, way, _ in bends], np.stack([b for *_, b in bends]), True
    )
    solutions.sort(key=lambda one: -one.score)
    return collision_free_ways(wish, solutions, q, _MAX_SOLUTIONS)
