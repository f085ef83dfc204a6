"""Many pantries side by side, as stable-baselines3 trains on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from treec_learning.files import RewardFile
from treec_learning.pantry.cases import Purpose, draw_case, generator
from treec_learning.pantry.environment import RewardedPantry, Seen, spaces_of
from treec_learning.pantry.simulator import PantrySimulator
from treec_learning.pantry.state import PantryState
from treec_learning.vectorized import ManyEpisodes


class ManyPantries(ManyEpisodes):
    """Many episodes in the pantry; see `ManyEpisodes`."""

    def __init__(
        self,
        number: int,
        reward: RewardFile,
        starts: Mapping[str, float],
        observation: str,
        *,
        top: bool = True,
        ends_on_touch: bool = False,
        seed: int = 0,
    ) -> None:
        super().__init__(number, *spaces_of(observation))
        self.starts = dict(starts)
        self._top, self._seed = top, seed
        self._rewarded = RewardedPantry(
            PantrySimulator([self._draw(n) for n in range(number)]),
            reward,
            observation,
            ends_on_touch,
        )

    def seen(self) -> Seen:
        """Return the observations."""
        return self._rewarded.seen()

    def step_wait(self) -> tuple[Seen, Any, Any, list[dict[str, Any]]]:
        """Execute them; ended episodes are followed by new ones."""
        reward, ended, cut, result = self._rewarded.step(self._actions)
        starts = [case.start for case in self._rewarded.simulator.cases]
        infos = self.follow(starts, ended, cut, result.reached, result.touched)
        return self.seen(), reward.astype(np.float32), ended | cut, infos

    def begin(self, index: int) -> None:
        """Begin the next episode of an environment."""
        simulator = self._rewarded.simulator
        simulator.put(index, self._draw(index))
        self._rewarded.reward.begin({"right": PantryState(simulator)}, np.array([index]))

    def _draw(self, index: int) -> Any:
        rng = generator(Purpose.TRAINING, self._seed, index, self._episodes[index])
        self._episodes[index] += 1
        return draw_case(rng, self.starts, top=self._top)
