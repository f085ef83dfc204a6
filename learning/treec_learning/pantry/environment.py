"""The pantry as a gymnasium environment, `treec/StretchPantry-v0`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from treec_learning.actions import discrete_action, no_pictures
from treec_learning.files import RewardFile
from treec_learning.names import start_shares
from treec_learning.pantry.cases import draw_case
from treec_learning.pantry.simulator import ACTIONS, MOST, SIZES, TOUCHES, PantrySimulator
from treec_learning.pantry.state import THING, PantryState
from treec_learning.reward import Reward
from treec_learning.shipped import reward_file

Seen = npt.NDArray[np.float32]
WIDEST = 50.0
"""Bound of every number in an observation."""


class RewardedPantry:
    """A simulator with the reward of a file, and when its episodes end."""

    def __init__(
        self, simulator: PantrySimulator, file: RewardFile, observation: str, ends_on_touch: bool
    ) -> None:
        self.simulator = simulator
        self.observation = observation
        self.ends_on_touch = ends_on_touch
        self.reward = Reward(file, dict.fromkeys(file.args, THING), ("right",))
        self.reward.begin({"right": PantryState(simulator)})

    def step(self, actions: npt.NDArray[np.int64]) -> tuple[Any, Any, Any, Any]:
        """Return rewards, what has ended, what was truncated, and the result of the step."""
        result = self.simulator.step(actions)
        state = {"right": PantryState(self.simulator, result)}
        reward = self.reward(state, self.simulator.steps).value
        ended = result.reached | (result.touched if self.ends_on_touch else False)
        return reward, ended, (self.simulator.steps >= MOST) & ~ended, result

    def seen(self) -> Seen:
        """Return the observations."""
        return self.simulator.seen(self.observation)


def spaces_of(observation: str) -> tuple[spaces.Space[Seen], spaces.Space[np.int64]]:
    """Return the spaces of an observation and of the actions. Raises ValueError."""
    if observation not in SIZES:
        raise ValueError(f"unknown observation '{observation}': {', '.join(SIZES)}")
    size = (SIZES[observation],)
    box: spaces.Space[Any] = spaces.Box(-WIDEST, WIDEST, size, np.float32)
    return box, spaces.Discrete(len(ACTIONS))


class StretchPantry(gymnasium.Env[Seen, np.int64]):
    """Stretch's gripper reaches for a thing among others in a pantry; one joint moves a step.

    Actions: ten, each of five joints back and forth (`treec_learning.pantry.simulator.ACTIONS`).
    Observations: see `treec_learning.pantry.simulator`. An episode ends when the thing is between
    the pads, is cut off after 150 steps, and with ``ends_on_touch`` ends at a touch.

    Args:
        reward: name of one of treec's reward files, or a `RewardFile`.
        starts: shares of the starts that episodes are drawn from.
        observation: difference (the paper's), or joints.
        top: whether the pantry's next board is there.
        ends_on_touch: whether a touch ends the episode; else the action is not executed.
    """

    metadata = {"render_modes": []}  # noqa: RUF012  # as gymnasium declares it

    def __init__(
        self,
        reward: str | RewardFile = "reach",
        starts: Mapping[str, float] | None = None,
        observation: str = "joints",
        top: bool = True,
        ends_on_touch: bool = False,
        render_mode: str | None = None,
    ) -> None:
        no_pictures(render_mode)
        self._file = reward_file(reward)
        self._starts = start_shares(starts)
        self._how = (observation, ends_on_touch)
        self._top = top
        self.observation_space, self.action_space = spaces_of(observation)
        self._rewarded: RewardedPantry | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begin an episode; the same seed begins the same one."""
        super().reset(seed=seed)
        case = draw_case(self.np_random, self._starts, top=self._top)
        self._rewarded = RewardedPantry(PantrySimulator([case]), self._file, *self._how)
        return self._rewarded.seen()[0], {"start": case.start}

    def step(self, action: np.int64) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Move a joint; ``info`` has the distance (m), success, and what was touched or None."""
        assert self._rewarded is not None, "reset comes first"
        reward, ended, cut, result = self._rewarded.step(
            np.array([discrete_action(action, len(ACTIONS))])
        )
        refused = int(result.refused[0])
        info = {
            "distance": float(result.distance[0]),
            "is_success": bool(result.reached[0]),
            "touched": TOUCHES[refused] if refused >= 0 else None,
        }
        return self._rewarded.seen()[0], float(reward[0]), bool(ended[0]), bool(cut[0]), info
