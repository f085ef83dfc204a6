"""The judge of stops in doubt: a small network over what Whisper's encoder makes of the sound.

Whisper has heard people in all noises, so that its encoder, which takes 10 ms for 1.6 s of sound,
tells a stop from its like where the spotter's network cannot. The judge is fitted to the encoder
of Whisper tiny that comes in a wheel, on the streams of `experiments.voice.train`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from treec_voice.doors import RATE, Sound
from treec_voice.stop_network import STOP, convolved, softmax

SECONDS = 1.6
"""Of sound that are encoded, up to the moment of doubt."""
FRAMES = 160
"""The same in frames of Whisper's spectrogram, 10 ms each; its encoder halves them."""
SKIPPED = 20
"""Rows of the encoder at the beginning that the judge does not look at."""
DILATIONS = (1, 2, 4)
WIDTH = 3
"""Rows that a unit of each layer looks at."""

Array = NDArray[np.float32]


STOPS, TOGETHER = "judge.npz", "together.npz"
"""The networks: of stops, and of the same form whether two people speak at once in the window."""


class StopJudge:
    """Tells whether a stop was said at the end of a sound."""

    def __init__(self, file: str = STOPS) -> None:
        """``file``: one of the networks."""
        with np.load(Path(__file__).with_name(file)) as arrays:
            self._of = {name: arrays[name].astype(np.float32) for name in arrays.files}

    def __call__(self, rows: Array) -> float:
        """The probability of a stop; ``rows``: the encoder's of `window`, shape (80, 384)."""
        x = rows[SKIPPED:]
        for number, dilation in enumerate(DILATIONS):
            weight, bias = self._of[f"weight{number}"], self._of[f"bias{number}"]
            x = convolved(x, weight, bias, WIDTH, 1, dilation)
        when = self._of["when"][:, None]  # log weights of the rows
        mean = (x * np.exp(when)).sum(axis=0)
        most = np.maximum((x + 4 * when).max(axis=0), 0)
        likely = softmax(np.concatenate([mean, most]) @ self._of["weight"] + self._of["bias"])
        return float(likely[STOP])


def window(sound: Sound) -> Sound:
    """The last `SECONDS` of a sound, after silence where it is shorter."""
    count = round(SECONDS * RATE)
    return np.pad(sound[-count:], (max(count - len(sound), 0), 0))
