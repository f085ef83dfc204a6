"""Small networks by numpy alone: which class each pixel is of, and the states of crops."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from treec_household.embodied.look import features_of

Array = npt.NDArray[np.float32]
WEIGHTS = Path(__file__).parent / "weights"
"""Folder of what `experiments.helper.eyes` trained."""


@cache
def weights_of(part: str) -> Mapping[str, Array]:
    """The weights of a network by name, and its lists. Raises FileNotFoundError."""
    with np.load(WEIGHTS / f"{part}.npz") as read:
        return {
            name: read[name].astype(np.float32) if read[name].dtype == np.float16 else read[name]
            for name in read.files
        }


def conv(x: Array, weights: Mapping[str, Array], name: str, stride: int) -> Array:
    """A 3 × 3 convolution of (n, h, w, c) with zeros around it, then a ReLU."""
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    slide = np.lib.stride_tricks.sliding_window_view
    windows = slide(slide(padded, 3, axis=1), 3, axis=2)
    windows = windows[:, ::stride, ::stride].transpose(0, 1, 2, 4, 5, 3)
    shape = windows.shape[:3]
    flat = windows.reshape(int(np.prod(shape)), -1) @ weights[f"{name}.w"] + weights[f"{name}.b"]
    return np.asarray(np.maximum(flat, 0.0).reshape(*shape, -1))


def dense(x: Array, weights: Mapping[str, Array], name: str) -> Array:
    """A linear layer over the last axis."""
    return np.asarray(x @ weights[f"{name}.w"] + weights[f"{name}.b"])


def see(inputs: Array) -> tuple[Array, Array]:
    """Of each pixel of a picture (n, n, 5): logits of its class, and where its thing's middle is.

    A middle is metres ahead, to the left and up of the pixel's point, as the robot is turned.
    """
    w = weights_of("classes")
    size = inputs.shape[0]
    rows, columns = np.divmod(np.arange(size * size), size)
    x = (features_of(inputs, rows, columns) - w["mean"]) / w["spread"]
    for layer in ("a", "b"):
        x = np.maximum(dense(x, w, layer), 0.0)
    out = dense(x, w, "head").reshape(size, size, -1)
    return out[..., 3:], out[..., :3]


def states(crops: npt.NDArray[np.uint8], kinds: npt.NDArray[np.int64]) -> Array:
    """How likely each state is (n, states) of things of classes (n,), by crops (n, 24, 24, 3)."""
    w = weights_of("states")
    x = conv(crops.astype(np.float32) / 255.0, w, "a", 2)
    x = conv(conv(x, w, "b", 2), w, "c", 2)
    x = np.concatenate([x.reshape(len(x), -1), w["kinds.w"][kinds]], axis=1)
    x = dense(np.maximum(dense(x, w, "hidden"), 0.0), w, "head")
    return np.asarray(1.0 / (1.0 + np.exp(-x)))
