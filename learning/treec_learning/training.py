"""Trains what a learning file says: an algorithm of stable-baselines3, or cloning alone.

Everything is drawn from the file's seed. Demonstrations, and a checkpoint every few rollouts, are
saved, so that an interrupted training resumes; episodes that were under way begin anew.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.off_policy_algorithm import OffPolicyAlgorithm
from torch import nn

from treec.arrays import read_arrays
from treec.atomic import atomic_writer, write_atomic
from treec_learning.algorithms import layers_of, load_model, network_of, new_model
from treec_learning.episodes import EPISODE
from treec_learning.files import HAND_AT_TARGET, CloningSpec, LearningFile, RewardFile
from treec_learning.hand.training_task import HandGround
from treec_learning.imitation import Demonstrations, clone
from treec_learning.own_environment import OwnGround
from treec_learning.pantry.training_task import PantryGround
from treec_learning.policy import POLICY, Policy, PolicyError, load_policy, save_policy
from treec_learning.vectorized import ManyEpisodes, OwnEpisodes

CHECKPOINT, STATE = "checkpoint.zip", "state.json"
_BUFFER = "replay_buffer.pkl"
_DEMONSTRATIONS = "demonstrations.npz"
NO_DEMONSTRATIONS = (
    "nothing was reached, and 'ppo:' has no demonstrations to begin with: such as "
    "'begin_with: {demonstrations: 400}'"
)
NOTHING_REACHED = (
    "no episode was a success so far: where that stays so, what helps is a reward that grows on "
    "the way, easier starts, more steps, or in an environment of goals 'hindsight: 4' of sac or td3"
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
    mean_return: float | None = None
    """Of a trial in an environment that is not treec's."""

    @property
    def score(self) -> tuple[float, float]:
        """What makes one policy better than another."""
        return sum(self.trial.values()), self.mean_return or 0.0


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
        reward: RewardFile | None,
        out: Path,
        tell: Callable[[TrainingProgress], None],
    ) -> None:
        """Prepare a training, or resume the one in that folder.

        Raises ValueError if that is a training of other files, and names what differs, and for an
        environment that cannot be trained in.
        """
        self.spec, self.out, self.tell = spec, out, tell
        self.ground = _ground(spec, reward)
        self.curve: list[CurvePoint] = []
        files = {"learning": spec.model_dump(), "reward": reward and reward.model_dump()}
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
            self.keep(self.try_out(0, {}, policy, None), policy)
            self.write_state()
            return policy
        return self._learn(made)

    def provenance(self, made: dict[str, Any], steps: int) -> dict[str, Any]:
        """Return what is kept in a policy: ``made``, the files, steps, seconds, and resumes."""
        own = {"steps": steps, "seconds": round(self.seconds), "resumed_after": self._resumed}
        return {**made, **self._files, **own}

    def try_out(
        self,
        steps: int,
        training: dict[str, float],
        policy: Policy,
        best: tuple[float, float] | None,
    ) -> CurvePoint:
        """Try a policy from every start; it is the best if its score is higher than ``best``."""
        good = self.spec.good_enough
        number = _TRIED if good is None else good.episodes
        mean_return: float | None = None
        if isinstance(self.ground, OwnGround):
            successes, mean_return = self.ground.trial(policy, number)
        else:
            successes = {
                start: self.ground.success(policy, start, number)
                for start in self.spec.all_starts()
            }
        seconds = round(self.seconds, 1)
        point = CurvePoint(steps, seconds, training, successes, False, mean_return)
        return replace(point, best=best is None or point.score > best)

    def keep(self, point: CurvePoint, policy: Policy) -> None:
        """Add a point to the curve, and write its policy if it is the best."""
        if point.best:
            save_policy(self.out / POLICY, policy)
        self.curve.append(point)
        text = f"{point.steps:,} steps, {point.seconds:.0f} s: {trial_text(point)}"
        self.tell(TrainingProgress(text, point))
        reached = [*point.trial.values(), *point.training.values()]
        if len(self.curve) > 1 or any(reached) or not reached:
            return
        ppo = self.spec.algorithm.ppo
        if not self.spec.is_ours:
            self.tell(TrainingProgress(NOTHING_REACHED))
        elif self.spec.algorithm.cloning is None and (ppo is None or ppo.begin_with is None):
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
        assert not isinstance(self.ground, OwnGround), "its files have no demonstrations"
        shown = self.ground.demonstrate(
            spec,
            lambda n: self.tell(TrainingProgress(f"demonstration {n} of {spec.demonstrations}")),
        )
        with atomic_writer(path) as writer:
            np.savez(writer, key=np.array(key), **asdict(shown))
        return shown

    def _learn(self, made: dict[str, Any]) -> Policy:
        many = self.ground.many()
        checkpoint = self.out / CHECKPOINT
        if checkpoint.is_file():
            model = load_model(self.spec, checkpoint, many)
            if (self.out / _BUFFER).is_file():
                cast(OffPolicyAlgorithm, model).load_replay_buffer(self.out / _BUFFER)
            many.skip(self.episodes)
            many.starts = self.spec.starts_at(model.num_timesteps / self.spec.steps)
            self.curve = [point for point in self.curve if point.steps <= model.num_timesteps]
            self._resumed = [*self._resumed, model.num_timesteps]
        else:
            self.curve.clear()
            model = self._new(many)
        follower = _TrainingCallback(self, many, model, made)
        left = self.spec.steps - model.num_timesteps
        if left > 0 and not follower.is_good_enough:
            model.learn(left, callback=follower, reset_num_timesteps=False)
        if follower.best is None:
            follower.check()
        assert follower.best is not None
        return follower.best

    def _new(self, many: ManyEpisodes | OwnEpisodes) -> BaseAlgorithm:
        model = new_model(self.spec, many)
        ppo = self.spec.algorithm.ppo
        if ppo is not None and ppo.begin_with is not None:
            network = self._clone(ppo.begin_with.model_copy(update={"layers": ppo.layers}))
            hidden, last_layer = network[:-1], network[-1]
            policy: Any = model.policy
            policy.mlp_extractor.policy_net.load_state_dict(hidden.state_dict())
            policy.action_net.load_state_dict(last_layer.state_dict())
        return model


def trial_text(point: CurvePoint) -> str:
    """What a trial gave, in words."""
    shares = [
        f"{share:.0%} succeeded" if start == EPISODE else f"{start} {share:.0%}"
        for start, share in point.trial.items()
    ]
    if point.mean_return is not None:
        shares.append(f"mean return {point.mean_return:.4g}")
    return ", ".join(shares)


def _ground(spec: LearningFile, reward: RewardFile | None) -> HandGround | PantryGround | OwnGround:
    if reward is None:
        return OwnGround(spec)
    return (HandGround if spec.environment == HAND_AT_TARGET else PantryGround)(spec, reward)


class _TrainingCallback(BaseCallback):
    """Between two rollouts: the curriculum, checkpoints, trials, and an early end."""

    def __init__(
        self,
        training: PolicyTraining,
        many: ManyEpisodes | OwnEpisodes,
        model: BaseAlgorithm,
        made: dict[str, Any],
    ) -> None:
        super().__init__()
        self._training, self._many, self._made = training, many, made
        self._model = model
        self.best: Policy | None = None
        self._best_score = max((point.score for point in training.curve), default=None)
        self._checked = model.num_timesteps
        self.is_good_enough = bool(training.curve) and self._is_good(training.curve[-1])
        if training.curve:
            with suppress(PolicyError):
                self.best = load_policy(training.out / POLICY)

    def _on_step(self) -> bool:
        return not self.is_good_enough

    def _on_rollout_start(self) -> None:
        spec = self._training.spec
        share = self._model.num_timesteps / spec.steps
        self._many.starts = spec.starts_at(share)
        ppo, policy = spec.algorithm.ppo, cast(Any, self._model.policy)
        if ppo is not None and ppo.value_first:
            for part in (policy.mlp_extractor.policy_net, policy.action_net):
                for parameter in part.parameters():
                    parameter.requires_grad_(share >= ppo.value_first)
        if self._model.num_timesteps - self._checked >= spec.check_every:
            self.check()

    def _on_training_end(self) -> None:
        if not self.is_good_enough:
            self.check()

    def check(self) -> None:
        """Try the policy, keep it if it is the best, and write a checkpoint."""
        training, steps = self._training, self._model.num_timesteps
        self._checked = steps
        finished, self._many.finished = self._many.finished, []
        reached = {
            start: round(float(np.mean([ok for of, ok, _ in finished if of == start])), 4)
            for start in dict.fromkeys(of for of, _, _ in finished)
        }
        policy = policy_of(self._model, training.provenance(self._made, steps), training.ground)
        point = training.try_out(steps, reached, policy, self._best_score)
        if point.best:
            self.best, self._best_score = policy, point.score
        training.episodes = self._many.episodes
        training.keep(point, policy)
        training.write_state()  # before the checkpoint: points after it are dropped at a resume
        with atomic_writer(training.out / CHECKPOINT) as file:
            self._model.save(file)  # type: ignore[arg-type]  # a BufferedWriter, as it asks for
        if isinstance(self._model, OffPolicyAlgorithm):
            with atomic_writer(training.out / _BUFFER) as file:
                self._model.save_replay_buffer(file)  # type: ignore[arg-type]  # likewise
        self.is_good_enough = self._is_good(point)

    def _is_good(self, point: CurvePoint) -> bool:
        good = self._training.spec.good_enough
        return good is not None and bool(point.trial) and min(point.trial.values()) >= good.success


def policy_of(
    model: BaseAlgorithm, made: dict[str, Any], ground: HandGround | PantryGround | OwnGround
) -> Policy:
    """Return the policy of a model as it is now, with what its network and environment are."""
    network = network_of(model)
    made["network"] = {"activation": network.activation, "squash": network.squash}
    if isinstance(ground, OwnGround):
        made["spaces"] = ground.spaces.data()
    return Policy(network.layers, made)


def _difference(kept: dict[str, Any], own: dict[str, Any]) -> str:
    """The first key in which two trainings' files differ; empty if they are the same.

    A training may be resumed with more steps.
    """
    for kind, file in own.items():
        for key, value in file.items():
            if key != "steps" and kept.get(kind, {}).get(key) != value:
                return f"'{key}' of its {kind} file"
    return ""
