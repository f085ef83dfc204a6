"""Sound files, and sound at other rates."""

from __future__ import annotations

import wave
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treec.requirements import needs_extra
from treec_voice.doors import FRAME, RATE, CannotTalk, Sound

RATES = (4_000, 384_000)
"""Samples per second that a file may have."""
MOST_SAMPLES = 100_000_000
"""Samples of all channels that a file may have, since they are in memory: 100 minutes of 16 kHz."""


def resampled(sound: NDArray[Any], rate: int, to: int = RATE) -> Sound:
    """A whole sound at another rate, without what that rate cannot hold."""
    count = round(len(sound) * to / rate)
    if rate == to or not count:
        return np.asarray(sound, np.float32)
    spectrum = np.fft.rfft(sound)
    kept = np.zeros(count // 2 + 1, spectrum.dtype)
    most = min(len(kept), len(spectrum))
    kept[:most] = spectrum[:most]
    return np.asarray(np.fft.irfft(kept, count) * (to / rate), np.float32)


def read_sound(path: Path) -> Sound:
    """A sound file as mono at `RATE`: WAV with PCM, or whatever PyAV decodes (MP3, FLAC, floats).

    A file that breaks off is read as far as it goes; a header may claim any length, as that of a
    recording through a pipe does. Raises CannotTalk.
    """
    try:
        with wave.open(str(path)) as file:
            rate, channels, width = file.getframerate(), file.getnchannels(), file.getsampwidth()
            there = path.stat().st_size // (channels * width)
            claimed = file.getnframes()
            data = file.readframes(min(claimed, there, MOST_SAMPLES // channels + 1))
    except OSError as error:
        raise CannotTalk(f"{path} cannot be read: {error.strerror}") from None
    except (wave.Error, EOFError, ZeroDivisionError) as error:
        return _decoded(path, str(error))
    if width not in (1, 2, 3, 4):
        return _decoded(path, f"{8 * width} bits a sample")
    if not RATES[0] <= rate <= RATES[1]:
        raise CannotTalk(
            f"{path}: {rate} samples a second; readable are {RATES[0]:,} to {RATES[1]:,}"
        )
    data = data[: len(data) // (channels * width) * channels * width]
    _refuse_size(path, len(data) // width)
    mono = _samples(data, width).reshape(-1, channels).mean(axis=1)
    return _refuse_empty(path, resampled(mono, rate))


def _samples(data: bytes, width: int) -> Sound:
    """PCM of 1 to 4 bytes a sample; that of one byte has no sign."""
    if width == 1:
        return np.frombuffer(data, np.uint8).astype(np.float32) / 128 - 1
    whole = np.zeros((len(data) // width, 4), np.uint8)
    whole[:, 4 - width :] = np.frombuffer(data, np.uint8).reshape(-1, width)
    return whole.view("<i4")[:, 0].astype(np.float32) / 2.0**31


def _decoded(path: Path, why: str) -> Sound:
    """A file that is not WAV with PCM (``why``), by PyAV. Raises CannotTalk."""
    try:
        import av
    except ImportError as error:
        raise CannotTalk(needs_extra(f"{path} is not WAV with PCM: it", "voice", error)) from None
    parts: list[Sound] = []
    count = 0
    try:
        with av.open(str(path), metadata_errors="ignore") as file:
            if not file.streams.audio:
                raise CannotTalk(f"{path} has pictures, and no sound")
            to_mono = av.AudioResampler(format="flt", layout="mono", rate=RATE)
            for frame in file.decode(audio=0):
                parts += [it.to_ndarray()[0] for it in to_mono.resample(frame)]
                count += frame.samples
                _refuse_size(path, count)
            parts += [it.to_ndarray()[0] for it in to_mono.resample(None)]
    except (av.error.FFmpegError, ValueError):
        if not parts:
            what = why or "it is cut off, or no sound at all"
            raise CannotTalk(f"{path} is not a sound file that can be read: {what}") from None
    sound = _refuse_empty(path, np.concatenate([*parts, np.zeros(0, np.float32)]))
    return np.clip(np.nan_to_num(sound), -1, 1).astype(np.float32)


def _refuse_empty(path: Path, sound: Sound) -> Sound:
    if not len(sound):
        raise CannotTalk(f"{path} has no sound in it: not one sample")
    return sound


def _refuse_size(path: Path, count: int) -> None:
    if count > MOST_SAMPLES:
        raise CannotTalk(f"{path} has more than {MOST_SAMPLES:,} samples, all that is read: cut it")


def to_pcm(sound: Sound) -> NDArray[np.int16]:
    """Samples of 16 bits."""
    return np.asarray(np.clip(sound, -1, 1) * 32767, np.int16)


def write_wav(path: Path, sound: Sound) -> None:
    """Write a WAV file of 16 bits at `RATE`. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(to_pcm(sound).tobytes())


def frames_of(sound: Sound) -> Iterator[Sound]:
    """The frames of a sound, the last one filled up with silence."""
    for at in range(0, len(sound), FRAME):
        frame = sound[at : at + FRAME]
        yield np.pad(frame, (0, FRAME - len(frame)))
