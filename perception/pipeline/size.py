"""How well what a box shows agrees with the size that the thing has."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treec.envs.sapien.view.camera import Floats
from treec.perception.pipeline.centre import LEAST, Size
from treec.perception.pipeline.segment import Mask

Depths = npt.NDArray[np.floating[Any]]

GAP = 0.04
"""Metres by which something that covers a part of a thing is nearer than the thing."""

AROUND = (2, 7)
"""From how many to how many pixels beside a thing its neighbours are looked at: not the nearest
ones, since depth is often missing at an edge."""

COVERED = 0.5
"""Share of a side's pixels that something nearer, or the picture's edge, takes up when it covers
that side."""

FALLEN = 0.3
"""Agreement of a thing of the right size on its side: most things stand as they should."""


@dataclass(frozen=True, slots=True)
class SeenSize:
    """How wide and how high (m) what is seen is, across the line of sight.

    Where something in front covers a side, the thing may be any amount wider or higher than that.
    """

    wide: float
    high: float
    wide_covered: bool = False
    high_covered: bool = False

    def agreement(self, size: Size, tolerance: float) -> float:
        """Return 0 to 1: how well it agrees with a thing's width, depth and height (m).

        Height and width are compared, each as a ratio; ``tolerance`` is the standard deviation of
        its logarithm. The thing may lie on its side, which is less likely.
        """
        width, depth, height = size
        fallen = ((height, depth, width), (height, width, depth))
        return max(
            self._upright(size, tolerance),
            *(FALLEN * self._upright(it, tolerance) for it in fallen),
        )

    def _upright(self, size: Size, tolerance: float) -> float:
        narrow, broad = min(size[:2]), math.hypot(size[0], size[1])
        nearest = min(max(self.wide, narrow), broad)  # any width between is one at some heading
        across, up = math.log(self.wide / nearest), math.log(self.high / size[2])
        if self.wide_covered:
            across = max(across, 0.0)
        if self.high_covered:
            up = max(up, 0.0)
        return math.exp(-0.5 * (across**2 + up**2) / tolerance**2)


def seen_size(
    points: Floats, eye: Floats, covered: tuple[bool, bool] = (False, False)
) -> SeenSize | None:
    """Return the size of points (n, 3) seen from ``eye`` (z is up); None for too few.

    ``covered`` says whether something covers a part of the thing's width, and of its height.
    """
    if len(points) < LEAST:
        return None
    away = points.mean(axis=0) - eye
    flat = math.hypot(away[0], away[1])
    across = np.array((-away[1], away[0])) / flat if flat > 1e-6 else np.array((1.0, 0.0))
    lateral = points[:, :2] @ across
    wide = float(np.percentile(lateral, 97) - np.percentile(lateral, 3)) / 0.94
    high = float(np.percentile(points[:, 2], 97) - np.percentile(points[:, 2], 3)) / 0.94
    return SeenSize(max(wide, 1e-3), max(high, 1e-3), *covered)


def covered_sides(depth: Depths, mask: Mask) -> tuple[bool, bool]:
    """Return whether something covers a part of a thing's width, and of its height.

    ``depth`` (metres; 0 where it is missing) is of the picture, ``mask`` of what is seen of the
    thing. A side is covered where most of what is beside it is nearer than the thing, beyond the
    picture, or has no depth, as what is too near a camera. The camera is upright.
    """
    if not mask.any():
        return False, False
    far = float(np.median(depth[mask & (depth > 0)])) if (mask & (depth > 0)).any() else 0.0
    sides = [_beside(depth, mask, axis, step) < far - GAP for axis in (1, 0) for step in (-1, 1)]
    left, right, above, below = (float(side.mean()) > COVERED for side in sides)
    return left or right, above or below


def _beside(depth: Depths, mask: Mask, axis: int, step: int) -> npt.NDArray[np.float64]:
    """The nearest depth (m) beside each row or column of a mask: 0 where none is known."""
    rows = np.moveaxis(mask, axis, -1), np.moveaxis(depth, axis, -1)
    inside, metres = (it if step > 0 else it[:, ::-1] for it in rows)
    chosen = np.flatnonzero(inside.any(axis=1))
    last = inside.shape[1] - 1 - np.argmax(inside[chosen, ::-1], axis=1)
    found = np.full(len(chosen), np.inf)
    for away in range(*AROUND):
        at = last + away
        within = at < inside.shape[1]
        values = metres[chosen[within], at[within]]
        found[within] = np.minimum(found[within], np.where(values > 0, values, np.inf))
    return np.where(np.isfinite(found), found, 0.0)
