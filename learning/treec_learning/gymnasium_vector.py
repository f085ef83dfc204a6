"""Episodes that one simulator steps together, as ``gymnasium.make_vec`` makes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from treec_learning.actions import no_pictures
from treec_learning.files import RewardFile
from treec_learning.hand.vectorized import ManyHands
from treec_learning.names import start_shares
from treec_learning.pantry.vectorized import ManyPantries
from treec_learning.shipped import reward_file
from treec_learning.vectorized import ManyEpisodes

Seen = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]


class TogetherEnv(VectorEnv[Seen, npt.NDArray[Any], Any]):
    """Many episodes in one batch.

    Where one has ended, the same step begins the next (``AutoresetMode.SAME_STEP``): its last
    observation is in the infos, as ``final_obs``. ``make`` makes the episodes of a seed.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(self, make: Callable[[int], ManyEpisodes], render_mode: str | None = None) -> None:
        no_pictures(render_mode)
        self._make = make
        self._episodes = make(0)
        self.num_envs = self._episodes.num_envs
        self.single_observation_space = self._episodes.observation_space
        self.single_action_space = self._episodes.action_space
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begin new episodes everywhere; the same seed begins the same ones."""
        super().reset(seed=seed)
        self._episodes = self._make(int(self.np_random.integers(2**31 - 1)))
        return self._episodes.seen(), {}

    def step(
        self, actions: npt.NDArray[Any]
    ) -> tuple[Seen, npt.NDArray[np.float64], Flags, Flags, dict[str, Any]]:
        """Step all episodes. Raises ValueError for actions that are not in the space."""
        given = np.asarray(actions)
        if given.shape != self.action_space.shape or not self._is_inside(given):
            what = f"{self.num_envs} of {self.single_action_space}"
            raise ValueError(f"actions are {what}, not {str(given.tolist())[:60]}")
        episodes = self._episodes
        episodes.step_async(given)
        reward, done, own = episodes.step_wait()[1:]
        cut: Flags = np.array([bool(info.get("TimeLimit.truncated")) for info in own])
        infos: dict[str, Any] = {}
        for at, (_, success, _) in zip(np.flatnonzero(done), episodes.finished, strict=True):
            final = {"is_success": success}
            last = {"final_obs": own[at]["terminal_observation"], "final_info": final}
            infos = self._add_info(infos, last, int(at))
        episodes.finished.clear()
        return episodes.seen(), reward.astype(np.float64), done & ~cut, cut, infos

    def _is_inside(self, actions: npt.NDArray[Any]) -> bool:
        """Whether they are finite, and whole numbers where actions are counted."""
        count = getattr(self.single_action_space, "n", None)
        if count is None:
            return actions.dtype.kind in "iuf" and bool(np.isfinite(actions).all())
        return actions.dtype.kind in "iu" and bool(((actions >= 0) & (actions < count)).all())


def pantries(
    num_envs: int,
    reward: str | RewardFile = "reach",
    starts: Mapping[str, float] | None = None,
    observation: str = "joints",
    *,
    top: bool = True,
    ends_on_touch: bool = False,
    render_mode: str | None = None,
) -> TogetherEnv:
    """Return pantries side by side; arguments as of `StretchPantry`."""
    file = reward_file(reward)
    drawn = start_shares(starts)

    def make(seed: int) -> ManyEpisodes:
        return ManyPantries(
            num_envs, file, drawn, observation, top=top, ends_on_touch=ends_on_touch, seed=seed
        )

    return TogetherEnv(make, render_mode)


def hands(
    num_envs: int,
    reward: str | RewardFile = "open",
    starts: Mapping[str, float] | None = None,
    *,
    render_mode: str | None = None,
) -> TogetherEnv:
    """Return hands side by side; arguments as of `HandAtTarget`."""
    file = reward_file(reward)
    drawn = dict(starts or {"handle": 1.0})
    return TogetherEnv(lambda seed: ManyHands(num_envs, file, drawn, seed=seed), render_mode)
