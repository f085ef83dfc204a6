"""Pictures as files, and depth and segmentation as colours."""

from __future__ import annotations

import colorsys
import io
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image as Pillow

from treec_sapien.view.depth_image import Image

QUALITY = 82

_NEAR_TO_FAR = np.array(
    [(253, 231, 150), (247, 158, 90), (203, 71, 120), (110, 40, 140), (20, 15, 70)], np.float64
)
_NOTHING = np.array([235, 237, 240], np.uint8)


def webp(picture: Image) -> bytes:
    """Encode a picture (height, width, 3) as WebP."""
    out = io.BytesIO()
    Pillow.fromarray(picture).save(out, "WEBP", quality=QUALITY, method=4)
    return out.getvalue()


def encode_animation(pictures: Sequence[Image], milliseconds: int, suffix: str) -> bytes:
    """Encode pictures as an endless animation: ``.webp`` or ``.gif``."""
    frames = [Pillow.fromarray(picture) for picture in pictures]
    out = io.BytesIO()
    options = {"quality": QUALITY, "method": 3} if suffix == ".webp" else {}
    frames[0].save(
        out,
        {".webp": "WEBP", ".gif": "GIF"}[suffix],
        save_all=True,
        append_images=frames[1:],
        duration=milliseconds,
        loop=0,
        **options,
    )
    return out.getvalue()


def encode_film(pictures: Sequence[Image], times: Sequence[float], suffix: str) -> bytes:
    """Encode pictures that were taken at ``times`` (s) at their mean pace, at most 50 a second."""
    apart = (times[-1] - times[0]) / (len(times) - 1) if len(times) > 1 else 0.1
    return encode_animation(pictures, max(20, round(1000 * apart)), suffix)


def of_depth(depth: npt.NDArray[np.float32], things: npt.NDArray[np.bool_] | None = None) -> Image:
    """Colour a depth picture: near is light, far is dark.

    The colours span the depths of the pixels ``things`` (default: all).
    """
    there = np.isfinite(depth)
    valid = there if things is None or not (things & there).any() else things & there
    if not valid.any():
        return np.tile(_NOTHING, (*depth.shape, 1))
    least, most = float(depth[valid].min()), float(depth[valid].max())
    share = (np.where(there, depth, most) - least) / max(most - least, 1e-6)
    steps = np.linspace(0.0, 1.0, len(_NEAR_TO_FAR))
    bands = [np.interp(share, steps, _NEAR_TO_FAR[:, band]) for band in range(3)]
    picture = np.stack(bands, axis=-1).astype(np.uint8)
    picture[~there] = _NOTHING
    return picture


def of_ids(ids: npt.NDArray[np.int32]) -> Image:
    """Colour a segmentation, one colour for each thing."""
    picture: Image = colours(int(ids.max()) + 1)[ids]
    return picture


def colours(count: int) -> Image:
    """Return colours (count, 3), clearly different from one number to the next; none is grey."""
    palette = [_NOTHING]
    for number in range(1, count):
        hue = number * 0.618034 % 1.0
        light = (0.92, 0.70, 0.55)[number % 3]
        red, green, blue = colorsys.hsv_to_rgb(hue, 0.62, light)
        palette.append(np.array([red * 255, green * 255, blue * 255], np.uint8))
    return np.stack(palette)
