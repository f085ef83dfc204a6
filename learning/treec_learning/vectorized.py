"""Episodes that are stepped together, for stable-baselines3: treec's, and those of others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

from treec_learning.episodes import EPISODE, succeeded


class ManyEpisodes(VecEnv):
    """Many episodes side by side, of one environment that steps them together.

    Episode ``k`` of environment ``n`` is always the same for the same seed and starts.
    """

    starts: dict[str, float]
    """The shares of the starts of episodes that are drawn from now on."""

    def __init__(self, number: int, observation: Any, action: Any) -> None:
        self._episodes = [0] * number
        self.finished: list[tuple[str, bool, bool]] = []
        """(start, reached, touched) of episodes since somebody emptied it."""
        self._touched = np.zeros(number, dtype=bool)
        self._actions: npt.NDArray[Any] = np.zeros(number)
        super().__init__(number, observation, action)

    def skip(self, episodes: int) -> None:
        """Go on behind the first ``episodes`` episodes of every environment."""
        self._episodes = [episodes] * self.num_envs

    @property
    def episodes(self) -> int:
        """The most episodes that an environment has begun."""
        return max(self._episodes)

    def begin(self, index: int) -> None:
        """Begin the next episode of an environment."""
        raise NotImplementedError

    def seen(self) -> npt.NDArray[np.float32]:
        """Return the observations."""
        raise NotImplementedError

    def reset(self) -> npt.NDArray[np.float32]:
        """Begin a new episode everywhere."""
        for index in range(self.num_envs):
            self.begin(index)
        return self.seen()

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Note the actions."""
        self._actions = np.asarray(actions)

    def follow(
        self,
        starts: Sequence[str],
        ended: npt.NDArray[np.bool_],
        cut: npt.NDArray[np.bool_],
        reached: npt.NDArray[np.bool_],
        touched: npt.NDArray[np.bool_],
    ) -> list[dict[str, Any]]:
        """Begin new episodes where one has ended or was cut off; return the infos of the step."""
        self._touched |= touched
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        done = ended | cut
        last = self.seen() if done.any() else None
        for index in map(int, np.flatnonzero(done)):
            assert last is not None
            infos[index] = {
                "terminal_observation": last[index],
                "TimeLimit.truncated": bool(cut[index]),
            }
            self.finished.append((starts[index], bool(reached[index]), bool(self._touched[index])))
            self._touched[index] = False
            self.begin(index)
        return infos

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


class OwnEpisodes(DummyVecEnv):
    """Environments that are not treec's, one after the other, with what came of their episodes.

    ``least`` is the return from which on an episode is a success, where its info does not say.
    """

    def __init__(self, makers: list[Callable[[], Any]], least: float | None) -> None:
        super().__init__(makers)
        self.finished: list[tuple[str, bool, bool]] = []
        self.starts: dict[str, float] = {}
        self.episodes = 0
        self._least = least
        self._values = np.zeros(len(makers))

    def skip(self, episodes: int) -> None:
        """Go on behind the first ``episodes`` episodes; what they were like is not drawn here."""
        self.episodes = episodes

    def step_wait(self) -> Any:
        """Step, and note the episodes that have ended."""
        seen, rewards, done, infos = super().step_wait()
        self._values += rewards
        for index in map(int, np.flatnonzero(done)):
            success = succeeded(infos[index], self._values[index], self._least)
            if success is not None:
                self.finished.append((EPISODE, bool(success), False))
            self._values[index] = 0.0
            self.episodes += 1
        return seen, rewards, done, infos
