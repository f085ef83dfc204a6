"""Fits a forecaster's gate to recordings that the network was not fitted to, and to made-up motion.

What is fitted is the forecast's own error, of what the gate lets through beside standing still's on
each set: the more people move the less a centimetre counts, and a set that is worse than standing
still counts more. Beside the recordings as they are, they are slower, faster and backwards.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from treec_forecasting.evaluation import Corruption, corrupted
from treec_forecasting.forecaster import Forecaster
from treec_forecasting.gate import FEATURES, LIMIT, POSE, Gate, normalized
from treec_forecasting.synthetic import KNOWN, motion_episodes
from treec_forecasting.windows import MotionWindows, motion_of
from treec_sapien.people.recordings import MotionEpisode, by_file
from treec_sapien.people.skeleton import PAST, RATE

CAMERAS = (
    Corruption(),
    Corruption(0.01, 0.0, 1),
    Corruption(0.03, 0.0, 2),
    Corruption(0.0, 0.1, 3),
)
"""How motion is seen to which a gate is fitted."""

SEED = 7001
"""Of the people in the made-up motion."""

FRAMES = (2, 6, 10, 15, 20, 24)
"""Frames of the second ahead at which errors are compared."""

HIDDEN, DROPOUT, SETS, BATCH = 48, 0.1, 12, 64
"""Units of the hidden layer; sets in each step, and windows of each."""

WORSE = 4.0
"""How much more it counts to be worse than standing still than to be better."""

OWN = 10.0
"""How much more often the recordings, of the file with the most, are seen as they are than any
other motion."""

STRANGE = 0.4
"""Share of windows of other motion whose pose and velocity are anybody's, with noise: only where
they are as in the recordings should they open a gate that the last forecasts do not open."""


@dataclass(frozen=True)
class _Set:
    """Windows of one kind of motion as one camera sees them, and how far off standing still is."""

    features: npt.NDArray[np.float32]
    moved: Tensor
    true: Tensor
    weight: float

    def errors(self) -> Tensor:
        """Return what `_errors` of standing still are on average (4)."""
        return _errors(torch.zeros(len(self.moved), 2), self.moved, self.true).mean(dim=0)


def fitted(
    forecaster: Forecaster, recordings: Sequence[MotionEpisode], steps: int = 2500, count: int = 40
) -> Gate:
    """Return a gate, by recordings and so many made-up ones of each kind.

    Equal arguments give equal gates. Raises ValueError if no recording has a window.
    """
    sets = [
        _seen(forecaster, motion, how, weight)
        for motion, weight in _motions(recordings, count)
        if len(motion.starts)
        for how in CAMERAS
    ]
    if not any(it.weight > 1.0 for it in sets):
        raise ValueError("no recording to fit a gate to is as long as a window")
    return fitted_to(sets, forecaster.spec.seed, steps)


def fitted_to(sets: Sequence[_Set], seed: int, steps: int) -> Gate:
    """Return a gate by windows of each set."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    every = np.concatenate([it.features for it in sets])
    mean, deviation = every.mean(axis=0), every.std(axis=0) + 1e-3
    inputs = [torch.from_numpy(normalized(it.features, mean, deviation)) for it in sets]
    still = torch.stack([it.errors() for it in sets])
    often = np.array([it.weight for it in sets])
    enter, leave = nn.Linear(FEATURES, HIDDEN), nn.Linear(HIDDEN, 2)
    network = nn.Sequential(nn.Dropout(DROPOUT), enter, nn.ReLU(), nn.Dropout(DROPOUT), leave)
    optimizer = torch.optim.AdamW(network.parameters(), weight_decay=1e-2)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = 1.5e-3 * (1.01 + math.cos(math.pi * step / steps))
        chosen = rng.choice(len(sets), SETS, p=often / often.sum())
        windows = [torch.from_numpy(rng.integers(len(inputs[it]), size=BATCH)) for it in chosen]
        x, moved, true = (
            torch.cat([values[it][at] for it, at in zip(chosen, windows, strict=True)])
            for values in (inputs, [it.moved for it in sets], [it.true for it in sets])
        )
        own = torch.from_numpy(often[chosen] > 1.0).repeat_interleave(BATCH)
        gates = torch.sigmoid(network(_with_strange_poses(x, ~own)))
        worse = _errors(gates, moved, true) - _errors(torch.zeros_like(gates), moved, true)
        worse = worse.view(SETS, BATCH, 4).mean(dim=1) / still[chosen]
        loss = (worse * torch.tensor((1.0, 1.0, 0.3, 0.3)) + WORSE * worse.relu()).sum(dim=1)
        optimizer.zero_grad()
        loss.mean().backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    arrays = (enter.weight, enter.bias, leave.weight, leave.bias)
    return Gate(mean, deviation, *(it.detach().numpy() for it in arrays))


def _with_strange_poses(features: Tensor, may: Tensor) -> Tensor:
    """Return features (w, n) of which a share, where it ``may`` be, have another pose."""
    count = len(features)
    pose = features[torch.randperm(count), -POSE:]
    pose = pose + 2 * torch.rand(count, 1) * torch.randn(count, POSE)
    swap = (torch.rand(count) < STRANGE) & may
    out = features.clone()
    out[swap, -POSE:] = pose[swap].clamp(-LIMIT, LIMIT)
    return out


def _motions(
    recordings: Sequence[MotionEpisode], count: int
) -> Iterator[tuple[MotionWindows, float]]:
    """Return kinds of motion, and how often each is seen."""
    files = by_file(recordings)
    most = max(files.values(), key=len, default=[])
    for own in files.values():
        yield motion_of(own), OWN if own is most else 1.0
    for speed in (-1.0, 0.5, 1.7, -0.6):
        yield motion_of([_played(it, speed) for it in most[::3]]), 1.0
    for kind, often in {**dict.fromkeys(KNOWN, 1.0), "reach": 1.5, "offer": 0.75}.items():
        yield motion_of(motion_episodes(kind, math.ceil(often * count), SEED)), 1.0
    rng = np.random.default_rng(SEED)
    strange = motion_episodes("stand", count, SEED + 1)
    yield motion_of([_swaying(it, rng) for it in strange]), 1.0


def _swaying(episode: MotionEpisode, rng: np.random.Generator) -> MotionEpisode:
    """Return somebody whose joints each go to and fro for themselves, and who drifts."""
    t = np.arange(len(episode))[:, None, None] / RATE
    far = np.exp(rng.uniform(np.log(0.003), np.log(0.08)))
    sizes, rates, phases = rng.uniform(0.0, 1.0, (3, 8, 3))
    sway = far * sizes * np.sin(2 * np.pi * (t * (0.2 + 1.5 * rates) + phases))
    sway += rng.uniform(0.0, 0.3) * np.sin(t * rng.uniform(0.3, 1.2, 3) + phases[0])
    joints, root = episode.joints + sway[:, :7], episode.root + sway[:, 7]
    return MotionEpisode(episode.recording, episode.person, joints, root)


def _played(episode: MotionEpisode, speed: float) -> MotionEpisode:
    """Return a recording played so fast; backwards, if that is below 0."""
    at = np.arange(0.0, len(episode) - 1, abs(speed))
    first = at.astype(np.int64)
    share = at - first

    def played(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        part = share.reshape(-1, *(1,) * (values.ndim - 1))
        out = values[first] * (1 - part) + values[first + 1] * part
        return np.array(out[::-1] if speed < 0 else out)

    return MotionEpisode(
        episode.recording,
        episode.person,
        played(episode.joints),
        played(episode.root),
        None if episode.partner is None else played(episode.partner),
        None if episode.thing is None else played(episode.thing),
    )


def _seen(forecaster: Forecaster, motion: MotionWindows, how: Corruption, weight: float) -> _Set:
    seen = corrupted(motion, how)
    moved, _, features = forecaster.judged(seen, motion.starts)
    last = seen.frames[motion.starts + PAST - 1][:, None, :8]
    true = motion.window(motion.starts)[:, PAST:, :8] - last
    frames = list(FRAMES)
    return _Set(
        features, torch.from_numpy(moved[:, frames]), torch.from_numpy(true[:, frames]), weight
    )


def _errors(gates: Tensor, moved: Tensor, true: Tensor) -> Tensor:
    """Return windows' ADE and FDE (w, 4; m) relative to the root and in the scene: R, S, R, S."""
    root, real = moved[:, :, 7:], true[:, :, 7:]
    parts, body = gates.view(-1, 2, 1, 1, 1).unbind(dim=1)
    relative = parts * (moved - root)[:, :, :7] - (true - real)[:, :, :7]
    off = relative.norm(dim=-1), (relative + body * root - real).norm(dim=-1)
    means = [it.mean(dim=(1, 2)) for it in off] + [it[:, -1].mean(dim=1) for it in off]
    return torch.stack(means, dim=1)
