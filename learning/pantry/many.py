"""Many pantries side by side, as stable-baselines3 trains on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from stable_baselines3.common.vec_env import VecEnv

from treec.learning.files import RewardFile
from treec.learning.pantry.cases import Purpose, draw_case, generator
from treec.learning.pantry.environment import RewardedPantry, Seen, spaces_of
from treec.learning.pantry.observed import PantryState
from treec.learning.pantry.simulator import PantrySimulator


class ManyPantries(VecEnv):
    """Many episodes side by side for stable-baselines3, stepped together.

    Episode ``k`` of environment ``n`` is always the same for the same seed and starts.
    """

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
        self.starts = dict(starts)
        self._top, self._seed = top, seed
        self._episodes = [0] * number
        self._rewarded = RewardedPantry(
            PantrySimulator([self._draw(n) for n in range(number)]),
            reward,
            observation,
            ends_on_touch,
        )
        self.finished: list[tuple[str, bool, bool]] = []
        """(start, reached, touched) of episodes since somebody emptied it."""
        self._touched = np.zeros(number, dtype=bool)
        self._actions = np.zeros(number, dtype=np.int64)
        super().__init__(number, *spaces_of(observation))

    def skip(self, episodes: int) -> None:
        """Go on behind the first ``episodes`` episodes of every environment."""
        self._episodes = [episodes] * self.num_envs

    @property
    def episodes(self) -> int:
        """The most episodes that an environment has begun."""
        return max(self._episodes)

    def reset(self) -> Seen:
        """Begin a new episode everywhere."""
        for index in range(self.num_envs):
            self._begin(index)
        return self._rewarded.seen()

    def step_async(self, actions: npt.NDArray[np.int64]) -> None:
        """Note the actions."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> tuple[Seen, Any, Any, list[dict[str, Any]]]:
        """Execute them; ended episodes are followed by new ones."""
        reward, ended, cut, result = self._rewarded.step(self._actions)
        self._touched |= result.touched
        done = ended | cut
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if done.any():
            last = self._rewarded.seen()
            for index in np.flatnonzero(done):
                infos[index] = {
                    "terminal_observation": last[index],
                    "TimeLimit.truncated": bool(cut[index]),
                }
                start = self._rewarded.simulator.cases[index].start
                hit = bool(self._touched[index])
                self.finished.append((start, bool(result.reached[index]), hit))
                self._begin(int(index))
        return self._rewarded.seen(), reward.astype(np.float32), done, infos

    def _draw(self, index: int) -> Any:
        rng = generator(Purpose.TRAINING, self._seed, index, self._episodes[index])
        self._episodes[index] += 1
        return draw_case(rng, self.starts, top=self._top)

    def _begin(self, index: int) -> None:
        simulator = self._rewarded.simulator
        simulator.put(index, self._draw(index))
        self._touched[index] = False
        self._rewarded.reward.begin({"right": PantryState(simulator)}, np.array([index]))

    def close(self) -> None:
        """There is nothing to close."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute, the same for all."""
        return [getattr(self, attr_name, None)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Nothing can be set."""
        raise AttributeError(attr_name)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kw: Any) -> list[Any]:
        """Nothing can be called."""
        raise AttributeError(method_name)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Nothing is wrapped."""
        return [False] * self.num_envs

    def get_images(self) -> Sequence[Any]:
        """There are no pictures."""
        return [None] * self.num_envs
