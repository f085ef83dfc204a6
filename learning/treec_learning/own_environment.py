"""Training and trials in an environment that is not treec's: a class of Gymnasium's, or its name.

What it shows is flattened (`treec_learning.spaces`). An episode is a success if the `info` of its
last step has `is_success`; where an environment never says so, if its return reaches a threshold.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from io import StringIO
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.wrappers import TimeLimit

from treec.foreign import ForeignError, guard, import_foreign
from treec_learning.episodes import EPISODE, EpisodeResult, succeeded
from treec_learning.files import LearningFile
from treec_learning.pantry.cases import Purpose, generator
from treec_learning.policy import Policy
from treec_learning.spaces import Spaces, describe

Controller = Callable[[Any], Any]
"""Gives the action for an observation."""


class EnvironmentProblem(ValueError):
    """An environment that cannot be made, or does not keep to Gymnasium's interface."""


def make_environment(spec: LearningFile) -> gymnasium.Env[Any, Any]:
    """Make the environment of a learning file. Raises EnvironmentProblem."""
    name = spec.environment
    module, _, registered = name.rpartition(":")
    env: Any
    with _naming(name, module or gymnasium.__name__):
        if spec.environment_class is not None:
            made: Any = import_foreign(name)
            env = made(**spec.options)
        else:
            if module:
                import_foreign(module)
            env = gymnasium.make(registered, **spec.options)
    if not isinstance(env, gymnasium.Env):
        raise EnvironmentProblem(f"{name} is {type(env).__name__}, not a gymnasium.Env")
    if getattr(env.spec, "max_episode_steps", None) is None:
        return TimeLimit(env, spec.max_episode_steps)
    return env


def describe_environment(spec: LearningFile, env: gymnasium.Env[Any, Any]) -> Spaces:
    """Describe what an environment shows and takes. Raises EnvironmentProblem."""
    try:
        return describe(env.observation_space, env.action_space)
    except (ValueError, AttributeError) as error:
        raise EnvironmentProblem(f"{spec.environment}: {error}") from None


def close(env: gymnasium.Env[Any, Any]) -> None:
    """Close an environment; an error in that changes nothing of what was done in it."""
    with suppress(ForeignError), guard(module_of(env)):
        env.close()


def module_of(env: gymnasium.Env[Any, Any]) -> str:
    """Return the module of an environment's class, whose code its steps run."""
    return type(env.unwrapped).__module__


def threshold(spec: LearningFile, env: gymnasium.Env[Any, Any]) -> float | None:
    """Return the return from which on an episode is a success, if anybody says one."""
    if spec.reward_threshold is not None:
        return spec.reward_threshold
    return getattr(env.spec, "reward_threshold", None)


def try_controller(
    spec: LearningFile,
    env: gymnasium.Env[Any, Any],
    controller: Controller,
    seeds: list[int],
    tell: Callable[[int], None] = lambda number: None,
) -> list[EpisodeResult]:
    """Let a controller act, an episode for each seed. Raises EnvironmentProblem."""
    results = []
    least = threshold(spec, env)
    for number, seed in enumerate(seeds):
        tell(number)
        value, steps, over = 0.0, 0, False
        info: dict[str, Any] = {}
        with _naming(spec.environment, module_of(env)):
            seen, _ = env.reset(seed=seed)
            while not over:
                seen, reward, ended, cut, info = env.step(controller(seen))
                value, steps, over = value + _checked(reward), steps + 1, bool(ended or cut)
        results.append(EpisodeResult(succeeded(info, value, least), value, steps))
    return results


def episode_seeds(purpose: Purpose, seed: int, number: int) -> list[int]:
    """Return the seeds of episodes; those of training, trials and evaluation are not the same."""
    return [int(generator(purpose, seed, 0, n).integers(2**31)) for n in range(number)]


class OwnGround:
    """What `PolicyTraining` needs of such an environment. Raises EnvironmentProblem."""

    def __init__(self, spec: LearningFile, reward: None = None) -> None:
        from stable_baselines3.common.env_checker import check_env

        self.spec = spec
        self._trial = make_environment(spec)
        self.spaces = describe_environment(spec, self._trial)
        off_policy = spec.algorithm.off_policy
        self._goals = off_policy is not None and off_policy.hindsight > 0
        if self._goals and not hasattr(self._trial.unwrapped, "compute_reward"):
            raise EnvironmentProblem(
                f"{spec.environment} is not of goals: 'hindsight' needs a Dict of observations "
                "with achieved_goal and desired_goal, and compute_reward(achieved, desired, info)"
            )
        checked = make_environment(spec)
        wrong = f"{spec.environment} does not keep to Gymnasium's interface"
        try:
            with redirect_stdout(StringIO()), _naming(wrong, module_of(checked)):
                check_env(checked.unwrapped, warn=False)
        finally:
            close(checked)

    def many(self) -> Any:
        """Return the episodes to train in."""
        from treec_learning.vectorized import OwnEpisodes

        def make() -> gymnasium.Env[Any, Any]:
            env = make_environment(self.spec)
            return _Guarded(env, self.spec.environment, self.spaces, is_flat=not self._goals)

        return OwnEpisodes([make] * self.spec.side_by_side, threshold(self.spec, self._trial))

    def trial(self, policy: Policy, number: int) -> tuple[dict[str, float], float]:
        """Return the share of successes of a policy, if there are such, and its mean return."""
        seeds = episode_seeds(Purpose.TRIAL, self.spec.seed, number)
        results = try_controller(self.spec, self._trial, policy.action, seeds)
        shares = [result.success for result in results if result.success is not None]
        share = {EPISODE: float(np.mean(shares))} if shares else {}
        return share, float(np.mean([result.value for result in results]))


class _Guarded(gymnasium.Wrapper[Any, Any, Any, Any]):
    """An environment whose errors, and rewards that are no numbers, name it.

    With ``is_flat`` it shows one row of numbers, as the policy will see it.
    """

    def __init__(
        self, env: gymnasium.Env[Any, Any], name: str, described: Spaces, *, is_flat: bool
    ) -> None:
        super().__init__(env)
        self._name, self._described, self._is_flat = name, described, is_flat
        if is_flat:
            size = (described.sizes[0],)
            self.observation_space = spaces.Box(-np.inf, np.inf, size, np.float32)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Begin an episode. Raises EnvironmentProblem."""
        with _naming(self._name, module_of(self.env)):
            seen, info = self.env.reset(seed=seed, options=options)
            return self._shown(seen), info

    def step(self, action: Any) -> Any:
        """Take a step. Raises EnvironmentProblem."""
        with _naming(self._name, module_of(self.env)):
            seen, reward, *rest = self.env.step(action)
            return self._shown(seen), _checked(reward), *rest

    def _shown(self, seen: Any) -> Any:
        row = self._described.flat(seen)
        return row if self._is_flat else seen


@contextmanager
def _naming(environment: str, module: str) -> Iterator[None]:
    """Raise whatever ends an environment's code as an EnvironmentProblem that names it."""
    try:
        with guard(module):
            yield
    except ForeignError as error:
        is_said = error.exception == "ValueError" and not error.place
        is_said |= error.exception == "AssertionError" and bool(error.text)
        raise EnvironmentProblem(f"{environment}: {error.text if is_said else error}") from None


def _checked(reward: Any) -> float:
    value = float(reward)
    if not math.isfinite(value):
        raise ValueError(f"the reward of a step is {value}")
    return value
