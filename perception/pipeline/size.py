"""How well what a box shows agrees with the size that the thing has."""

from __future__ import annotations

import math

import numpy as np

from treec.envs.sapien.view.camera import Floats
from treec.perception.pipeline.centre import LEAST, Size


def size_agreement(points: Floats, eye: Floats, size: Size, tolerance: float) -> float:
    """Return 0 to 1 for points (n, 3) seen from ``eye`` (z is up); 0.5 for too few points.

    Height and width are compared, each as a ratio; ``tolerance`` is the standard deviation of its
    logarithm.
    """
    if len(points) < LEAST:
        return 0.5
    away = points.mean(axis=0) - eye
    flat = math.hypot(away[0], away[1])
    across = np.array((-away[1], away[0])) / flat if flat > 1e-6 else np.array((1.0, 0.0))
    lateral = points[:, :2] @ across
    wide = float(np.percentile(lateral, 97) - np.percentile(lateral, 3)) / 0.94
    high = float(np.percentile(points[:, 2], 97) - np.percentile(points[:, 2], 3)) / 0.94
    narrow, broad = min(size[:2]), math.hypot(size[0], size[1])
    nearest = min(max(wide, narrow), broad)  # any width between is one at some heading
    error = math.log(max(wide, 1e-3) / nearest) ** 2 + math.log(max(high, 1e-3) / size[2]) ** 2
    return math.exp(-0.5 * error / tolerance**2)
