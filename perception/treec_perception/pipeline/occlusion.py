"""Which sides of what is seen of a thing something covers, so that it may go on there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treec_perception.pipeline.segment import Mask

Depths = npt.NDArray[np.floating[Any]]

GAP = 0.04
"""Metres by which something that covers a part of a thing is nearer than the thing."""

AROUND = (2, 7)
"""From how many to how many pixels beside a thing its neighbours are looked at: not the nearest
ones, since depth is often missing at an edge."""

COVERED = 0.5
"""Share of a side's pixels that something nearer, or the picture's edge, takes up when it covers
that side."""


@dataclass(frozen=True, slots=True)
class CoveredSides:
    """Which sides of what is seen of a thing are covered, so that it may go on there."""

    left: bool = False
    right: bool = False
    above: bool = False
    below: bool = False

    @property
    def wide(self) -> bool:
        """Whether a part of its width is covered."""
        return self.left or self.right

    @property
    def high(self) -> bool:
        """Whether a part of its height is covered."""
        return self.above or self.below


def covered_sides(depth: Depths, mask: Mask) -> CoveredSides:
    """Return which sides of a thing something covers.

    ``depth`` (metres; 0 where it is missing) is of the picture, ``mask`` of what is seen of the
    thing. A side is covered where most of what is beside it is nearer than the thing, beyond the
    picture, or has no depth, as what is too near a camera. The camera is upright.
    """
    if not mask.any():
        return CoveredSides()
    far = float(np.median(depth[mask & (depth > 0)])) if (mask & (depth > 0)).any() else 0.0
    sides = [_beside(depth, mask, axis, step) < far - GAP for axis in (1, 0) for step in (-1, 1)]
    return CoveredSides(*(float(side.mean()) > COVERED for side in sides))


def _beside(depth: Depths, mask: Mask, axis: int, step: int) -> npt.NDArray[np.float64]:
    """The nearest depth (m) beside each row or column of a mask: 0 where none is known."""
    rows = np.moveaxis(mask, axis, -1), np.moveaxis(depth, axis, -1)
    inside, metres = (it if step > 0 else it[:, ::-1] for it in rows)
    chosen = np.flatnonzero(inside.any(axis=1))
    last = inside.shape[1] - 1 - np.argmax(inside[chosen, ::-1], axis=1)
    nearest = np.full(len(chosen), np.inf)
    for away in range(*AROUND):
        at = last + away
        within = at < inside.shape[1]
        values = metres[chosen[within], at[within]]
        nearest[within] = np.minimum(nearest[within], np.where(values > 0, values, np.inf))
    return np.where(np.isfinite(nearest), nearest, 0.0)
