"""Parts of speech that know tones for words: each sentence is a tone of its own."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence

import numpy as np

from treec_voice.doors import FRAME, RATE, Sound, Spotted, Transcript

WORDS = {
    500: "Start the morning orders.",
    700: "yes",
    900: "stop",
}
"""Hertz → what is said."""
STOP = 900
HINTED: deque[tuple[str, ...]] = deque(maxlen=100)
"""What recognizers were told may be said."""


def tone(hertz: int, seconds: float = 0.4) -> Sound:
    """A sentence."""
    t = np.arange(round(seconds * RATE)) / RATE
    return np.asarray(0.3 * np.sin(2 * np.pi * hertz * t), np.float32)


def silence(seconds: float) -> Sound:
    """A pause."""
    return np.zeros(round(seconds * RATE), np.float32)


def talk(*said: int | float) -> Sound:
    """Sentences (whole numbers, Hertz) and pauses (seconds)."""
    return np.concatenate([tone(it) if isinstance(it, int) else silence(it) for it in said])


def pitch(sound: Sound) -> int:
    """The frequency in Hertz that is strongest, in steps of 100."""
    spectrum = np.abs(np.fft.rfft(sound))
    return round(float(np.argmax(spectrum)) * RATE / len(sound) / 100) * 100


class ToneRecognizer:
    """Knows the tones; what it cannot know is said with little confidence."""

    def __init__(self, broken: str = "", slow: float = 0.0, unsure: int = 0) -> None:
        self.broken, self.slow, self.unsure = broken, slow, unsure

    def __call__(self, sound: Sound, hints: Sequence[str]) -> Transcript:
        HINTED.append(tuple(hints))
        if self.broken:
            raise RuntimeError(self.broken)
        time.sleep(self.slow)
        text = WORDS.get(pitch(sound), "")
        return Transcript(text, 0.2 if pitch(sound) == self.unsure else 0.9 if text else 0.0)


class DeafRecognizer:
    """Takes everything for the same remark."""

    def __call__(self, sound: Sound, hints: Sequence[str]) -> Transcript:
        return Transcript("We shop on Friday.", 0.9)


class SilentRecognizer:
    """Hears no words."""

    def __call__(self, sound: Sound, hints: Sequence[str]) -> Transcript:
        return Transcript("", 0.0)


class LoudDetector:
    """Takes whatever is loud for speech."""

    def __call__(self, frame: Sound) -> float:
        return float(np.abs(frame).max() > 0.05)


class ToneSpotter:
    """Hears the stop's tone once it ends."""

    def __init__(self, stops: Sequence[str], others: Sequence[str], sure: bool = False) -> None:
        self.stops, self.others = stops, others
        self._row, self._sure = 0, sure

    def __call__(self, frame: Sound) -> Spotted | None:
        if pitch(frame) == STOP and np.abs(frame).max() > 0.05:
            self._row += 1
            return None
        row, self._row = self._row, 0
        seconds = FRAME / RATE
        return Spotted("stop", ((row + 1) * seconds, seconds), self._sure) if row > 3 else None


class ToneVoice:
    """Says everything with one tone."""

    def __call__(self, text: str) -> Sound:
        return tone(2000, 0.2)


class NoCanceller:
    """Takes nothing out."""

    def __call__(self, near: Sound, far: Sound) -> Sound:
        return near


SETTINGS = """
[voice]
recognizer = "tests.voice.fakes:ToneRecognizer"
voice = "tests.voice.fakes:ToneVoice"
spotter = "tests.voice.fakes:ToneSpotter"
detector = "tests.voice.fakes:LoudDetector"
canceller = "tests.voice.fakes:NoCanceller"
check_stops = false
"""
