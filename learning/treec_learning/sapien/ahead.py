"""Steps planned ahead in the motion planner's model: see `treec_learning.steps_ahead`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from treec_learning.guarded_choice import HERE, GuardedChoice, Place, place_after
from treec_learning.pantry.kinematics import Array, configuration_at, tip
from treec_learning.pantry.planner import PITCHES, YAWS
from treec_learning.pantry.simulator import MOVES, NEAR, STEPS, PantrySimulator
from treec_learning.policy import Floats
from treec_learning.sapien.reach import StretchReach
from treec_learning.steps_ahead import find_way
from treec_learning.trials import Scores

_DIRECT, _ON = 1000, 1500
"""Configurations that are looked at on the way to the goal, and on that from before the pantry."""
_OUT = -0.08
"""Where the tip is before the pantry (m, y)."""
_SEARCHES = 4
"""Searches for one reach; what stands in the way of a fifth is stepped around as it comes."""


class StepsAhead:
    """Chooses the actions of a reach: those of the way that was found, as long as they are free.

    Where none was found, it is the policy's likeliest action that is free and leads where the hand
    has not been, if there is one.
    """

    def __init__(self, reach: StretchReach, scores: Scores) -> None:
        self._reach, self._scores = reach, scores
        self._choice, self._place = GuardedChoice(), HERE
        self._way: list[int] = []
        self._searches = 0

    def __call__(self) -> int | None:
        """Return the next action; None if none is free. The planner's model is up to date."""
        if not self._way or not self._reach.is_free(self._way[0]):
            self._way = self._search()
        action: int | None
        if self._way:
            action = self._way.pop(0)
        else:
            liked = self._scores(self._reach.picture())[0]
            action = self._choice(self._place, liked, self._reach.is_free)
        if action is not None:
            self._place = place_after(self._place, action)
        return action

    def _search(self) -> list[int]:
        if self._searches >= _SEARCHES:
            return []
        self._searches += 1
        found = ReachSteps(self._reach, self._scores).way()
        if found is None:
            self._searches = _SEARCHES
        return found or []


class ReachSteps:
    """The places that a hand can step to from where its joints are commanded to be."""

    def __init__(self, reach: StretchReach, scores: Scores) -> None:
        self._reach, self._scores = reach, scores
        self._first, stand = reach.configuration(reach.commanded)
        self._stand = np.array([stand])
        self._picture = PantrySimulator([reach.case])
        self._picture.around.stand[0] = stand
        self._ends = self._ends_of(stand)

    def way(self) -> list[int] | None:
        """Return actions to the goal, straight there or by drawing the hand out first; or None."""
        if not len(self._ends):
            return None
        direct = find_way(self, _DIRECT)
        if direct is not None:
            return direct
        out = find_way(_WayOut(self, self._steps_in), _DIRECT)
        if not out:
            return None
        on = find_way(self, _ON, reduce(place_after, out, HERE))
        return None if on is None else [*out, *on]

    def likings(self, place: Place) -> Floats:
        """Return the logits of the policy."""
        self._picture.q[0] = self._at(place)
        return np.asarray(self._scores(self._picture)[0])

    def steps_left(self, places: Sequence[Place]) -> npt.NDArray[Any]:
        """Return the steps of all joints to the nearest configuration at the goal."""
        steps = np.abs(self._ends[None] - self._at(places)[:, None]) / STEPS
        return np.asarray(steps.sum(axis=2).min(axis=1))

    def is_free(self, place: Place, action: int, *, roomy: bool = False) -> bool:
        """Whether the planner's model lets an action through, and the joints' limits do.

        ``roomy``: with everything 12 mm larger.
        """
        at = (place, place_after(place, action))
        joints = (self._reach.at(np.array(one) * STEPS) for one in at)
        return self._reach.is_clear(*joints, roomy=roomy)

    def is_goal(self, place: Place) -> bool:
        """Whether the thing is between the pads, and they have room to close on it."""
        joints = self._reach.at(np.array(place) * STEPS)
        near = self._reach.distance_at(joints) < NEAR
        return near and (not self._closes or self._reach.can_close(joints))

    def _at(self, places: Place | Sequence[Place]) -> Array:
        """Configurations (…, 5)."""
        return np.asarray(self._first + np.array(places) * STEPS)

    def _steps_in(self, places: Sequence[Place]) -> npt.NDArray[Any]:
        """How far the tip is in the pantry, as steps of the extension."""
        deep = tip(self._at(places), np.repeat(self._stand, len(places)))[:, 1] - _OUT
        return np.asarray(np.maximum(deep / STEPS[2], 0.0))

    def _ends_of(self, stand: float) -> Array:
        """Configurations (n, 5) with the tip at the goal that touch nothing."""
        yaw, pitch = (part.ravel() for part in np.meshgrid(YAWS, PITCHES))
        goal = np.repeat(self._reach.case.goal[None], len(yaw), axis=0)
        q = configuration_at(goal, np.full(len(yaw), stand), yaw, pitch)
        q = q[[self._reach.is_clear(at, at) for at in map(self._joints, q)]]
        closes = q[[self._reach.can_close(at) for at in map(self._joints, q)]]
        self._closes = len(closes) > 0
        return np.asarray(closes if self._closes else q)

    def _joints(self, config: Array) -> Array:
        """Joints (whole qpos) of a configuration (5,)."""
        return self._reach.at(config - self._first)


class _WayOut:
    """The same places, with any before the pantry as the goal."""

    def __init__(
        self, steps: ReachSteps, steps_in: Callable[[Sequence[Place]], npt.NDArray[Any]]
    ) -> None:
        self.is_free, self.steps_left = steps.is_free, steps_in

    def likings(self, place: Place) -> Floats:
        """Like all alike: what a policy likes leads to the thing."""
        return np.zeros(len(MOVES), dtype=np.float32)

    def is_goal(self, place: Place) -> bool:
        """Whether the tip is before the pantry."""
        return bool(self.steps_left([place])[0] <= 0.0)
