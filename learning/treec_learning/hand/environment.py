"""A hand at its target as a gymnasium environment, `treec/HandAtTarget-v0`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from treec_learning.actions import continuous_action, no_pictures
from treec_learning.files import RewardFile
from treec_learning.hand.cases import draw_case
from treec_learning.hand.simulator import ACTIONS, MOST, SEEN, HandSimulator
from treec_learning.hand.state import HandState
from treec_learning.reward import Reward
from treec_learning.shipped import reward_file

Numbers = npt.NDArray[np.float32]
WIDEST = 10.0
"""Bound of every number in an observation."""


class RewardedHands:
    """A simulator with the reward of a file, and when its episodes end."""

    def __init__(self, simulator: HandSimulator, file: RewardFile) -> None:
        self.simulator = simulator
        self.reward = Reward(file, {name: name for name in file.args}, ("right",))
        self.reward.begin(self.state())

    def state(self) -> dict[str, HandState]:
        """Return the state that the reward is computed from."""
        return {"right": HandState(self.simulator)}

    def step(self, actions: Numbers) -> tuple[Any, Any, Any, Any]:
        """Return rewards, what has ended, what was truncated, and what succeeded."""
        last = self.simulator.step(actions)
        result = self.reward(self.state(), self.simulator.steps)
        success = np.asarray(result.success) > 0.5
        ended = success | last.spoilt
        return result.value, ended, (self.simulator.steps >= MOST) & ~ended, success & ~last.spoilt


def goal_of(file: RewardFile) -> float:
    """Return the share of its travel to which a reward wants the joint moved (1 without one)."""
    terms = [term for term in file.right if term.primitive == "joint_qpos"]
    return float(terms[0].of[1]) if terms else 1.0


def make_spaces() -> tuple[spaces.Space[Numbers], spaces.Space[Numbers]]:
    """Return the spaces of observations and actions."""
    seen: spaces.Space[Any] = spaces.Box(-WIDEST, WIDEST, (SEEN,), np.float32)
    done: spaces.Space[Any] = spaces.Box(-1.0, 1.0, (ACTIONS,), np.float32)
    return seen, done


class HandAtTarget(gymnasium.Env[Numbers, Numbers]):
    """A gripper before a handle, a button, a thing to take, or a place for what it holds.

    Actions: seven numbers, motion along and about the target's axes as shares of 2 cm and 0.2 rad,
    and above 0 to close the fingers. Observations: `treec_learning.hand.simulator.observe`. An
    episode ends with the reward's success, or when a thing is pushed away or dropped, and is cut
    off after 100 steps.

    Args:
        reward: name of one of treec's reward files for one hand, or a `RewardFile`.
        starts: shares of the kinds of targets (`learning/treec_learning/hand/starts.yaml`).
    """

    metadata = {"render_modes": []}  # noqa: RUF012  # as gymnasium declares it

    def __init__(
        self,
        reward: str | RewardFile = "open",
        starts: Mapping[str, float] | None = None,
        render_mode: str | None = None,
    ) -> None:
        no_pictures(render_mode)
        self._file = reward_file(reward)
        self._starts = dict(starts or {"handle": 1.0})
        self.observation_space, self.action_space = make_spaces()
        self._hands: RewardedHands | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Begin an episode; the same seed begins the same one."""
        super().reset(seed=seed)
        case = draw_case(self.np_random, self._starts, goal_of(self._file))
        noise = int(self.np_random.integers(2**31 - 1))
        self._hands = RewardedHands(HandSimulator([case], noise), self._file)
        return self._hands.simulator.seen()[0], {"start": case.start}

    def step(self, action: Numbers) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """Move hand and fingers; ``info`` has success and whether something was touched."""
        assert self._hands is not None, "reset comes first"
        reward, ended, cut, success = self._hands.step(continuous_action(action, ACTIONS)[None])
        info = {
            "is_success": bool(success[0]),
            "touched": bool(self._hands.simulator.last.touched[0]),
        }
        seen = self._hands.simulator.seen()[0]
        return seen, float(reward[0]), bool(ended[0]), bool(cut[0]), info
