"""How wide the radius must be for a share of the joints, by recordings that were not fitted to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from treec_forecasting.evaluation import Corruption, corrupted
from treec_forecasting.forecaster import LEVELS, Forecaster
from treec_forecasting.windows import MotionWindows
from treec_sapien.people.skeleton import FUTURE, PAST

Floats32 = npt.NDArray[np.float32]

CAMERAS = (Corruption(), Corruption(0.01), Corruption(0.0, 0.1))
"""How the recordings are seen that a network is calibrated with which was trained on such."""


def calibrated(
    forecaster: Forecaster,
    sets: Mapping[str, MotionWindows],
    cameras: Sequence[Corruption] = CAMERAS,
) -> dict[str, Any]:
    """Return what a card has as ``calibration``, by recordings of each set, each as heavy.

    ``radii``: by whether the gate is open (``moves``) or not (``stays``), for each of the
    ``LEVELS`` and each frame, the spreads within which that share of the joints is. Conformal:
    the ⌈(n + 1) p⌉ smallest of n. Nothing for a network without a spread. Raises ValueError if
    there is no window.
    """
    ratios: dict[str, list[tuple[Floats32, float]]] = {"moves": [], "stays": []}
    for motion in sets.values():
        truth = motion.window(motion.starts)[:, PAST:, :7]
        for how in cameras if len(truth) else ():
            forecasts = forecaster.forecast(corrupted(motion, how), motion.starts)
            if forecasts.spread is None:
                return {}
            off = np.linalg.norm(forecasts.points[:, :, :7] - truth, axis=-1)
            ratio = (off / forecasts.spread).astype(np.float32)
            for name, chosen in (("moves", forecasts.moves), ("stays", ~forecasts.moves)):
                if chosen.any():
                    ratios[name].append((ratio[chosen], 1.0 / len(ratio)))
    radii = {name: _quantiles(parts) for name, parts in ratios.items() if parts}
    if not radii:
        raise ValueError("no window to calibrate with")
    return {"radii": radii}


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
