"""Algorithms of stable-baselines3 by their name in a learning file, and the networks they fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from stable_baselines3 import DQN, PPO, SAC, TD3, HerReplayBuffer
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.noise import NormalActionNoise
from stable_baselines3.common.vec_env import VecEnv
from torch import nn

from treec_learning.files import LearningFile, OffPolicySpec, PpoSpec

CLASSES: Mapping[str, type[BaseAlgorithm]] = {"ppo": PPO, "sac": SAC, "td3": TD3, "dqn": DQN}
"""The class of each algorithm that learns by acting."""
_NAMED = {"n_steps", "batch_size", "n_epochs", "gamma", "gae_lambda", "clip_range"}
_NOT_NAMED = {"layers", "hindsight", "action_noise", "buffer_size"}


@dataclass(frozen=True)
class PolicyNetwork:
    """A policy's network: weights (in, out) and biases (out,), and what it does with them."""

    layers: list[tuple[Any, Any]]
    activation: str
    squash: bool
    """Whether the hyperbolic tangent of its last numbers fills the range of the action."""


def new_model(spec: LearningFile, many: VecEnv) -> BaseAlgorithm:
    """Make the model of an algorithm. Raises ValueError where it cannot act in the environment."""
    name = spec.algorithm.given[0]
    algorithm = getattr(spec.algorithm, name)
    try:
        if isinstance(algorithm, PpoSpec):
            return _ppo(spec, algorithm, many)
        return CLASSES[name](**_off_policy(spec, algorithm, many))
    except AssertionError as error:  # how it says that it cannot
        raise ValueError(f"{name} does not fit {spec.environment}: {error}") from None


def load_model(spec: LearningFile, path: Any, many: VecEnv) -> BaseAlgorithm:
    """Load the model of a checkpoint."""
    return CLASSES[spec.algorithm.given[0]].load(path, env=many, device="cpu")


def network_of(model: BaseAlgorithm) -> PolicyNetwork:
    """Return the network that gives a model's likeliest actions."""
    policy: Any = model.policy
    if isinstance(model, PPO):
        parts = [*policy.mlp_extractor.policy_net, policy.action_net]
        return PolicyNetwork(layers_of(nn.Sequential(*parts)), "tanh", False)
    if isinstance(model, SAC):
        parts = [*policy.actor.latent_pi, policy.actor.mu]
        return PolicyNetwork(layers_of(nn.Sequential(*parts)), "relu", True)
    if isinstance(model, TD3):
        return PolicyNetwork(layers_of(policy.actor.mu), "relu", True)
    return PolicyNetwork(layers_of(policy.q_net.q_net), "relu", False)


def layers_of(network: nn.Sequential) -> list[tuple[Any, Any]]:
    """Return the layers of a network as arrays: weights (in, out), biases (out,)."""
    return [
        (part.weight.detach().numpy().T.copy(), part.bias.detach().numpy().copy())
        for part in network
        if isinstance(part, nn.Linear)
    ]


def _ppo(file: LearningFile, spec: PpoSpec, many: VecEnv) -> PPO:
    first, last = spec.learning_rate, spec.final_learning_rate
    return PPO(
        "MlpPolicy",
        many,
        learning_rate=first if last is None else _LinearSchedule(first, last),
        policy_kwargs={"net_arch": list(spec.layers), "log_std_init": spec.log_std_init},
        device="cpu",
        seed=file.seed,
        **spec.model_dump(include=_NAMED | {"ent_coef", "vf_coef", "max_grad_norm"}),
    )


def _off_policy(file: LearningFile, spec: OffPolicySpec, many: VecEnv) -> dict[str, Any]:
    """The arguments of an algorithm with a replay buffer."""
    named = spec.model_dump(exclude=_NOT_NAMED)
    if spec.hindsight:
        goals = {"n_sampled_goal": spec.hindsight, "goal_selection_strategy": "future"}
        named |= {"replay_buffer_class": HerReplayBuffer, "replay_buffer_kwargs": goals}
    noise = getattr(spec, "action_noise", 0.0)
    if noise:
        wide = np.zeros(many.action_space.shape or 1)
        named["action_noise"] = NormalActionNoise(wide, wide + noise)
    return {
        "policy": "MultiInputPolicy" if spec.hindsight else "MlpPolicy",
        "env": many,
        "buffer_size": min(spec.buffer_size, max(file.steps, spec.batch_size)),
        "policy_kwargs": {"net_arch": list(spec.layers)},
        "device": "cpu",
        "seed": file.seed,
        **named,
    }


class _LinearSchedule:
    """A learning rate that falls in a straight line; stable-baselines3 calls it, and pickles it."""

    def __init__(self, first: float, last: float) -> None:
        self.first, self.last = first, last

    def __call__(self, left: float) -> float:
        """Return the rate where a share of the steps is left."""
        return self.last + left * (self.first - self.last)
