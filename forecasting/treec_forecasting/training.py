"""Fits a network to windows of motion."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from treec.atomic import atomic_writer
from treec_forecasting.calibration import CAMERAS, calibrated
from treec_forecasting.files import ForecastFile
from treec_forecasting.forecaster import Forecaster, ForecasterError, Recordings, digest, load
from treec_forecasting.gate import Gate
from treec_forecasting.gate_fitting import fitted
from treec_forecasting.networks import POINTS, make_network
from treec_forecasting.variation import varied
from treec_forecasting.windows import MotionWindows, facing, motion_of, seen_from, transitions
from treec_sapien.people.recordings import MotionEpisode, by_file
from treec_sapien.people.skeleton import MIRRORED, PAST, RATE, WINDOW

EVENED = 0.3
"""How far off (m) standing still is for a window to count half as much as one without motion."""

_SWAP = [*MIRRORED, 7, *(8 + joint for joint in MIRRORED), 15]

ReportProgress = Callable[["Progress"], None]


@dataclass(frozen=True)
class Progress:
    """Where a training is: its epoch, the mean training loss, validation ADEs (mm).

    ``is_best`` says whether this epoch's network is kept, until a better one comes.
    """

    epoch: int
    epochs: int
    loss: float
    relative: float
    absolute: float
    is_best: bool
    seconds: float


class Fit:
    """A training that can be stopped after any epoch and goes on from its checkpoint."""

    def __init__(
        self,
        spec: ForecastFile,
        train: list[MotionEpisode],
        validation: list[MotionEpisode],
        out: Path,
    ) -> None:
        """Prepare a training; a checkpoint in ``out`` of the same file and data is gone on from.

        Raises ValueError for a checkpoint of another file or of other recordings, for one that is
        damaged, and for recordings without windows.
        """
        torch.manual_seed(spec.seed)
        torch.set_num_threads(spec.threads)
        self._spec, self._out = spec, out
        self._train = motion_of(train, 1)
        self._validation = motion_of(validation)
        if not len(self._train.starts) or not len(self._validation.starts):
            raise ValueError(
                f"{len(train)} episodes to train on and {len(validation)} to validate with: at "
                f"least one of each must be as long as a window ({WINDOW / RATE:g} s)"
            )
        self._near = transitions(self._train)
        self._data = _digest(self._train, self._validation)
        self.network = make_network(spec.network.kind, spec.network.parameters())
        self._best: dict[str, Any] = {}
        self._best_score = math.inf
        self.best = (math.inf, math.inf)
        self.before: dict[str, Any] | None = None
        """What a card says about the forecaster that this training began with, if it did."""
        self._epoch = 0
        self._optimizer = torch.optim.AdamW(
            self.network.parameters(), lr=spec.learning_rate, weight_decay=spec.weight_decay
        )
        if self.checkpoint.is_file():
            self._resume()

    @property
    def checkpoint(self) -> Path:
        """The file of the last finished epoch."""
        return self._out / "checkpoint.pt"

    def _resume(self) -> None:
        try:
            saved = torch.load(self.checkpoint, weights_only=True)
            of = saved["spec"], saved["data"]
            self.before = saved["before"]
        except Exception as error:  # pickle, zip and torch each raise their own
            raise ValueError(
                f"{self.checkpoint} is damaged, or of another version ({type(error).__name__}): "
                "remove it to begin anew"
            ) from None
        for name, is_same in (
            ("of another forecast file", of[0] == self._spec.model_dump_json()),
            ("of other recordings", of[1] == self._data),
        ):
            if not is_same:
                raise ValueError(f"{self.checkpoint} is {name}: remove it, or use another --out")
        self.network.load_state_dict(saved["network"])
        self._optimizer.load_state_dict(saved["optimizer"])
        self._best, self._best_score, self._epoch = saved["best"], saved["score"], saved["epoch"]
        self.best = (saved["errors"][0], saved["errors"][1])

    def begin_with(self, folder: Path) -> None:
        """Begin with the weights of a trained forecaster of the same network.

        Its hash, and what it was trained on and held out, are kept as ``before``, in the
        checkpoint, too: a training that is resumed needs its folder no more. Raises
        ForecasterError.
        """
        first = load(folder)
        if first.spec.network != self._spec.network:
            raise ForecasterError(f"{folder} is of another network: it cannot be fine-tuned")
        self.network.load_state_dict({**self.network.state_dict(), **first.state()}, strict=False)
        known = {it: first.made[it] for it in Recordings.model_fields if it in first.made}
        self.before = {"sha256": digest(folder), **known}

    def run(self, report: ReportProgress) -> dict[str, Any]:
        """Fit to the end; return the best network's parameters by validation.

        KeyboardInterrupt leaves the checkpoint of the last whole epoch. Raises ValueError if the
        network diverges.
        """
        while self._epoch < self._spec.epochs:
            began = time.monotonic()
            loss = self._one_epoch(self._epoch)
            self._epoch += 1
            relative, absolute = self.validate()
            if not math.isfinite(loss + relative + absolute):
                raise ValueError(
                    f"epoch {self._epoch}: the loss or the error is not a number any more: the "
                    "training diverged; try a smaller learning_rate"
                )
            score = relative + 0.3 * absolute
            is_best = score < self._best_score
            if is_best:
                self._best_score = score
                self.best = (relative, absolute)
                self._best = {k: v.clone() for k, v in self.network.state_dict().items()}
            self._save()
            spent = time.monotonic() - began
            report(
                Progress(
                    self._epoch,
                    self._spec.epochs,
                    loss,
                    relative,
                    absolute,
                    is_best,
                    spent,
                )
            )
        return self._best

    def _save(self) -> None:
        state = {
            "spec": self._spec.model_dump_json(),
            "data": self._data,
            "before": self.before,
            "network": self.network.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "best": self._best,
            "score": self._best_score,
            "errors": list(self.best),
            "epoch": self._epoch,
        }
        with atomic_writer(self.checkpoint) as file:
            torch.save(state, file)

    def _one_epoch(self, epoch: int) -> float:
        spec = self._spec
        rng = np.random.default_rng([spec.seed, epoch])
        torch.manual_seed(spec.seed * 100003 + epoch)
        starts = self._train.starts
        count = min(len(starts), spec.windows_per_epoch)
        chosen = rng.permutation(len(starts))[:count]
        near = np.flatnonzero(self._near)
        if spec.transition_share and len(near):
            swap = rng.random(count) < spec.transition_share
            chosen[swap] = near[rng.integers(len(near), size=int(swap.sum()))]
        self.network.train()
        total, steps = 0.0, max(1, count // spec.batch)
        for step in range(steps):
            rate = 0.5 * (1 + math.cos(math.pi * (epoch + step / steps) / spec.epochs))
            for group in self._optimizer.param_groups:
                group["lr"] = spec.learning_rate * max(rate, 0.01)
            part = starts[chosen[step * spec.batch : (step + 1) * spec.batch]]
            seen, has = prepared(self._train, part)
            if spec.mirror:
                seen = mirrored(seen, rng.random(len(seen)) < 0.5)
            batch = torch.from_numpy(seen)
            if spec.vary:
                noisy, truth = varied(batch, spec.noise)
            else:
                noisy, truth = batch[:, :PAST], batch[:, PAST:, :8]
                if spec.noise:
                    noisy = noisy + spec.noise * torch.randn_like(noisy)
            loss = loss_of(self.network, noisy, torch.from_numpy(has), truth, even=spec.vary)
            self._optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
            self._optimizer.step()
            total += float(loss.detach())
        return total / steps

    def validate(self) -> tuple[float, float]:
        """Return the ADE (mm) of the validation windows: relative to the root, and in the scene."""
        relative = absolute = 0.0
        count = 0
        self.network.eval()
        for at in range(0, len(self._validation.starts), 2048):
            seen, has = prepared(self._validation, self._validation.starts[at : at + 2048])
            with torch.inference_mode():
                out, _ = self.network(torch.from_numpy(seen[:, :PAST]), torch.from_numpy(has))
            truth = torch.from_numpy(seen[:, PAST:, :8])
            off = (out - truth)[:, :, :7]
            root = (out - truth)[:, :, 7:]
            absolute += float(off.norm(dim=-1).mean(dim=(1, 2)).sum())
            relative += float((off - root).norm(dim=-1).mean(dim=(1, 2)).sum())
            count += len(seen)
        return 1000 * relative / count, 1000 * absolute / count


def finished(
    spec: ForecastFile,
    state: Mapping[str, Any],
    made: Mapping[str, Any],
    validation: Sequence[MotionEpisode],
) -> tuple[ForecastFile, Mapping[str, Any], Mapping[str, Any], Gate | None]:
    """Return what `save` writes of a trained network: with a gate if the file says so, and radii.

    Both by the recordings of validation; the radii by each file's alike. Raises ValueError.
    """
    network = make_network(spec.network.kind, spec.network.parameters())
    network.load_state_dict(dict(state))
    alone = Forecaster(spec, {}, network)
    gate = fitted(alone, validation) if spec.gate else None
    motions = {name: motion_of(own) for name, own in sorted(by_file(validation).items())}
    cameras = CAMERAS if spec.vary else CAMERAS[:1]
    calibration = calibrated(Forecaster(spec, {}, network, gate), motions, cameras)
    return spec, state, {**made, "calibration": calibration}, gate


def _digest(*parts: MotionWindows) -> str:
    """Return the SHA-256 of motion."""
    sha = hashlib.sha256()
    for part in parts:
        for values in (part.frames, part.has, part.starts, part.episode):
            sha.update(np.ascontiguousarray(values).tobytes())
    return sha.hexdigest()


def loss_of(
    network: nn.Module, past: Tensor, has: Tensor, truth: Tensor, *, even: bool = False
) -> Tensor:
    """Return the mean distance (m) in the scene and relative to the root, plus the spread's part.

    The spread is fitted as the scale of an exponential distribution of distances; it does not
    change how joints move. With ``even``, windows count the more the less people move: a centimetre
    is much for who stands still.
    """
    out, spread = network(past, has)
    relative, absolute = _distances(out, truth)
    each = (relative + 0.5 * absolute).mean(dim=(1, 2))
    if even:
        still = _distances(past[:, -1:, :POINTS], truth)
        stays = (still[0] + 0.5 * still[1]).mean(dim=(1, 2))
        each = each * EVENED / (stays + EVENED)
    loss = each.mean()
    if spread is not None:
        loss = loss + 0.01 * (absolute.detach() / spread + spread.log()).mean()
    total: Tensor = loss
    return total


def _distances(out: Tensor, truth: Tensor) -> tuple[Tensor, Tensor]:
    """Return distances (w, 25, 7; m) relative to the root and in the scene."""
    off = out - truth
    return (off[:, :, :7] - off[:, :, 7:]).norm(dim=-1), off[:, :, :7].norm(dim=-1)


def prepared(
    motion: MotionWindows, starts: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Return windows (w, 35, 16, 3) in the person's frame, and what is there (w, 2)."""
    window = motion.window(starts)
    origin, turn = facing(window)
    seen = seen_from(window, origin, turn)
    has = motion.has[starts]
    seen[:, :, 8:15] *= has[:, None, :1, None]
    seen[:, :, 15:] *= has[:, None, 1:, None]
    return seen, has


def mirrored(
    seen: npt.NDArray[np.float32], which: npt.NDArray[np.bool_]
) -> npt.NDArray[np.float32]:
    """Swap left and right of some windows in the person's frame."""
    out = seen.copy()
    swapped = seen[which][:, :, _SWAP]
    swapped[..., 1] *= -1
    out[which] = swapped
    return out
