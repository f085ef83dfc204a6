"""Synthetic people: the voices that this machine has, at three speeds, kept on disk once made."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import numpy as np

from treec_voice.doors import RATE, Sound
from treec_voice.sound import read_wav, resampled, write_wav
from treec_voice.voices import EspeakVoice, HibariVoice

SPEEDS = (0.85, 1.0, 1.2)
WORDS_PER_MINUTE = 160


@cache
def _hibari(speed: float) -> HibariVoice:
    return HibariVoice(speed)


def _heart(text: str, speed: float) -> Sound:
    return _hibari(speed)(text)


def _low(text: str, speed: float) -> Sound:
    """The same voice a fifth lower, as of somebody with a longer throat."""
    return resampled(_hibari(speed / 0.8)(text), RATE, round(RATE / 0.8))


def _espeak(voice: str) -> Callable[[str, float], Sound]:
    def speak(text: str, speed: float) -> Sound:
        return EspeakVoice(voice, round(WORDS_PER_MINUTE * speed))(text)

    return speak


SPEAKERS: Mapping[str, Callable[[str, float], Sound]] = {
    "heart": _heart,
    "heart, lower": _low,
    "espeak en-us": _espeak("en-us"),
    "espeak en-gb, f3": _espeak("en-gb+f3"),
    "espeak en-us, m3": _espeak("en-us+m3"),
}


def speak(text: str, speaker: str, speed: float, cache: Path) -> Sound:
    """A sentence by a speaker, from the cache if it was made before."""
    key = hashlib.sha256(f"{text}|{speaker}|{speed}".encode()).hexdigest()[:20]
    path = cache / f"{key}.wav"
    if not path.is_file():
        said = SPEAKERS[speaker](text, speed)
        write_wav(path, said / max(float(np.abs(said).max()), 1e-6) * 0.5)
    return read_wav(path)
