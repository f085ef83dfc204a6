"""The network that hears stops: convolutions over 1.3 s of a mel spectrogram, in numpy.

``python -m experiments.voice.train`` fits it on synthetic speech.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from treec_voice.doors import RATE, Sound

HOP, WINDOW, BANDS = 160, 400, 40
"""Samples between rows of the spectrogram, samples under each row, and its bands."""
LAYERS: Sequence[tuple[int, int, int, int]] = (
    (64, 5, 2, 1),
    (96, 5, 2, 1),
    (96, 3, 1, 1),
    (96, 3, 1, 2),
    (96, 3, 1, 4),
    (96, 3, 1, 7),
)
"""Channels, width, step and dilation of each convolution."""
HOPS = 125
"""Rows of the spectrogram that one output depends on."""
NONE, STOP, UNMEANT = range(3)
"""What has just been said: nothing of this, a stop, or one that is denied or a noun."""

Array = NDArray[np.float32]


def features(sound: Sound) -> Array:
    """Log mel energies, shape (hops, BANDS), a row each 10 ms."""
    count = (len(sound) - WINDOW) // HOP + 1
    if count <= 0:
        return np.zeros((0, BANDS), np.float32)
    frames = np.lib.stride_tricks.sliding_window_view(sound, WINDOW)[::HOP][:count]
    spectrum = np.fft.rfft(frames * _window(), 512)
    power = spectrum.real**2 + spectrum.imag**2
    return np.asarray(np.log(power.astype(np.float32) @ _bands() + 1e-4), np.float32)


@cache
def _window() -> Array:
    return np.hanning(WINDOW).astype(np.float32)


@cache
def _bands() -> Array:
    """Triangles on the mel scale from 100 to 7600 Hz, shape (257, BANDS)."""
    low, high = (2595 * np.log10(1 + f / 700) for f in (100, 7600))
    edges = 700 * (10 ** (np.linspace(low, high, BANDS + 2) / 2595) - 1)
    at = np.arange(257)[:, None] * RATE / 512
    up = (at - edges[:-2]) / (edges[1:-1] - edges[:-2])
    down = (edges[2:] - at) / (edges[2:] - edges[1:-1])
    return np.asarray(np.maximum(0, np.minimum(up, down)), np.float32)


class StopNetwork:
    """Tells whether a stop has just ended, from the last `HOPS` rows of features."""

    def __init__(self, file: Path | None = None) -> None:
        with np.load(file or Path(__file__).with_name("stops.npz")) as arrays:
            names = sorted(arrays.files)
            self._of = {name: arrays[name].astype(np.float32) for name in names}

    def __call__(self, rows: Array) -> Array:
        """Probabilities of NONE, STOP and UNMEANT; ``rows`` has shape (HOPS, BANDS)."""
        x = rows
        for number, (_, width, step, dilation) in enumerate(LAYERS):
            weight, bias = self._of[f"weight{number}"], self._of[f"bias{number}"]
            x = convolved(x, weight, bias, width, step, dilation)
        return softmax(x[-1] @ self._of["weight"] + self._of["bias"])


def convolved(x: Array, weight: Array, bias: Array, width: int, step: int, dilation: int) -> Array:
    """A layer: a convolution over the rows of ``x``, and what is negative is cut to zero."""
    last = len(x) - (width - 1) * dilation
    parts = [x[at * dilation : last + at * dilation : step] for at in range(width)]
    return np.asarray(np.maximum(np.concatenate(parts, axis=1) @ weight + bias, 0), np.float32)


def softmax(logits: Array) -> Array:
    """Probabilities of logits."""
    likely = np.exp(logits - logits.max())
    return np.asarray(likely / likely.sum(), np.float32)
