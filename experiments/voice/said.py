"""Synthetic people whose words can be found in what they say: with each sentence, its words' ends.

espeak-ng tells words' places by events, flite by its durations; of the wheel's voice only the
sentence's end is known, which is that of its last word.
"""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from ctypes import POINTER, Structure, c_char_p, c_int, c_short, c_uint, c_void_p
from ctypes.util import find_library
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from treec_voice.doors import RATE, CannotTalk, Sound
from treec_voice.sound import read_sound, resampled
from treec_voice.voices import HibariVoice

STOP = re.compile(r"\b(?:stop|halt|freeze)(?=[^\w'’]|$)", re.IGNORECASE)
"""The words that the network is to hear."""
_PHONES = {"stop": ("s", "t", "aa", "p"), "halt": ("hh", "ao", "l", "t"),
           "freeze": ("f", "r", "iy", "z")}  # fmt: skip
QUIET = 0.02
"""Loudness, beside the loudest sample, below which nothing is said."""


@dataclass
class SpokenText:
    """A sentence, and the seconds at which the stops in it end."""

    sound: Sound
    ends: Sequence[float]


def by_espeak(text: str, voice: str, rate: int, pitch: int, spread: int) -> SpokenText:
    """Words per minute, and pitch and its spread from 0 to 99. Raises CannotTalk."""
    return _espeak().say(text, voice, rate, pitch, spread)


def by_flite(text: str, voice: str, stretch: float) -> SpokenText:
    """One of flite's voices: kal16, awb, rms, slt. Raises CannotTalk."""
    if shutil.which("flite") is None:
        raise CannotTalk("no command flite: apt-get install flite")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "said.wav"
        options = ("-voice", voice, "--setf", f"duration_stretch={stretch:.2f}", "-psdur")
        command = ["flite", *options, "-t", text, "-o", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
        sound = read_sound(path)
    phones = [it.rpartition(":") for it in done.stdout.split() if ":" in it]
    names = [name for name, _, _ in phones]
    places: list[int] = []
    for match in STOP.finditer(text):
        wanted = _PHONES[match[0].lower()]
        after = places[-1] + 1 if places else 0
        at = next(
            (n for n in range(after, len(names)) if tuple(names[n : n + len(wanted)]) == wanted),
            None,
        )
        if at is not None:
            places.append(at)
    ends = [float(phones[at + 2][2]) for at in places]  # of the sound before the last
    lasts = [float(phones[at + len(_PHONES["stop"]) - 1][2]) for at in places]
    return ends_in_spans(sound, list(zip(ends, lasts, strict=True)))


def by_wheel(text: str, speed: float) -> SpokenText:
    """The wheel's voice; a stop is found where it is the last word."""
    sound = _hibari(speed)(text)
    last = [one for one in STOP.finditer(text) if not re.search(r"\w", text[one.end() :])]
    loud = np.flatnonzero(np.abs(sound) > QUIET * np.abs(sound).max())
    return SpokenText(sound, [(int(loud[-1]) + 1) / RATE] if last and len(loud) else [])


def pitched(said: SpokenText, factor: float) -> SpokenText:
    """The same by somebody whose voice is higher (above 1) or lower, and as much quicker."""
    sound = resampled(said.sound, RATE, round(RATE / factor))
    return SpokenText(sound, [end / factor for end in said.ends])


@cache
def _hibari(speed: float) -> HibariVoice:
    return HibariVoice(speed)


def ends_in_spans(sound: Sound, spans: Sequence[tuple[float, float]]) -> SpokenText:
    """The last moment within each span at which something is heard."""
    ends = []
    least = QUIET * max(float(np.abs(sound).max()), 1e-6)
    for start, end in spans:
        part = np.abs(sound[round(start * RATE) : round(end * RATE)])
        loud = np.flatnonzero(part > least)
        ends.append(start + (int(loud[-1]) + 1) / RATE if len(loud) else end)
    return SpokenText(sound, ends)


class _Event(Structure):
    _fields_ = (
        ("kind", c_int),
        ("unique", c_uint),
        ("text", c_int),
        ("length", c_int),
        ("milliseconds", c_int),
        ("sample", c_int),
        ("user", c_void_p),
        ("id", c_void_p),
    )


_WORD, _END, _OF_ALL = 1, 5, 0
_RETRIEVAL, _CHARACTER, _UTF8 = 2, 1, 1
_SPEED, _PITCH, _SPREAD = 1, 3, 4


class _Espeak:
    """The library libespeak-ng, which keeps state: one in a process."""

    def __init__(self) -> None:
        name = find_library("espeak-ng")
        if name is None:
            raise CannotTalk("no library libespeak-ng: apt-get install espeak-ng")
        self._of = ctypes.CDLL(name)
        self._rate = self._of.espeak_Initialize(_RETRIEVAL, 0, None, 0)
        kind = ctypes.CFUNCTYPE(c_int, POINTER(c_short), c_int, POINTER(_Event))
        self._call = kind(self._take)  # kept: the library calls it
        self._of.espeak_SetSynthCallback(self._call)
        self._sound: list[np.ndarray[tuple[int], np.dtype[np.int16]]] = []
        self._words: list[tuple[int, int]] = []

    def say(self, text: str, voice: str, rate: int, pitch: int, spread: int) -> SpokenText:
        """A sentence by a voice such as "en-us+m3". Raises CannotTalk."""
        if self._of.espeak_SetVoiceByName(voice.encode()):
            raise CannotTalk(f"espeak-ng has no voice '{voice}'")
        for key, value in ((_SPEED, rate), (_PITCH, pitch), (_SPREAD, spread)):
            self._of.espeak_SetParameter(key, value, 0)
        self._sound, self._words = [], []
        data = text.encode()
        self._of.espeak_Synth(c_char_p(data), len(data) + 1, 0, _CHARACTER, 0, _UTF8, None, None)
        whole = np.concatenate([np.zeros(1, np.int16), *self._sound])
        sound = resampled(whole / 32768, self._rate)
        places = [(at, sample / self._rate) for at, sample in self._words]
        spans = []
        for match in STOP.finditer(text):
            begun = [at for at in places if at[0] <= match.start() + 1]
            if begun:
                later = [when for at, when in places if at > match.start() + 1]
                spans.append((begun[-1][1], later[0] if later else len(sound) / RATE))
        return ends_in_spans(sound, spans)

    def _take(self, wave: object, count: int, events: object) -> int:
        if count > 0:
            self._sound.append(np.ctypeslib.as_array(wave, (count,)).copy())
        number = 0
        while (event := events[number]).kind != _OF_ALL:  # type: ignore[index]
            if event.kind == _WORD:
                self._words.append((event.text, event.sample))
            number += 1
        return 0


@cache
def _espeak() -> _Espeak:
    return _Espeak()
