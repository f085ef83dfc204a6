"""Joints that tracking mistakes for something else for a moment, and how noisy the others are.

A tracker may take an edge of the table for a wrist in one pose and find the wrist in the next. One
such place among the poses looks like a fast motion to every forecaster for as long as it sees it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treec_sapien.people.recordings import Floats

Mask = npt.NDArray[np.bool_]

JUMP = 0.13
"""Metres that a joint may be off where those before lead, beyond what an acceleration of
`ACCELERATION` makes."""

SPIKE = 0.08
"""Metres that one may be off the line between those before and after: that is known less noisily.
"""

ACCELERATION = 20.0
"""m/s² of a hand that is quick."""

_FITTED = 4
"""Poses that lead to the next one."""

_NORM = 1.5**0.5 * 1.54
"""Median distance (of 3 coordinates) of white noise with a standard deviation of 1 to that line."""


def are_led_to(times: Floats, poses: Floats, known: Mask, time: float, pose: Floats) -> Mask:
    """Return which joints of a pose (k, 3) are where those before lead; all, if these are too few.

    ``poses`` (n, k, 3) at ``times`` (n) are those before, and ``known`` (n, k) says which of their
    joints to go by.
    """
    last = known & (np.cumsum(known[::-1], axis=0)[::-1] <= _FITTED)
    since = (times - time)[:, None] * np.ones(known.shape)
    count = np.maximum(last.sum(axis=0), 1)
    middle = (since * last).sum(axis=0) / count
    apart = (since - middle) * last
    square = np.maximum((apart**2).sum(axis=0), 1e-9)
    place = (poses * last[..., None]).sum(axis=0) / count[:, None]
    speed = (poses * apart[..., None]).sum(axis=0) / square[:, None]
    off = np.linalg.norm(pose - (place - speed * middle[:, None]), axis=1)
    newest = np.where(last, since, -np.inf).max(axis=0)
    few = last.sum(axis=0) < _FITTED
    return np.asarray(few | (off <= JUMP + ACCELERATION / 2 * np.where(few, 0.0, newest) ** 2))


def without_spikes(times: Floats, poses: Floats, known: Mask) -> Floats:
    """Return poses (n, k, 3) at ``times`` (n) in which no joint is off for a moment.

    Where one is, or is not ``known`` (n, k), it is where those before and after lead; in the newest
    pose where it was last.
    """
    out = poses.copy()
    for joint in range(poses.shape[1]):
        kept = _fitting(times, poses[:, joint], np.flatnonzero(known[:, joint]).tolist())
        if 0 < len(kept) < len(times):
            for axis in range(3):
                out[:, joint, axis] = np.interp(times, times[kept], poses[kept, joint, axis])
    return out


def _fitting(times: Floats, places: Floats, kept: list[int]) -> list[int]:
    """Of these places of one joint, those that are near the line between their neighbours.

    The worst is dropped first, and its neighbours, which it made look bad, are looked at again.
    """
    while len(kept) > 2:
        off = _off_the_line(times[kept], places[kept])
        worst = int(np.argmax(off))
        if off[worst] <= SPIKE:
            break
        del kept[worst + 1]
    return kept


def _off_the_line(times: Floats, places: Floats) -> Floats:
    """By how much (n - 2) each place but the ends is farther off than an acceleration brings it."""
    before, after = times[1:-1] - times[:-2], times[2:] - times[1:-1]
    return np.asarray(_apart_from_line(times, places) - ACCELERATION / 2 * before * after)


def _apart_from_line(times: Floats, places: Floats) -> Floats:
    """How far (n - 2, …) places (n, …, 3) but the ends are off the line between the neighbours."""
    share = (times[1:-1] - times[:-2]) / (times[2:] - times[:-2])
    share = share.reshape(-1, *[1] * (places.ndim - 1))
    line = places[:-2] * (1 - share) + places[2:] * share
    return np.asarray(np.linalg.norm(places[1:-1] - line, axis=-1))


def noise_of(times: Floats, poses: Floats) -> float:
    """Return the standard deviation (m) of the noise of joints (n, k, 3) at ``times`` (n).

    From how far each is off the line between those before and after, in which a person's motion
    hardly shows. 0 of less than three poses.
    """
    if len(times) < 3:
        return 0.0
    return float(np.median(_apart_from_line(times, poses))) / _NORM
