"""How well what a box shows agrees with the size that the thing has."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from treec_perception.pipeline.centre import LEAST, Size
from treec_perception.pipeline.occlusion import CoveredSides
from treec_sapien.view.camera import Floats

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


def seen_size(points: Floats, eye: Floats, covered: CoveredSides | None = None) -> SeenSize | None:
    """Return the size of points (n, 3) seen from ``eye`` (z is up); None for too few.

    ``covered`` are the sides of the thing that something covers (default: none).
    """
    if len(points) < LEAST:
        return None
    away = points.mean(axis=0) - eye
    flat = math.hypot(away[0], away[1])
    across = np.array((-away[1], away[0])) / flat if flat > 1e-6 else np.array((1.0, 0.0))
    lateral = points[:, :2] @ across
    wide = float(np.percentile(lateral, 97) - np.percentile(lateral, 3)) / 0.94
    high = float(np.percentile(points[:, 2], 97) - np.percentile(points[:, 2], 3)) / 0.94
    sides = covered or CoveredSides()
    return SeenSize(max(wide, 1e-3), max(high, 1e-3), sides.wide, sides.high)
