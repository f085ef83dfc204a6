"""Trains what a learning file says: PPO of stable-baselines3, or cloning alone.

Everything is drawn from the file's seed. Demonstrations, and a checkpoint every few rollouts, are
saved, so that an interrupted training resumes; episodes that were under way begin anew.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from torch import nn

from treec.arrays import read_arrays
from treec.atomic import atomic_writer, write_atomic
from treec_learning.files import HAND_AT_TARGET, CloningSpec, LearningFile, PpoSpec, RewardFile
from treec_learning.hand.training_task import HandGround
from treec_learning.imitation import Demonstrations, clone
from treec_learning.pantry.training_task import PantryGround
from treec_learning.policy import POLICY, Policy, PolicyError, load_policy, save_policy
from treec_learning.vectorized import ManyEpisodes

CHECKPOINT, STATE = "checkpoint.zip", "state.json"
_DEMONSTRATIONS = "demonstrations.npz"
NO_DEMONSTRATIONS = (
    "nothing was reached, and 'ppo:' has no demonstrations to begin with: such as "
    "'begin_with: {demonstrations: 400}'"
)
_TRIED = 50  # episodes of each start in a trial, where the file does not say


@dataclass(frozen=True)
class CurvePoint:
    """A point of the learning curve: after how many steps and seconds, and what a trial gave."""

    steps: int
    seconds: float
    training: dict[str, float]
    """Share of the episodes since the last point that reached their goal, by start."""
    trial: dict[str, float]
    """Share of a trial's episodes that did so without a touch, by start."""
    best: bool


@dataclass(frozen=True)
class TrainingProgress:
    """A line for the user while a training is under way, and the point that was reached."""

    text: str
    point: CurvePoint | None = None


class PolicyTraining:
    """A training in a folder; see the module."""

    def __init__(
        self,
        spec: LearningFile,
        reward: RewardFile,
        out: Path,
        tell: Callable[[TrainingProgress], None],
    ) -> None:
        """Prepare a training, or resume the one in that folder.

        Raises ValueError if that is a training of other files, and names what differs.
        """
        self.spec, self.reward, self.out, self.tell = spec, reward, out, tell
        ground = HandGround if spec.environment == HAND_AT_TARGET else PantryGround
        self.ground: HandGround | PantryGround = ground(spec, reward)
        self.curve: list[CurvePoint] = []
        files = {"learning": spec.model_dump(), "reward": reward.model_dump()}
        self._files: dict[str, Any] = json.loads(json.dumps(files))
        self._before = 0.0
        self.episodes = 0
        self._resumed: list[int] = []
        state = out / STATE
        if state.is_file():
            kept = json.loads(state.read_text("utf-8"))
            differs = _difference(kept["files"], self._files)
            if differs:
                raise ValueError(
                    f"{out} has a training with another {differs}: specify another --out"
                )
            self.curve = [CurvePoint(**point) for point in kept["curve"]]
            self._before, self.episodes = kept["seconds"], kept["episodes"]
            self._resumed = kept.get("resumed", [])
        torch.set_num_threads(spec.threads)
        self._began = time.monotonic()

    @property
    def seconds(self) -> float:
        """Seconds that the training has taken, with those before it was resumed."""
        return self._before + time.monotonic() - self._began

    def run(self, made: dict[str, Any]) -> Policy:
        """Train to the end and write the best policy by trial; ``made`` is kept in it.

        KeyboardInterrupt leaves the last checkpoint. Raises ValueError for an unknown start, and
        OSError.
        """
        self.write_state()
        cloning = self.spec.algorithm.cloning
        if cloning is not None:
            policy = Policy(layers_of(self._clone(cloning)), self.provenance(made, 0))
            self.curve.clear()
            self.keep(self.try_out(0, {}, policy, -1.0), policy)
            self.write_state()
            return policy
        assert self.spec.algorithm.ppo is not None
        return self._ppo(self.spec.algorithm.ppo, made)

    def provenance(self, made: dict[str, Any], steps: int) -> dict[str, Any]:
        """Return what is kept in a policy: ``made``, the files, steps, seconds, and resumes."""
        own = {"steps": steps, "seconds": round(self.seconds), "resumed_after": self._resumed}
        return {**made, **self._files, **own}

    def try_out(
        self, steps: int, training: dict[str, float], policy: Policy, best: float
    ) -> CurvePoint:
        """Try a policy from every start; it is the best if it does better than ``best``."""
        good = self.spec.good_enough
        number = _TRIED if good is None else good.episodes
        successes = {
            start: self.ground.success(policy, start, number) for start in self.spec.all_starts()
        }
        seconds = round(self.seconds, 1)
        return CurvePoint(steps, seconds, training, successes, sum(successes.values()) > best)

    def keep(self, point: CurvePoint, policy: Policy) -> None:
        """Add a point to the curve, and write its policy if it is the best."""
        if point.best:
            save_policy(self.out / POLICY, policy)
        self.curve.append(point)
        shares = ", ".join(f"{start} {share:.0%}" for start, share in point.trial.items())
        self.tell(
            TrainingProgress(f"{point.steps:,} steps, {point.seconds:.0f} s: {shares}", point)
        )
        ppo = self.spec.algorithm.ppo
        nothing = not any([*point.trial.values(), *point.training.values()])
        if nothing and ppo is not None and ppo.begin_with is None and len(self.curve) == 1:
            self.tell(TrainingProgress(NO_DEMONSTRATIONS))

    def write_state(self) -> None:
        """Write what a resumed training needs beside its checkpoint."""
        kept = {
            "files": self._files,
            "curve": [asdict(point) for point in self.curve],
            "seconds": self.seconds,
            "episodes": self.episodes,
            "resumed": self._resumed,
        }
        write_atomic(self.out / STATE, json.dumps(kept, indent=1))

    def _clone(self, spec: CloningSpec) -> nn.Sequential:
        shown = self._demonstrations(spec)
        self.tell(TrainingProgress(f"{shown.number} demonstrations, {len(shown.done)} actions"))
        return clone(
            shown,
            spec.layers,
            epochs=spec.epochs,
            batch=spec.batch_size,
            learning_rate=spec.learning_rate,
            seed=self.spec.seed,
            report=lambda epoch, loss: self.tell(
                TrainingProgress(f"cloning, epoch {epoch}: {loss:.3f}")
            ),
        )

    def _demonstrations(self, spec: CloningSpec) -> Demonstrations:
        path = self.out / _DEMONSTRATIONS
        drawn = [spec.demonstrations, spec.starts, self.spec.observation, self.spec.top]
        key = json.dumps([*drawn, self.spec.seed])
        if path.is_file():
            file = read_arrays(path)
            if str(file["key"]) == key:
                counts = int(file["number"]), int(file["unsolved"])
                return Demonstrations(file["seen"], file["done"], *counts)
        shown = self.ground.demonstrate(
            spec,
            lambda n: self.tell(TrainingProgress(f"demonstration {n} of {spec.demonstrations}")),
        )
        with atomic_writer(path) as writer:
            np.savez(writer, key=np.array(key), **asdict(shown))
        return shown

    def _ppo(self, spec: PpoSpec, made: dict[str, Any]) -> Policy:
        many = self.ground.many()
        checkpoint = self.out / CHECKPOINT
        if checkpoint.is_file():
            model = PPO.load(checkpoint, env=many, device="cpu")
            many.skip(self.episodes)
            many.starts = self.spec.starts_at(model.num_timesteps / self.spec.steps)
            self.curve = [point for point in self.curve if point.steps <= model.num_timesteps]
            self._resumed = [*self._resumed, model.num_timesteps]
        else:
            self.curve.clear()
            model = self._new(spec, many)
        follower = _TrainingCallback(self, many, model, made)
        left = self.spec.steps - model.num_timesteps
        if left > 0 and not follower.is_good_enough:
            model.learn(left, callback=follower, reset_num_timesteps=False)
        if follower.best is None:
            follower.check()
        assert follower.best is not None
        return follower.best

    def _new(self, spec: PpoSpec, many: ManyEpisodes) -> PPO:
        last = spec.final_learning_rate
        first = spec.learning_rate
        named = {"n_steps", "batch_size", "n_epochs", "gamma", "gae_lambda", "clip_range"}
        model = PPO(
            "MlpPolicy",
            many,
            learning_rate=first if last is None else _LinearSchedule(first, last),
            policy_kwargs={"net_arch": list(spec.layers), "log_std_init": spec.log_std_init},
            device="cpu",
            seed=self.spec.seed,
            **spec.model_dump(include=named | {"ent_coef", "vf_coef", "max_grad_norm"}),
        )
        if spec.begin_with is not None:
            network = self._clone(spec.begin_with.model_copy(update={"layers": spec.layers}))
            hidden, last_layer = network[:-1], network[-1]
            model.policy.mlp_extractor.policy_net.load_state_dict(hidden.state_dict())
            model.policy.action_net.load_state_dict(last_layer.state_dict())
        return model


class _LinearSchedule:
    """A learning rate that falls in a straight line; stable-baselines3 calls it, and pickles it."""

    def __init__(self, first: float, last: float) -> None:
        self.first, self.last = first, last

    def __call__(self, left: float) -> float:
        return self.last + left * (self.first - self.last)


class _TrainingCallback(BaseCallback):
    """Between two rollouts: the curriculum, checkpoints, trials, and an early end."""

    def __init__(
        self,
        training: PolicyTraining,
        many: ManyEpisodes,
        model: PPO,
        made: dict[str, Any],
    ) -> None:
        super().__init__()
        self._training, self._many, self._made = training, many, made
        self._ppo = model
        self.best: Policy | None = None
        self._best_score = max((sum(p.trial.values()) for p in training.curve), default=-1.0)
        self._checked = model.num_timesteps
        self.is_good_enough = bool(training.curve) and self._is_good(training.curve[-1])
        if training.curve:
            with suppress(PolicyError):
                self.best = load_policy(training.out / POLICY)

    def _on_step(self) -> bool:
        return not self.is_good_enough

    def _on_rollout_start(self) -> None:
        spec = self._training.spec
        share = self._ppo.num_timesteps / spec.steps
        self._many.starts = spec.starts_at(share)
        assert spec.algorithm.ppo is not None
        for part in (self._ppo.policy.mlp_extractor.policy_net, self._ppo.policy.action_net):
            for parameter in part.parameters():
                parameter.requires_grad_(share >= spec.algorithm.ppo.value_first)
        if self._ppo.num_timesteps - self._checked >= spec.check_every:
            self.check()

    def _on_training_end(self) -> None:
        if not self.is_good_enough:
            self.check()

    def check(self) -> None:
        """Try the policy, keep it if it is the best, and write a checkpoint."""
        training, steps = self._training, self._ppo.num_timesteps
        self._checked = steps
        finished, self._many.finished = self._many.finished, []
        reached = {
            start: round(float(np.mean([ok for of, ok, _ in finished if of == start])), 4)
            for start in dict.fromkeys(of for of, _, _ in finished)
        }
        policy = Policy(policy_layers(self._ppo), training.provenance(self._made, steps))
        point = training.try_out(steps, reached, policy, self._best_score)
        if point.best:
            self.best, self._best_score = policy, sum(point.trial.values())
        training.episodes = self._many.episodes
        training.keep(point, policy)
        training.write_state()  # before the checkpoint: points after it are dropped at a resume
        with atomic_writer(training.out / CHECKPOINT) as file:
            self._ppo.save(file)  # type: ignore[arg-type]  # a BufferedWriter, as it asks for
        self.is_good_enough = self._is_good(point)

    def _is_good(self, point: CurvePoint) -> bool:
        good = self._training.spec.good_enough
        return good is not None and min(point.trial.values()) >= good.success


def _difference(kept: dict[str, Any], own: dict[str, Any]) -> str:
    """The first key in which two trainings' files differ; empty if they are the same.

    A training may be resumed with more steps.
    """
    for kind, file in own.items():
        for key, value in file.items():
            if key != "steps" and kept.get(kind, {}).get(key) != value:
                return f"'{key}' of its {kind} file"
    return ""


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
