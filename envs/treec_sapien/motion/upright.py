"""Carrying something upright: paths on which the hand may rotate only about the vertical.

A bowl of soup, a cup, a pot: wherever the arm goes, its tilt stays under a limit. Samples for the
path search come from inverse kinematics with the hand upright, since random configurations hardly
ever are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treec_sapien.motion import ik
from treec_sapien.motion.frames import Array, about, compose

if TYPE_CHECKING:
    from treec_sapien.motion.arm import Arm

_Z = np.array([0.0, 0.0, 1.0])
_AWAY, _SWAYS = 0.08, 0.02
"""Distance (m) along each axis from its home at which a hand carries, and what it may sway."""


@dataclass(frozen=True)
class Upright:
    """``up``, in the tool's frame, must point upwards within ``limit`` rad."""

    up: Array
    limit: float = 0.45

    def bind(self, arm: Arm, q: Array) -> UprightLimit:
        """Return the limit for this arm with the base where it is."""
        return UprightLimit(self, arm, q)


class UprightLimit:
    """The limit for one arm at one base pose."""

    def __init__(self, condition: Upright, arm: Arm, q: Array) -> None:
        self._condition = condition
        self._problem = arm.problem(q)
        self._least = float(np.cos(condition.limit))
        self._home = arm.home

    def holds(self, arms: Array) -> bool:
        """Whether the hand is upright enough at all of these rows of the arm's joints."""
        return bool(np.all(self.tilt_cosines(arms) >= self._least))

    def tilt_cosines(self, arms: Array) -> Array:
        """Return the cosine of the tilt (n,) for rows of the arm's joints."""
        turn = self._poses(arms)[:, :3, :3]
        return np.asarray((turn @ self._condition.up)[:, 2])

    def sampler(
        self, start: Array, goals: Sequence[Array], rng: np.random.Generator, count: int = 96
    ) -> Callable[[np.random.Generator], Array]:
        """Return a sampler of upright configurations near the straight way to the goals."""
        ends = self._poses(np.stack([start, *goals]))
        low = np.min(ends[:, :3, 3], axis=0) - np.array([0.25, 0.35, 0.15])
        high = np.max(ends[:, :3, 3], axis=0) + np.array([0.25, 0.1, 0.3])
        targets = self._upright_poses(ends[0], rng.uniform(low, high, (count, 3)), rng)
        stock = self._solve(targets, rng, around=np.stack([start, *goals, self._home]))
        if not len(stock):
            stock = np.stack([start, *goals])

        def draw(generator: np.random.Generator) -> Array:
            return np.asarray(stock[generator.integers(len(stock))])

        return draw

    def carries(self, rng: np.random.Generator, count: int = 32) -> list[Array]:
        """Return upright configurations near the one at rest, the most similar first."""
        now = self._poses(self._problem.now[self._problem.arm][None])[0]
        home = self._poses(self._home[None])[0]
        places = home[:3, 3] + rng.uniform(-_AWAY, _AWAY, (count, 3))
        stock = self._solve(self._upright_poses(now, places, rng), rng, self._home[None])
        if not len(stock):
            return [self._problem.now[self._problem.arm]]
        order = np.argsort(np.max(np.abs(stock - self._home), axis=1), kind="stable")
        return [stock[i] for i in order[:16]]

    def is_carried(self, arms: Array) -> bool:
        """Whether the arm's joints are such a configuration: upright, the hand near its home."""
        here, home = self._poses(np.stack([arms, self._home]))[:, :3, 3]
        return self.holds(arms[None]) and bool(np.all(np.abs(here - home) < _AWAY + _SWAYS))

    def _poses(self, arms: Array) -> Array:
        q = np.repeat(self._problem.now[None], len(arms), axis=0)
        q[:, self._problem.arm] = arms
        return np.asarray(self._problem.chain.poses(q))

    def _upright_poses(self, like: Array, places: Array, rng: np.random.Generator) -> Array:
        """Upright poses at these places, at random rotations about the vertical."""
        up = like[:3, :3] @ self._condition.up
        axis = np.cross(up, _Z)
        sine = float(np.linalg.norm(axis))
        right = np.eye(3) if sine < 1e-9 else about(axis / sine, float(np.arctan2(sine, up[2])))
        level = right @ like[:3, :3]
        turns = rng.uniform(-1.2, 1.2, len(places))
        return np.stack(
            [
                compose(about(_Z, turn) @ level, place)
                for turn, place in zip(turns, places, strict=True)
            ]
        )

    def _solve(self, targets: Array, rng: np.random.Generator, around: Array) -> Array:
        seeds = np.repeat(self._problem.now[None], len(targets), axis=0)
        seeds[:, self._problem.arm] = around[rng.integers(len(around), size=len(targets))]
        q, converged = ik.solve(
            self._problem.chain, targets, seeds, free=self._problem.arm, iterations=30
        )
        fine = converged & (ik.margin(self._problem.chain, q, self._problem.arm) > 0.02)
        return np.asarray(q[fine][:, self._problem.arm])
