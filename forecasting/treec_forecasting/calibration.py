"""What a trained network is held to by recordings that it was not fitted to.

From which gain on its gate opens, and how wide the radius must be for a share of the joints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from treec_forecasting.evaluation import Corruption, corrupted
from treec_forecasting.forecaster import LEVELS
from treec_forecasting.networks import DctMlp, gated
from treec_forecasting.windows import Bools, MotionWindows, facing, seen_from
from treec_sapien.people.skeleton import FUTURE, PAST

Floats32 = npt.NDArray[np.float32]

CAMERAS = (Corruption(), Corruption(0.01), Corruption(0.0, 0.1))
"""How the recordings are seen that a network is calibrated with which was trained on such."""

GAINS = tuple(round(0.05 * it, 2) for it in range(21))
"""Gains (log of the ratio of expected errors) from which on a gate may open."""

TOLERATED = 1.02
"""How much farther off than standing still a set may be."""


def calibrated(
    network: DctMlp,
    sets: Mapping[str, MotionWindows],
    cameras: Sequence[Corruption] = CAMERAS,
) -> dict[str, Any]:
    """Return what a card has as ``calibration``, by recordings of each set, each as heavy.

    ``thresholds``: the lowest at which no set is 2 % farther off than standing still, however it is
    seen, of joints relative to the root and in the scene; None for a network without a gate.
    ``radii``: by whether the gate is open (``moves``) or not (``stays``), for each of the
    ``LEVELS`` and each frame, the spreads within which that share of the joints is. Conformal:
    the ⌈(n + 1) p⌉ smallest of n. Raises ValueError if there is no window.
    """
    seen = [_Seen(network, motion, how) for motion in sets.values() for how in cameras]
    seen = [it for it in seen if len(it.truth)]
    if not seen:
        raise ValueError("no window to calibrate with")
    thresholds = None
    if network.gain is not None:
        network.thresholds = (2.0, 2.0)
        for number, is_safe in enumerate((_Seen.keeps_parts, _Seen.keeps_all)):
            fits = (
                it for it in GAINS if all(is_safe(one, _with(network, number, it)) for one in seen)
            )
            _with(network, number, next(fits, GAINS[-1]))
        thresholds = list(network.thresholds)
    ratios: dict[str, list[tuple[Floats32, float]]] = {"moves": [], "stays": []}
    for one in seen:
        ratio, is_open = one.ratios()
        for name, chosen in (("moves", is_open), ("stays", ~is_open)):
            if chosen.any():
                ratios[name].append((ratio[chosen], 1.0 / len(ratio)))
    radii = {name: _quantiles(parts) for name, parts in ratios.items() if parts}
    return {"thresholds": thresholds, "radii": radii}


class _Seen:
    """A set's windows as a camera sees them, and what a network gives for them."""

    def __init__(self, network: DctMlp, motion: MotionWindows, how: Corruption) -> None:
        self._network = network.eval()
        starts = motion.starts
        past = corrupted(motion, how).frames[starts[:, None] + np.arange(PAST)]
        origin, turn = facing(past)
        has = torch.from_numpy(motion.has[starts])
        seen = torch.from_numpy(seen_from(past, origin, turn))
        seen[:, :, 8:15] *= has[:, None, :1, None]
        seen[:, :, 15:] *= has[:, None, 1:, None]
        truth = seen_from(motion.window(starts)[:, PAST:, :8], origin, turn)
        self.truth, self.last = torch.from_numpy(truth), seen[:, PAST - 1 :, :8]
        with torch.inference_mode():
            parts = [
                network.parts(*it)
                for it in zip(torch.split(seen, 1024), torch.split(has, 1024), strict=True)
            ]
        moved, spread, expected = zip(*parts, strict=True)
        self._moved, self._spread = torch.cat(moved), torch.cat(spread)
        self._expected = None if expected[0] is None else torch.cat(expected)

    def points(self) -> tuple[Tensor, Tensor]:
        """Return the forecast (w, 25, 8, 3), and how far its gates are open (w, 2)."""
        if self._expected is None:
            return self.last + self._moved, torch.ones(len(self.last), 2)
        gates = self._network.opened(self._expected)
        return self.last + gated(self._moved, gates), gates

    def keeps_parts(self, _: DctMlp) -> bool:
        """Whether joints relative to the root are no farther off than standing still."""
        return self._compared(1)

    def keeps_all(self, _: DctMlp) -> bool:
        """Whether joints in the scene are no farther off than standing still."""
        return self._compared(0)

    def _compared(self, which: int) -> bool:
        own, still = (_errors(it, self.truth)[which] for it in (self.points()[0], self.last))
        return bool(own.mean() <= TOLERATED * still.mean()) and bool(
            own[:, -1].mean() <= TOLERATED * still[:, -1].mean()
        )

    def ratios(self) -> tuple[Floats32, Bools]:
        """Return distances in spreads (w, 25, 7), and where the gate is open (w)."""
        points, gates = self.points()
        off = _errors(points, self.truth)[0] / self._spread
        return off.numpy(), (gates > 0.0).any(dim=1).numpy()


def _with(network: DctMlp, number: int, threshold: float) -> DctMlp:
    """Set one of a network's thresholds."""
    both = list(network.thresholds)
    both[number] = threshold
    network.thresholds = (both[0], both[1])
    return network


def _errors(points: Tensor, truth: Tensor) -> tuple[Tensor, Tensor]:
    """Return distances (w, 25, 7) in the scene and relative to the root."""
    off = points - truth
    return off[:, :, :7].norm(dim=-1), (off[:, :, :7] - off[:, :, 7:]).norm(dim=-1)


def _quantiles(parts: list[tuple[Floats32, float]]) -> list[list[float]]:
    """Return (levels, 25) quantiles of ratios (w, 25, 7), windows of each part so heavy."""
    weights = np.concatenate([np.full(7 * len(ratio), weight) for ratio, weight in parts])
    rows = []
    for frame in range(FUTURE):
        values = np.concatenate([ratio[:, frame].ravel() for ratio, _ in parts])
        order = np.argsort(values)
        share = np.cumsum(weights[order]) / (weights.sum() * (1 + 1 / len(values)))
        at = np.minimum(np.searchsorted(share, LEVELS), len(values) - 1)
        rows.append(values[order][at])
    return [[round(float(it), 3) for it in row] for row in np.array(rows).T]
