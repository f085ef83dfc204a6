"""Null-space motion of seven-joint arms: elbows that swing while the hands stay in place.

Two hands that hold a thing keep the configurations in which they took it, wherever they carry it.
An obstacle to the elbow may not be one with the elbow lower or further out.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treec_sapien.motion import ik
from treec_sapien.motion.frames import Array

if TYPE_CHECKING:
    from treec_sapien.motion.arm import Arm

_STEP, _STEPS = 0.08, 24  # rad (all joints together) between two configurations, and their number
_STOPS = (8, 16, 24)  # a swing may end after multiples of this many steps
_LEAST = 0.04  # of a joint's half range
_MOST = 0.3  # of a joint (rad) per step


@dataclass(frozen=True)
class Swing:
    """Rows of equal length (n, arm joints), one per arm, from the present configuration."""

    rows: tuple[Array, ...]

    def after(self, arms: Sequence[Arm], q: Array) -> Array:
        """Return the whole qpos at its end."""
        out = q.copy()
        for arm, own in zip(arms, self.rows, strict=True):
            out[arm.joints] = own[-1]
        return out


def swings(arms: Sequence[Arm], q: Array, *, most: int = 8) -> list[Swing]:
    """Return collision-free swings of one elbow or both, the smallest first.

    The hands and what they hold stay where they are at ``q``. A longer swing includes the shorter
    ones.
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
            rows = tuple(_pad_rows(row, count) for _, row in (first, second))
            whole = np.repeat(q[None], count, axis=0)
            for arm, row in zip(arms, rows, strict=True):
                whole[:, arm.joints] = row
            if space.all_free(whole):
                out.append((first[0] + second[0], Swing(rows)))
    out.sort(key=lambda one: one[0])
    return [swing for _, swing in out[:most]]


def _idle(arm: Arm, q: Array) -> list[Array]:
    """Configurations (n, arm joints) in both directions with the hand in place."""
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
            solved, converged = ik.solve(arm.chain, goal, ahead, free=problem.arm, iterations=6)
            step = np.abs(solved[0] - now)
            least = float(ik.margin(arm.chain, solved, problem.arm)[0])
            if not converged[0] or np.max(step) > _MOST or least < _LEAST:
                break
            now, before = solved[0], idle
            rows.append(now[problem.arm])
        out.append(np.stack(rows))
    return out


def _pad_rows(row: Array, count: int) -> Array:
    """The same configurations in ``count`` rows, repeating the last."""
    return np.concatenate([row, np.repeat(row[-1:], count - len(row), axis=0)])
