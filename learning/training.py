"""Trains what a learning file says: PPO of stable-baselines3, or cloning alone.

Everything is drawn from the file's seed. Demonstrations and every few rollouts a checkpoint are
saved, so that a training that was broken off goes on; episodes that were under way begin anew.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from torch import nn

from treec.learning.files import CloningSpec, LearningFile, PpoSpec, RewardFile
from treec.learning.imitation import Demonstrations, clone, demonstrate
from treec.learning.pantry.many import ManyPantries
from treec.learning.policy import POLICY, Policy, save_policy
from treec.learning.trials import ReachTrial, try_policy

CHECKPOINT, STATE, CURVE = "checkpoint.zip", "state.json", "curve.json"
_DEMONSTRATIONS = "demonstrations.npz"
_TRIED = 50  # episodes of each start between updates, where the file does not say
_CHECK_SEED = 1_000_003  # of these episodes: neither trained on nor judged by


@dataclass(frozen=True)
class CurvePoint:
    """Where a training is: steps, seconds, mean reward of a step, and success by start."""

    steps: int
    seconds: float
    training: dict[str, float]
    """Share of the episodes since the last point that reached their goal, by start."""
    trial: dict[str, float]
    """Share of a trial's episodes that did so without a touch, by start."""
    best: bool


@dataclass(frozen=True)
class Told:
    """A line for the user while a training is under way."""

    text: str
    point: CurvePoint | None = None


class PolicyTraining:
    """A training in a folder; see the module."""

    def __init__(
        self, spec: LearningFile, reward: RewardFile, out: Path, tell: Callable[[Told], None]
    ) -> None:
        """Prepare it; what is in the folder of the same files is gone on from.

        Raises ValueError for a training of other files in that folder.
        """
        self.spec, self.reward, self.out, self.tell = spec, reward, out, tell
        self.curve: list[CurvePoint] = []
        self._files = {"learning": spec.model_dump(), "reward": reward.model_dump()}
        self._before = 0.0
        self._episodes = 0
        state = out / STATE
        if state.is_file():
            kept = json.loads(state.read_text("utf-8"))
            if kept["files"] != json.loads(json.dumps(self._files)):
                raise ValueError(f"{out} has a training of other files: remove it, or name --out")
            self.curve = [CurvePoint(**point) for point in kept["curve"]]
            self._before, self._episodes = kept["seconds"], kept["episodes"]
        torch.set_num_threads(spec.threads)
        self._began = time.monotonic()

    @property
    def seconds(self) -> float:
        """Seconds that the training has taken, with those before it was resumed."""
        return self._before + time.monotonic() - self._began

    def run(self, made: dict[str, Any]) -> Policy:
        """Train to the end and write the best policy by trial; ``made`` is kept in it.

        KeyboardInterrupt leaves the last checkpoint.
        """
        cloning = self.spec.algorithm.cloning
        if cloning is not None:
            network = self._clone(cloning)
            policy = Policy(layers_of(network), self._made(made, 0))
            point = self._point(0, {}, policy, -1.0)
            self._keep(point, policy)
            return policy
        assert self.spec.algorithm.ppo is not None
        return self._ppo(self.spec.algorithm.ppo, made)

    def _made(self, made: dict[str, Any], steps: int) -> dict[str, Any]:
        return {**made, **self._files, "steps": steps, "seconds": round(self.seconds)}

    def _clone(self, spec: CloningSpec) -> nn.Sequential:
        shown = self._demonstrations(spec)
        self.tell(Told(f"{shown.number} demonstrations, {len(shown.done)} actions"))
        return clone(
            shown,
            spec.layers,
            epochs=spec.epochs,
            batch=spec.batch_size,
            learning_rate=spec.learning_rate,
            seed=self.spec.seed,
            told=lambda epoch, loss: self.tell(Told(f"cloning, epoch {epoch}: {loss:.3f}")),
        )

    def _demonstrations(self, spec: CloningSpec) -> Demonstrations:
        path = self.out / _DEMONSTRATIONS
        if path.is_file():
            with np.load(path) as file:
                return Demonstrations(
                    file["seen"], file["done"], int(file["number"]), int(file["unsolved"])
                )
        shown = demonstrate(
            spec.demonstrations,
            spec.starts,
            self.spec.observation,
            self.spec.seed,
            top=self.spec.top,
            told=lambda n: self.tell(Told(f"demonstration {n} of {spec.demonstrations}")),
        )
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            np.savez(file, **asdict(shown))
        part.replace(path)
        return shown

    def _ppo(self, spec: PpoSpec, made: dict[str, Any]) -> Policy:
        many = ManyPantries(
            self.spec.environments,
            self.reward,
            self.spec.starts_at(0.0),
            self.spec.observation,
            top=self.spec.top,
            ends_on_touch=self.spec.ends_on_touch,
            seed=self.spec.seed,
        )
        many.skip(self._episodes)
        checkpoint = self.out / CHECKPOINT
        if checkpoint.is_file():
            model = PPO.load(checkpoint, env=many, device="cpu")
        else:
            model = self._new(spec, many)
        follower = _Follow(self, many, model, made)
        left = self.spec.steps - model.num_timesteps
        if left > 0:
            model.learn(left, callback=follower, reset_num_timesteps=False)
        if follower.best is None:
            follower.check()
        assert follower.best is not None
        return follower.best

    def _new(self, spec: PpoSpec, many: ManyPantries) -> PPO:
        last = spec.final_learning_rate
        first = spec.learning_rate
        steps = {"n_steps", "batch_size", "n_epochs", "gamma", "gae_lambda", "clip_range"}
        model = PPO(
            "MlpPolicy",
            many,
            learning_rate=first if last is None else _Straight(first, last),
            policy_kwargs={"net_arch": list(spec.layers)},
            device="cpu",
            seed=self.spec.seed,
            **spec.model_dump(include=steps | {"ent_coef", "vf_coef", "max_grad_norm"}),
        )
        if spec.begin_with is not None:
            network = self._clone(spec.begin_with.model_copy(update={"layers": spec.layers}))
            hidden, last_layer = network[:-1], network[-1]
            model.policy.mlp_extractor.policy_net.load_state_dict(hidden.state_dict())
            model.policy.action_net.load_state_dict(last_layer.state_dict())
        return model

    def _point(
        self, steps: int, training: dict[str, float], policy: Policy, best: float
    ) -> CurvePoint:
        good = self.spec.good_enough
        number = _TRIED if good is None else good.episodes
        starts = self.spec.all_starts()
        found = {
            name: try_policy(
                policy, ReachTrial(name, number, _CHECK_SEED + self.spec.seed, self.spec.top)
            ).success
            for name in starts
        }
        return CurvePoint(
            steps, round(self.seconds, 1), training, found, sum(found.values()) > best
        )

    def _keep(self, point: CurvePoint, policy: Policy) -> None:
        self.curve.append(point)
        if point.best:
            save_policy(self.out / POLICY, policy)
        shares = ", ".join(f"{name} {share:.0%}" for name, share in point.trial.items())
        self.tell(Told(f"{point.steps:,} steps, {point.seconds:.0f} s: {shares}", point))

    def write_state(self, episodes: int) -> None:
        """Write what a resumed training goes on from."""
        kept = {
            "files": self._files,
            "curve": [asdict(point) for point in self.curve],
            "seconds": self.seconds,
            "episodes": episodes,
        }
        part = self.out / f"{STATE}.part"
        part.write_text(json.dumps(kept, indent=1), "utf-8")
        part.replace(self.out / STATE)


class _Straight:
    """A learning rate that falls in a straight line; stable-baselines3 calls it, and pickles it."""

    def __init__(self, first: float, last: float) -> None:
        self.first, self.last = first, last

    def __call__(self, left: float) -> float:
        return self.last + left * (self.first - self.last)


class _Follow(BaseCallback):
    """Between two rollouts: the curriculum, checkpoints, trials, and an early end."""

    def __init__(
        self, fit: PolicyTraining, many: ManyPantries, model: PPO, made: dict[str, Any]
    ) -> None:
        super().__init__()
        self._fit, self._many, self._made = fit, many, made
        self._ppo = model
        self.best: Policy | None = None
        self._best_score = max((sum(p.trial.values()) for p in fit.curve), default=-1.0)
        self._checked = model.num_timesteps
        self._enough = False
        if self._best_score >= 0 and (fit.out / POLICY).is_file():
            from treec.learning.policy import load_policy

            self.best = load_policy(fit.out / POLICY)

    def _on_step(self) -> bool:
        return not self._enough

    def _on_rollout_start(self) -> None:
        spec = self._fit.spec
        share = self._ppo.num_timesteps / spec.steps
        self._many.starts = spec.starts_at(share)
        assert spec.algorithm.ppo is not None
        for part in (self._ppo.policy.mlp_extractor.policy_net, self._ppo.policy.action_net):
            for parameter in part.parameters():
                parameter.requires_grad_(share >= spec.algorithm.ppo.value_first)
        if self._ppo.num_timesteps - self._checked >= spec.check_every:
            self.check()

    def _on_training_end(self) -> None:
        self.check()

    def check(self) -> None:
        """Try the policy, keep it if it is the best, and write a checkpoint."""
        fit, steps = self._fit, self._ppo.num_timesteps
        self._checked = steps
        finished, self._many.finished = self._many.finished, []
        training = {
            name: round(float(np.mean([ok for of, ok, _ in finished if of == name])), 4)
            for name in dict.fromkeys(of for of, _, _ in finished)
        }
        policy = Policy(policy_layers(self._ppo), fit._made(self._made, steps))
        point = fit._point(steps, training, policy, self._best_score)
        if point.best:
            self.best, self._best_score = policy, sum(point.trial.values())
        fit._keep(point, policy)
        part = fit.out / "checkpoint.part.zip"
        self._ppo.save(part)
        part.replace(fit.out / CHECKPOINT)
        fit.write_state(self._many.episodes)
        good = fit.spec.good_enough
        if good is not None and min(point.trial.values()) >= good.success:
            self._enough = True


def layers_of(network: nn.Sequential) -> list[tuple[Any, Any]]:
    """Return the layers of a network of imitation as arrays: weights (in, out), biases (out,)."""
    return [
        (part.weight.detach().numpy().T.copy(), part.bias.detach().numpy().copy())
        for part in network
        if isinstance(part, nn.Linear)
    ]


def policy_layers(model: PPO) -> list[tuple[Any, Any]]:
    """Return the same of a PPO model's policy."""
    hidden = model.policy.mlp_extractor.policy_net
    return layers_of(nn.Sequential(*hidden, model.policy.action_net))
