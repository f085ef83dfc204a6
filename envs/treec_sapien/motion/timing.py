"""Time parametrization of paths: as fast as joint limits allow, at rest at both ends.

Corners of the path are rounded a little; then every point gets the largest speed at which no joint
exceeds its velocity or acceleration, by a forward and a backward pass.
"""

from __future__ import annotations

import itertools

import numpy as np

from treec_sapien.motion.frames import Array

CONTROL = 1.0 / 60.0
"""Seconds between two targets given to the drives."""

_GAP = 0.02  # rad or m between the points at which a speed is computed
_SHARE = 0.7  # shares of the acceleration: along the path, and for curvature
_ROUND = 5  # points on each side over which a corner is rounded


def time_parametrize(
    path: Array, velocity: Array, acceleration: Array, *, pace: float = 1.0, exact: bool = False
) -> Array:
    """Return the position at each control step (n, joints) on a piecewise linear path (m, joints).

    ``velocity`` and ``acceleration`` are the joints' limits; ``pace`` below 1 is slower. The first
    row is one step after the start; the last is the path's end. With ``exact`` corners are kept and
    passed slowly.
    """
    velocity, acceleration = velocity * pace, acceleration * pace
    longest = float(np.max(np.abs(np.diff(path, axis=0)), initial=0.0))
    gap = min(_GAP, max(longest / 8, 1e-6))  # short paths have a middle, too
    dense = resample(path, gap) if exact else round_corners(path, gap)
    gaps = np.linalg.norm(np.diff(dense, axis=0), axis=1)
    keep = np.concatenate([[True], gaps > 1e-9])
    dense = dense[keep]
    if len(dense) < 2:
        return np.array(path[-1:])
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(dense, axis=0), axis=1))])
    first = np.gradient(dense, along, axis=0)
    second = np.gradient(first, along, axis=0) if len(dense) > 2 else np.zeros_like(first)
    with np.errstate(divide="ignore"):
        by_speed = np.min(velocity / np.maximum(np.abs(first), 1e-9), axis=1) ** 2
        by_bend = np.min(_SHARE * acceleration / np.maximum(np.abs(second), 1e-9), axis=1)
    push = np.min(_SHARE * acceleration / np.maximum(np.abs(first), 1e-9), axis=1)
    square = np.minimum(by_speed, by_bend)
    square[0] = square[-1] = 0.0
    step = np.diff(along)
    for i in range(1, len(square)):
        square[i] = min(square[i], square[i - 1] + 2 * min(push[i - 1], push[i]) * step[i - 1])
    for i in range(len(square) - 2, -1, -1):
        square[i] = min(square[i], square[i + 1] + 2 * min(push[i + 1], push[i]) * step[i])
    speed = np.sqrt(square)
    when = np.concatenate([[0.0], np.cumsum(2 * step / np.maximum(speed[1:] + speed[:-1], 1e-6))])
    count = max(1, int(np.ceil(when[-1] / CONTROL - 1e-9)))
    ticks = np.minimum(np.arange(1, count + 1) * CONTROL, when[-1])
    piece = np.clip(np.searchsorted(when, ticks, side="right") - 1, 0, len(step) - 1)
    since = ticks - when[piece]
    pull = (square[piece + 1] - square[piece]) / (2 * step[piece])
    place = along[piece] + speed[piece] * since + pull * since**2 / 2
    out = np.stack([np.interp(place, along, column) for column in dense.T], axis=1)
    out[-1] = path[-1]
    return out


def round_corners(path: Array, gap: float = _GAP) -> Array:
    """Return the path at points ``gap`` apart, corners averaged over their neighbours."""
    dense = resample(path, gap)
    if len(path) < 3 or len(dense) < 5:
        return dense
    for _ in range(2):  # twice, for a gradual start and end of the bend
        smooth = dense.copy()
        for i in range(1, len(dense) - 1):
            reach = min(i, len(dense) - 1 - i, _ROUND)
            smooth[i] = np.mean(dense[i - reach : i + reach + 1], axis=0)
        dense = smooth
    return dense


def resample(path: Array, gap: float) -> Array:
    """Return the same path at points at most ``gap`` apart."""
    points = [path[:1]]
    for start, end in itertools.pairwise(path):
        count = max(1, int(np.ceil(np.max(np.abs(end - start)) / gap)))
        points.append(start + (end - start) * (np.arange(1, count + 1) / count)[:, None])
    return np.asarray(np.concatenate(points))
