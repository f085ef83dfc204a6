"""Drawings for people: depth as grey values, proposals and masks on a picture."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]

MISSING = (92, 34, 60)
"""The colour of pixels without depth."""


def depth_colours(depth: npt.NDArray[np.float32]) -> Image:
    """Return depth (height, width; metres, 0 for none) as a picture: near is bright."""
    there = depth > 0
    out = np.empty((*depth.shape, 3), np.uint8)
    out[:] = MISSING
    if there.any():
        near, far = np.percentile(depth[there], (1, 99))
        grey = 1.0 - np.clip((depth - near) / max(float(far - near), 1e-3), 0.0, 1.0)
        out[there] = (35 + 220 * grey[there, None]).astype(np.uint8)
    return out
