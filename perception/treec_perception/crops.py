"""Square crops around boxes, as CLIP is given them: in training and in use alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Box = tuple[float, float, float, float]
"""Pixels: x0, y0, x1, y1."""


def square_crop(
    picture: npt.NDArray[np.uint8], box: Box, margin: float, side: int | None = None
) -> Any:
    """Return the square around a box, with a margin (a share of its longer side).

    Beyond the picture's edge it is filled with the picture's edge pixels. ``side``: resize to it.
    """
    from PIL import Image

    x0, y0, x1, y1 = box
    half = max(x1 - x0, y1 - y0, 4.0) * (0.5 + margin)
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    left, top = round(x - half), round(y - half)
    count = max(2, round(2 * half))
    high, wide, _ = picture.shape
    columns = np.clip(np.arange(left, left + count), 0, wide - 1)
    rows = np.clip(np.arange(top, top + count), 0, high - 1)
    crop = picture[rows[:, None], columns]
    if side is None:
        return crop
    return np.asarray(Image.fromarray(crop).resize((side, side), Image.Resampling.BICUBIC))
