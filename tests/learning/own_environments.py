"""Environments as a stranger writes them: counted or wide actions, rows, dictionaries and goals."""

from __future__ import annotations

import sys
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces


class Line(gymnasium.Env[Any, Any]):
    """A point on a line that is to come to a goal; 20 steps a second."""

    metadata = {"render_fps": 20}  # noqa: RUF012  # as gymnasium declares it

    def __init__(self, length: float = 1.0) -> None:
        self.length = length
        self.action_space = spaces.Box(-2.0, 2.0, (1,), np.float32)
        box = spaces.Box(-np.inf, np.inf, (1,), np.float64)
        self.observation_space = spaces.Dict(observation=box, achieved_goal=box, desired_goal=box)

    def _seen(self) -> dict[str, Any]:
        near = np.array([self.x])
        return {"observation": near, "achieved_goal": near, "desired_goal": np.array([self.goal])}

    def compute_reward(self, achieved: Any, desired: Any, info: Any) -> Any:
        return -np.abs(np.asarray(achieved) - desired)[..., 0]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.x, self.steps = 0.0, 0
        self.goal = float(self.np_random.uniform(-self.length, self.length))
        if options and options.get("place") == "far":
            self.goal = 5.0 * self.length
        return self._seen(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.x, self.steps = self.x + 0.1 * float(action[0]), self.steps + 1
        done = abs(self.x - self.goal) < 0.1
        reward = float(-abs(self.x - self.goal))
        return self._seen(), reward, done, self.steps >= 20, {"is_success": done}


class Count(gymnasium.Env[Any, Any]):
    """A counted state, counted actions, and no word about success or a limit of steps."""

    def __init__(self) -> None:
        self.observation_space = spaces.Discrete(3)
        self.action_space = spaces.Discrete(2)

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.at = 0
        return self.at, {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.at = (self.at + 1) % 3
        return self.at, float(action), False, False, {}


class Failing(Line):
    """Is right for twelve steps; then its reward or goal is no number, or it raises."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        seen, reward, _, cut, info = super().step(action)
        if self.steps > 12:
            if self.what == "raises":
                raise RuntimeError("motor 3 is hot")
            if self.what == "exits":
                sys.exit("the driver is gone")
            seen["desired_goal"] = np.array([np.inf if self.what == "goal" else self.goal])
            reward = float("nan") if self.what == "reward" else reward
        return seen, reward, False, cut, info

    def close(self) -> None:
        raise OSError("the port is gone")


class Part:
    """Is no environment."""


class Broken(Line):
    """Its steps give four values."""

    def step(self, action: Any) -> Any:
        return super().step(action)[:4]


class Picture(Line):
    """Shows a picture."""

    def __init__(self) -> None:
        super().__init__()
        self.observation_space = spaces.Box(0, 255, (32, 32, 3), np.uint8)
