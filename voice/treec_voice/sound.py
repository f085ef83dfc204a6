"""Sound files, and sound at other rates."""

from __future__ import annotations

import wave
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treec_voice.doors import FRAME, RATE, CannotTalk, Sound

RATES = (4_000, 384_000)
"""Samples per second that a file may have."""
MOST_SAMPLES = 100_000_000
"""Samples of all channels that a file may have, since they are in memory: 100 minutes of 16 kHz."""
CONVERT = "write 16 bits: ffmpeg -i IN -c:a pcm_s16le OUT.wav"


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


def read_wav(path: Path) -> Sound:
    """A WAV file of 8, 16 or 32 bits as mono at `RATE`. Raises CannotTalk."""
    try:
        with wave.open(str(path)) as file:
            rate, channels, width = file.getframerate(), file.getnchannels(), file.getsampwidth()
            if not RATES[0] <= rate <= RATES[1]:
                raise CannotTalk(
                    f"{path}: {rate} samples a second; readable are {RATES[0]:,} to {RATES[1]:,}"
                )
            if (count := file.getnframes() * channels) > MOST_SAMPLES:
                raise CannotTalk(
                    f"{path} has {count:,} samples, at most {MOST_SAMPLES:,} are read: cut it"
                )
            data = file.readframes(file.getnframes())
    except OSError as error:
        raise CannotTalk(f"{path} cannot be read: {error.strerror}") from None
    except (wave.Error, EOFError) as error:
        why = str(error) or "it is cut off"
        raise CannotTalk(f"{path} is not a WAV file with PCM: {why}; {CONVERT}") from None
    if width == 1:
        values = np.frombuffer(data, np.uint8).astype(np.float32) / 128 - 1
    elif width in (2, 4):
        kind = {2: np.int16, 4: np.int32}[width]
        values = np.frombuffer(data, kind).astype(np.float32) / 2.0 ** (8 * width - 1)
    else:
        raise CannotTalk(f"{path} has {8 * width} bits a sample; {CONVERT}")
    mono = values[: len(values) // channels * channels].reshape(-1, channels).mean(axis=1)
    return resampled(mono, rate)


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
