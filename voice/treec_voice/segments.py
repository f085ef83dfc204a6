"""Utterances in a stream of frames: who speaks is listened to until they pause."""

from __future__ import annotations

import math
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
DRAFT = 0.25
"""Seconds of silence after which what was said so far may be all."""
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
    spoken: float = 0.0
    """Seconds of speech in it: a draft of it that has as many has all of its words."""
    is_draft: bool = False
    """Whether it may go on."""


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
        self._drafted = 0.0
        self._stop: Spotted | None = None

    @property
    def began(self) -> float:
        """When the utterance that goes on began; infinite between utterances."""
        return self.now - len(self._frames) * SECONDS if self._frames else math.inf

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

    def draft(self, every: float = math.inf) -> SpeechSegment | None:
        """What was said so far: once after each word that may have been the last.

        Also after each ``every`` seconds of speech.
        """
        goes_on = self._silent < DRAFT and self.spoken - self._drafted < every
        if goes_on or self.spoken < SHORTEST or self.spoken == self._drafted:
            return None
        self._drafted = self.spoken
        start, end = self.now - len(self._frames) * SECONDS, self.now - self._silent
        sound = np.concatenate(self._frames)
        return SpeechSegment(sound, start, end, self._stop, self.spoken, is_draft=True)

    def end(self) -> SpeechSegment | None:
        """End the utterance that goes on, if any."""
        frames, spoken, stop = self._frames, self.spoken, self._stop
        self._frames, self.spoken, self._row, self._stop = [], 0.0, 0, None
        self._drafted = 0.0
        self._before.clear()
        if not frames or (spoken < SHORTEST and stop is None):
            return None
        start = self.now - len(frames) * SECONDS
        end = self.now - self._silent
        return SpeechSegment(np.concatenate(frames), start, end, stop, spoken)
