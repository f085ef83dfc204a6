"""Forecasts without learning: nothing moves, or all moves on."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treec_sapien.people.skeleton import FUTURE, PAST


def zero_velocity(past: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the last positions for the second ahead: (w, 10, k, 3) → (w, 25, k, 3)."""
    return np.repeat(past[:, PAST - 1 : PAST], FUTURE, axis=1)


def constant_velocity(past: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return positions that go on as from the last frame but one to the last."""
    last = past[:, PAST - 1 : PAST]
    ahead = np.arange(1, FUTURE + 1, dtype=np.float32)[:, None, None]
    forecast: npt.NDArray[np.float32] = last + (last - past[:, PAST - 2 : PAST - 1]) * ahead
    return forecast


BASELINES = {"zero_velocity": zero_velocity, "constant_velocity": constant_velocity}
