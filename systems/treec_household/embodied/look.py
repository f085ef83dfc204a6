"""What the small eyes look at: a picture with its depth for classes, crops of it for states."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from treec_household.embodied.simulator import SIZE, Simulator
from treec_sapien.view.camera import Camera, Floats
from treec_sapien.view.depth_image import Image

CROP = 24
"""Pixels of a side of a crop that states are read from."""
AROUND = 0.25
"""Share of its box that a crop shows around a thing, on each side."""
STATES = {
    "opened": "opens",
    "running": "turns_on",
    "dirty": "washes",
    "cooked": "cooks",
    "water": "fills",
    "coffee": "fills",
}
"""The states that are read, and what a thing has to afford for each."""
_FAR = 4.0
_WINDOWS = (2, 6, 14, 30)
_STEPS = (3, 8)
Array = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Box = tuple[float, float, float]
"""Left, top and side of a square, as shares of the picture."""


def inputs_of(rgb: Image, depth: Floats, camera: Camera) -> Array:
    """A picture (n, n, 5): colour, height above the floor, nearness, each about 0 to 1."""
    height = camera.points(depth.astype(np.float32))[..., 2]
    near = np.clip(depth, 0.0, _FAR) / _FAR
    parts = [rgb / 255.0, np.clip(height, -0.5, 2.5)[..., None] / 2.0, near[..., None]]
    return np.asarray(np.concatenate(parts, axis=-1), np.float32)


def features_of(inputs: Array, rows: Ints, columns: Ints) -> Array:
    """What the network knows of pixels (k, FEATURES): their own values, and those around them."""
    size = inputs.shape[0]
    own = inputs[rows, columns]
    bright = own[:, :3].sum(axis=1, keepdims=True) + 1e-3
    hue = own[:, :2] / bright
    level = np.log(bright)
    waves = [
        np.concatenate([value * rate for rate in rates], axis=1)
        for value, rates in ((hue, (10, 25, 60)), (level, (2, 5, 12)), (own[:, 3:4], (5, 15, 40)))
    ]
    waved = np.concatenate(waves, axis=1)
    parts = [own, hue, level, np.sin(waved), np.cos(waved), rows[:, None] / size]
    total = np.pad(inputs, ((1, 0), (1, 0), (0, 0))).cumsum(axis=0).cumsum(axis=1)
    for half in _WINDOWS:
        top, bottom = np.maximum(rows - half, 0), np.minimum(rows + half + 1, size)
        left, right = np.maximum(columns - half, 0), np.minimum(columns + half + 1, size)
        area = ((bottom - top) * (right - left))[:, None]
        window = total[bottom, right] - total[top, right] - total[bottom, left] + total[top, left]
        parts.append(window / area - own)
    for step in _STEPS:
        for down, along in ((0, step), (0, -step), (step, 0), (-step, 0)):
            other = inputs[np.clip(rows + down, 0, size - 1), np.clip(columns + along, 0, size - 1)]
            parts.append(other - own)
    return np.asarray(np.concatenate(parts, axis=1), np.float32)


def square_around(mask: npt.NDArray[np.bool_]) -> Box:
    """The square around a mask, with a margin."""
    rows, columns = mask.nonzero()
    n = mask.shape[0]
    top, bottom = int(rows.min()), int(rows.max()) + 1
    left, right = int(columns.min()), int(columns.max()) + 1
    side = max(bottom - top, right - left) * (1 + 2 * AROUND)
    return (
        ((left + right) / 2 - side / 2) / n,
        ((top + bottom) / 2 - side / 2) / n,
        side / n,
    )


def crops_of(simulator: Simulator, boxes: Sequence[Box], pixels: int = CROP) -> Image:
    """What squares of the full picture (480 × 480) show, in so many pixels: (n, pixels, pixels, 3).

    All are looked at together: a cast has a cost of its own.
    """
    left, top, side = SIZE * np.array(boxes).T[..., None]
    steps = (np.arange(pixels) + 0.5) * side / pixels
    view = simulator.home.view()
    return view.rays.crop(simulator.camera(1), view.poses, left + steps, top + steps)
