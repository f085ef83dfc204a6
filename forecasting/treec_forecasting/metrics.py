"""How far forecasts are off: ADE and FDE, with standard errors over recordings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treec_forecasting.windows import Bools
from treec_sapien.people.skeleton import WRISTS


@dataclass(frozen=True)
class MeanError:
    """A mean (mm) and its standard error, with windows of one recording taken together.

    The standard error of one recording alone is NaN: nothing tells how others differ.
    """

    mean: float
    error: float
    windows: int


def displacement(
    forecast: npt.NDArray[np.float32], truth: npt.NDArray[np.float32]
) -> npt.NDArray[np.float32]:
    """Return distances (w, 25, 7) in mm of forecast and true joints (w, 25, 7, 3; m)."""
    millimetres: npt.NDArray[np.float32] = 1000.0 * np.linalg.norm(forecast - truth, axis=-1)
    return millimetres


def summarize(
    off: npt.NDArray[np.float32],
    recording: npt.NDArray[np.int64],
    transition: Bools,
) -> Mapping[str, MeanError]:
    """Return ADE (mean over the second) and FDE (its end) of all joints and of wrists.

    ``recording`` (w) numbers each window's recording. Keys with ``T-`` are of transition windows
    alone.
    """
    errors = {}
    for prefix, chosen in (("", np.ones(len(off), np.bool_)), ("T-", transition)):
        if not chosen.any():
            continue
        part, own = off[chosen], recording[chosen]
        for name, joints in (("all", slice(None)), ("wrists", list(WRISTS))):
            values = part[:, :, joints].mean(axis=2)
            errors[f"{prefix}{name} ADE"] = clustered(values.mean(axis=1), own)
            errors[f"{prefix}{name} FDE"] = clustered(values[:, -1], own)
    return errors


def clustered(values: npt.NDArray[np.float32], cluster: npt.NDArray[np.int64]) -> MeanError:
    """Return the mean of values (w), and its standard error from the sums of each cluster."""
    values = values.astype(np.float64)
    mean = float(values.mean())
    numbers, inverse = np.unique(cluster, return_inverse=True)
    sums = np.bincount(inverse, values - mean)
    k = len(numbers)
    if k < 2:
        return MeanError(mean, float("nan"), len(values))
    error = float(np.sqrt(k / (k - 1) * (sums**2).sum()) / len(values))
    return MeanError(mean, error, len(values))
