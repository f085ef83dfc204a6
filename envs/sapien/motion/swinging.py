"""Elbows that swing while the hands stay where they are: the idle motion of an arm of seven joints.

Two hands that hold a thing keep the bends in which they took it, wherever they carry it. What is
in an elbow's way there is not in the way of the same hand with the elbow lower or further out.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treec.envs.sapien.motion import ik
from treec.envs.sapien.motion.frames import Array

if TYPE_CHECKING:
    from treec.envs.sapien.motion.arm import Arm

_STEP, _STEPS = 0.08, 24  # rad (all joints together) from one bend to the next, and how many
_STOPS = (8, 16, 24)  # after so many steps one may stay
_LEAST = 0.04  # of a joint's half range
_MOST = 0.3  # of a joint (rad) in one step


@dataclass(frozen=True)
class Swing:
    """Rows of equal length (n, arm joints), one for each arm; the first is where the arms are."""

    rows: tuple[Array, ...]

    def after(self, arms: Sequence[Arm], q: Array) -> Array:
        """The whole qpos when it is done."""
        out = q.copy()
        for arm, own in zip(arms, self.rows, strict=True):
            out[arm.joints] = own[-1]
        return out


def swings(arms: Sequence[Arm], q: Array, *, most: int = 8) -> list[Swing]:
    """Ways to swing one elbow, or both, that touch nothing; the smallest first.

    The hands and what they hold stay where they are at ``q``. One that goes all the way is one of
    those that stop before, too.
    """
    thing, space = arms[0].holding, arms[0].motion.space
    bends = []
    for arm in arms:
        ways = _idle(arm, q)
        stay = [(0, ways[0][:1])]
        bends.append(
            stay + [(stop, way[: stop + 1]) for way in ways for stop in _STOPS if stop < len(way)]
        )
    out: list[tuple[int, Swing]] = []
    with arms[0].may_touch(thing), arms[1].may_touch(thing):
        for first, second in itertools.product(*bends):
            count = max(len(first[1]), len(second[1]))
            if count < 2:
                continue
            rows = tuple(_stretched(row, count) for _, row in (first, second))
            whole = np.repeat(q[None], count, axis=0)
            for arm, row in zip(arms, rows, strict=True):
                whole[:, arm.joints] = row
            if space.all_free(whole):
                out.append((first[0] + second[0], Swing(rows)))
    out.sort(key=lambda one: one[0])
    return [swing for _, swing in out[:most]]


def _idle(arm: Arm, q: Array) -> list[Array]:
    """The bends (n, arm joints) one after the other, both ways round, with the hand where it is."""
    problem = arm.problem(q)
    goal = arm.chain.poses(problem.now)[None]
    out = []
    for sign in (1.0, -1.0):
        now, before = problem.now.copy(), None
        rows = [now[problem.arm]]
        for _ in range(_STEPS):
            _, jacobian = arm.chain.poses_and_jacobians(now[None])
            idle = np.linalg.svd(jacobian[0][:, problem.arm])[2][-1]
            if before is None:
                idle = idle * sign * (1.0 if idle[np.argmax(np.abs(idle))] > 0 else -1.0)
            elif float(idle @ before) < 0:
                idle = -idle
            ahead = now[None].copy()
            ahead[0, problem.arm] += _STEP * idle
            found, arrived = ik.solve(arm.chain, goal, ahead, free=problem.arm, iterations=6)
            step = np.abs(found[0] - now)
            least = float(ik.margin(arm.chain, found, problem.arm)[0])
            if not arrived[0] or np.max(step) > _MOST or least < _LEAST:
                break
            now, before = found[0], idle
            rows.append(now[problem.arm])
        out.append(np.stack(rows))
    return out


def _stretched(row: Array, count: int) -> Array:
    """The same bends in so many rows; it waits at its end."""
    return np.concatenate([row, np.repeat(row[-1:], count - len(row), axis=0)])
