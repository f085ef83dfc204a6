"""The gate of a forecaster: how much of its motion is taken, the rest is standing still.

It goes by how the forecaster's own forecasts of up to 0.8 s ago did against what has come since,
beside those of standing still; by speed, acceleration and pose in what is seen, and by how the
motion that is forecast goes on from there. It opens for the body (the root) and for its parts
relative to the root, each from 0 (all stays) to 1 (all moves as forecast).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treec_forecasting.windows import MotionWindows, facing
from treec_sapien.people.skeleton import PAST

LAGS = (5, 10, 15, 20)
"""Frames since the forecasts were made that are compared with what has come since."""

HISTORY = PAST + max(LAGS)
"""Frames that a gate looks at, if they are there: with fewer, fewer forecasts are compared."""

LIMIT = 3.0
"""Standard deviations beyond which features say nothing more."""

Floats32 = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Gate:
    """A small network over the features: one hidden layer, two gates."""

    mean: Floats32
    deviation: Floats32
    enter: Floats32
    enter_bias: Floats32
    leave: Floats32
    leave_bias: Floats32

    @classmethod
    def of(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> Gate:
        """Return a gate by its arrays; raises ValueError if they do not fit each other."""
        given = {name: arrays[name].astype(np.float32) for name in cls.__dataclass_fields__}
        hidden = len(given["enter_bias"])
        fits = {
            "mean": (FEATURES,),
            "deviation": (FEATURES,),
            "enter": (hidden, FEATURES),
            "leave": (2, hidden),
            "leave_bias": (2,),
        }
        for name, shape in fits.items():
            if given[name].shape != shape:
                raise ValueError(f"'{name}' is {given[name].shape}, and would be right as {shape}")
        return cls(**given)

    def opened(self, features: Floats32) -> Floats32:
        """Return how far the gates of the parts and of the body are open (w, 2)."""
        x = normalized(features, self.mean, self.deviation) @ self.enter.T + self.enter_bias
        x = np.maximum(x, 0.0) @ self.leave.T + self.leave_bias
        opened: Floats32 = (0.5 + 0.5 * np.tanh(x / 2)).astype(np.float32)
        return opened


def normalized(features: Floats32, mean: Floats32, deviation: Floats32) -> Floats32:
    """Return features with mean 0 and deviation 1, none beyond `LIMIT`."""
    return np.clip((features - mean) / deviation, -LIMIT, LIMIT)


def earlier(motion: MotionWindows, starts: npt.NDArray[np.int64]) -> tuple[Any, Bools]:
    """Return the windows (lags, w) whose forecasts can be compared by now, and which are there."""
    before = starts[None] - np.array(LAGS)[:, None]
    there = before >= 0
    there &= motion.episode[np.maximum(before, 0)] == motion.episode[starts]
    return np.where(there, before, starts), there


def features(
    motion: MotionWindows,
    starts: npt.NDArray[np.int64],
    moved: Floats32,
    spread: Floats32 | None,
    before: npt.NDArray[np.int64],
    there: Bools,
    moved_before: Floats32,
) -> Floats32:
    """Return what a gate goes by (w, `FEATURES`).

    ``moved`` (w, 25, 8, 3) is how far joints and root are forecast to move from where they were
    last seen; ``before``, ``there`` (lags, w) are of `earlier`, ``moved_before`` (lags, w, 25, 8,
    3) what was forecast then.
    """
    past = motion.frames[starts[:, None] + np.arange(PAST)][:, :, :8]
    columns: list[Any] = []
    for number, lag in enumerate(LAGS):
        last = before[number] + PAST - 1
        came = motion.frames[last[:, None] + np.arange(1, lag + 1)][:, :, :8]
        came = came - motion.frames[last][:, None, :8]
        for real, own in zip(_parts(came), _parts(moved_before[number][:, :lag]), strict=True):
            columns += [it * there[number] for it in _compared(real, own)]
    for seen, ahead in zip(_parts(past), _parts(moved), strict=True):
        columns += _onward(seen, ahead)
    far = np.full(len(starts), 0.1) if spread is None else spread.mean(axis=(1, 2))
    columns += [_log(far), *there.astype(np.float32)]
    _, turn = facing(past)
    pose = np.einsum("wki,wij->wkj", past[:, -1, :7] - past[:, -1, 7:], turn)
    speed = np.einsum("wki,wij->wkj", past[:, 5:].mean(axis=1) - past[:, :5].mean(axis=1), turn)
    columns += [*pose.reshape(len(past), -1).T, *speed.reshape(len(past), -1).T]
    out: Floats32 = np.stack(columns, axis=1).astype(np.float32)
    return out


POSE = 7 * 3 + 8 * 3
"""The last features: where joints are from the root, and velocities, as the person faces."""

FEATURES = 2 * 3 * len(LAGS) + 2 * 10 + 1 + len(LAGS) + POSE


def taken(moved: Floats32, gates: Floats32) -> Floats32:
    """Return what is left of a motion (w, 25, 8, 3) by the gates (w, 2) of parts and body."""
    root = moved[:, :, 7:]
    parts, body = (it[:, None, None, None] for it in gates.T)
    left: Floats32 = body * root + parts * (moved - root)
    return left


def _parts(points: Floats32) -> tuple[Floats32, Floats32]:
    """Return joints relative to the root, and the root."""
    return points[:, :, :7] - points[:, :, 7:], points[:, :, 7:]


def _compared(real: Floats32, own: Floats32) -> list[Any]:
    """Return how a forecast did: the share of it that came, its direction, its error's log ratio.

    The share is what least squares would have taken of it; the ratio is standing still's error to
    the forecast's.
    """
    small = 1e-6 * own[0].size / 3
    both, squared, came = (
        (a * b).sum(axis=(1, 2, 3)) for a, b in ((real, own), (own, own), (real, real))
    )
    still, off = (np.linalg.norm(it, axis=-1).mean(axis=(1, 2)) for it in (real, real - own))
    return [
        np.clip(both / (squared + small), -1.0, 2.0),
        both / np.sqrt((squared + small) * (came + small)),
        np.clip(np.log((still + 2e-3) / (off + 2e-3)), -2.0, 2.0),
    ]


def _onward(seen: Floats32, ahead: Floats32) -> list[Any]:
    """Return sizes of what is seen and of what is forecast, and whether this goes on from that."""
    half = PAST // 2
    speed = (seen[:, half:].mean(axis=1) - seen[:, :half].mean(axis=1)) / half
    recent = (seen[:, 7:].mean(axis=1) - seen[:, 4:7].mean(axis=1)) / 3
    first = ahead[:, half - 1] / half
    size = [
        _far(speed),
        _far(recent),
        _far(seen[:, 2:] - 2 * seen[:, 1:-1] + seen[:, :-2]),
        _far(seen[:, 1:] - seen[:, :-1]),
        _far(ahead),
        _far(ahead[:, -1]),
        _far(first),
    ]
    return [
        *(_log(it) for it in size),
        _direction(speed, first),
        _direction(recent, first),
        np.log((size[0] + 1e-3) / (size[6] + 1e-3)) / 2,
    ]


def _far(ways: Floats32) -> Any:
    """Return mean lengths (w) of vectors (w, …, 3)."""
    return np.linalg.norm(ways, axis=-1).reshape(len(ways), -1).mean(axis=1)


def _log(sizes: Any) -> Any:
    return np.log(sizes + 1e-3) / 2


def _direction(a: Floats32, b: Floats32) -> Any:
    """Return cosines (w) between motions (w, k, 3)."""
    sizes = np.sqrt((a * a).sum(axis=(1, 2)) * (b * b).sum(axis=(1, 2)))
    return (a * b).sum(axis=(1, 2)) / (sizes + 1e-9)
