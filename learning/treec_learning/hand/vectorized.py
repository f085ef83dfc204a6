"""Many hands side by side, as stable-baselines3 trains on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from treec_learning.files import RewardFile
from treec_learning.hand.cases import HandCase, draw_case
from treec_learning.hand.environment import Numbers, RewardedHands, goal_of, make_spaces
from treec_learning.hand.simulator import HandSimulator
from treec_learning.pantry.cases import Purpose, generator
from treec_learning.vectorized import ManyEpisodes


class ManyHands(ManyEpisodes):
    """Many hands at their targets; see `ManyEpisodes`."""

    def __init__(
        self, number: int, reward: RewardFile, starts: Mapping[str, float], *, seed: int
    ) -> None:
        super().__init__(number, *make_spaces())
        self.starts = dict(starts)
        self._seed, self._goal = seed, goal_of(reward)
        cases = [self._draw(n) for n in range(number)]
        self._hands = RewardedHands(HandSimulator(cases, seed), reward)

    def seen(self) -> Numbers:
        """Return the observations."""
        return self._hands.simulator.seen()

    def step_wait(self) -> tuple[Numbers, Any, Any, list[dict[str, Any]]]:
        """Execute them; ended episodes are followed by new ones."""
        reward, ended, cut, success = self._hands.step(self._actions)
        simulator = self._hands.simulator
        starts = [case.start for case in simulator.cases]
        infos = self.follow(starts, ended, cut, success, simulator.last.touched)
        return self.seen(), reward.astype(np.float32), ended | cut, infos

    def begin(self, index: int) -> None:
        """Begin the next episode of an environment."""
        self._hands.simulator.put(index, self._draw(index))
        self._hands.reward.begin(self._hands.state(), np.array([index]))

    def _draw(self, index: int) -> HandCase:
        rng = generator(Purpose.TRAINING, self._seed, index, self._episodes[index])
        self._episodes[index] += 1
        return draw_case(rng, self.starts, self._goal)
