"""How well what a box shows agrees with the size that the thing has."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from treec.envs.sapien.view.camera import Floats
from treec.perception.pipeline.centre import LEAST, Size

FALLEN = 0.3
"""Agreement of a thing of the right size on its side: most things stand as they should."""


@dataclass(frozen=True, slots=True)
class SeenSize:
    """How wide and how high (m) what is seen is, across the line of sight."""

    wide: float
    high: float

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
        error = math.log(self.wide / nearest) ** 2 + math.log(self.high / size[2]) ** 2
        return math.exp(-0.5 * error / tolerance**2)


def seen_size(points: Floats, eye: Floats) -> SeenSize | None:
    """Return the size of points (n, 3) seen from ``eye`` (z is up); None for too few."""
    if len(points) < LEAST:
        return None
    away = points.mean(axis=0) - eye
    flat = math.hypot(away[0], away[1])
    across = np.array((-away[1], away[0])) / flat if flat > 1e-6 else np.array((1.0, 0.0))
    lateral = points[:, :2] @ across
    wide = float(np.percentile(lateral, 97) - np.percentile(lateral, 3)) / 0.94
    high = float(np.percentile(points[:, 2], 97) - np.percentile(points[:, 2], 3)) / 0.94
    return SeenSize(max(wide, 1e-3), max(high, 1e-3))
