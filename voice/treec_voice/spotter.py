"""A stop is heard in the stream, within 0.3 s of its end, by a small network of our own.

It knows the stops that treec ships ("stop", "halt", "freeze") in any English sentence. Where it is
sure all robots stop at once, unless the recognizer's judge is not; where it is not, or where the
stop may be denied ("don't stop"), the recognizer is asked first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping

import numpy as np

from treec_voice.doors import SECONDS, Sound, Spotted
from treec_voice.stop_network import HOP, HOPS, STOP, UNMEANT, WINDOW, StopNetwork, features

SURE, DOUBT = 0.9, 0.03
"""Probability of a stop from which it counts at once, and from which it is recognized first."""
FRAMES = 2
"""Frames over which the probability is averaged: 64 ms."""
CALM = 0.8
"""Seconds after a sure stop in which no other is told."""
AGAIN = 0.09
"""Seconds after any in which no doubt is told: what is said a moment later may decide it."""
HELD = 7
"""Frames for which a doubt lasts."""
LENGTH, LATE = 0.35, 0.12
"""Seconds that a stop is taken to last, and after its end at which the network tells it."""


class StopSpotter:
    """Hears stops in any English sentence."""

    def __init__(
        self,
        stops: Collection[str] = (),
        others: Mapping[str, float] | None = None,
        sure: float = SURE,
        doubt: float = DOUBT,
    ) -> None:
        """``sure`` and ``doubt``: probabilities from which a stop counts, or is looked at.

        ``stops`` and ``others`` are those of other spotters: the network has learnt its own.
        """
        self._network = StopNetwork()
        self._sure, self._doubt = sure, doubt
        self._rows = features(np.zeros((HOPS - 1) * HOP + WINDOW, np.float32))
        self._left = np.zeros(WINDOW - HOP, np.float32)
        self._likely: deque[tuple[float, float]] = deque(maxlen=FRAMES)
        self._doubts: deque[float] = deque(maxlen=HELD)
        self._calm = {True: 0.0, False: 0.0}

    def __call__(self, frame: Sound) -> Spotted | None:
        """The stop that was heard, if any: in doubt as long as it lasts, once as a sure one."""
        self._likely.append(self.likely(frame))
        stop, unmeant = np.mean(self._likely, axis=0)
        is_sure = bool(stop >= self._sure)
        self._calm = {sure: max(0.0, calm - SECONDS) for sure, calm in self._calm.items()}
        self._doubts.append(float(stop + unmeant))
        if max(self._doubts) < self._doubt or self._calm[is_sure] or len(self._likely) < FRAMES:
            return None
        self._calm[False] = AGAIN
        if is_sure:
            self._calm[True] = CALM
        return Spotted("stop", (LATE + LENGTH, LATE), is_sure, max(self._doubts))

    def likely(self, frame: Sound) -> tuple[float, float]:
        """The probabilities that a stop has just ended, and one that is not meant."""
        self._left = np.concatenate([self._left, frame])
        new = features(self._left)
        self._left = self._left[len(new) * HOP :]
        self._rows = np.concatenate([self._rows, new])[-HOPS:]
        heard = self._network(self._rows)
        return float(heard[STOP]), float(heard[UNMEANT])
