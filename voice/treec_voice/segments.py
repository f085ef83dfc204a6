"""Utterances in a stream of frames: who speaks is listened to until they pause."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from treec_voice.doors import SECONDS, Sound, Spotted

SPEECH, SILENCE = 0.5, 0.35
"""Probabilities of speech from which somebody speaks, and below which they do not."""
BEGINS = 2
"""Frames of speech that begin an utterance."""
PAUSE = 0.6
"""Seconds of silence that end one."""
BEFORE = 0.35
"""Seconds before its first frame of speech that belong to it."""
LONGEST = 15.0
"""Seconds after which it is cut."""
SHORTEST = 0.16
"""Seconds of speech in the shortest one; a click is none."""


@dataclass
class SpeechSegment:
    """What somebody said between two pauses; seconds since the stream began."""

    sound: Sound
    start: float
    end: float
    stop: Spotted | None = None
    """The stop that the spotter heard in it."""


class SegmentFinder:
    """Cuts a stream into utterances."""

    def __init__(self) -> None:
        self.now = 0.0
        """Seconds of the stream so far."""
        self.spoken = 0.0
        """Seconds of speech in the utterance that goes on; 0 between utterances."""
        self._before: deque[Sound] = deque(maxlen=round(BEFORE / SECONDS) + BEGINS)
        self._frames: list[Sound] = []
        self._row = 0
        self._silent = 0.0
        self._stop: Spotted | None = None

    def add(self, frame: Sound, probability: float, stop: Spotted | None) -> SpeechSegment | None:
        """Take a frame with the probability of speech in it; the utterance that it ends, if any."""
        self.now += SECONDS
        if stop is not None:
            self._stop = stop
        is_speech = probability >= (SILENCE if self._frames else SPEECH)
        if not self._frames:
            self._before.append(frame)
            self._row = self._row + 1 if is_speech else 0
            if self._row < BEGINS:
                return None
            self._frames, self.spoken, self._silent = [*self._before], self._row * SECONDS, 0.0
            return None
        self._frames.append(frame)
        if is_speech:
            self.spoken += SECONDS
            self._silent = 0.0
        else:
            self._silent += SECONDS
        if self._silent >= PAUSE or len(self._frames) * SECONDS >= LONGEST:
            return self.end()
        return None

    def end(self) -> SpeechSegment | None:
        """End the utterance that goes on, if any."""
        frames, spoken, stop = self._frames, self.spoken, self._stop
        self._frames, self.spoken, self._row, self._stop = [], 0.0, 0, None
        self._before.clear()
        if not frames or (spoken < SHORTEST and stop is None):
            return None
        start = self.now - len(frames) * SECONDS
        return SpeechSegment(np.concatenate(frames), start, self.now - self._silent, stop)
