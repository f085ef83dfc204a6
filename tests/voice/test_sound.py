"""Sound as people have it: files of every kind, and devices that are not there, busy or mute."""

from __future__ import annotations

import struct
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tests.voice.fakes import silence, tone
from treec_voice.devices import CardMicrophone
from treec_voice.doors import CannotTalk, Sound
from treec_voice.settings import VoiceSettings
from treec_voice.sound import read_sound, resampled
from treec_voice.talk import Talk

SAID = tone(500, 1.0)
needs_av = pytest.mark.skipif(not find_spec("av"), reason="treec's extra 'voice' is missing")


def wav(
    data: bytes, rate: int = 16_000, bits: int = 16, channels: int = 1, kind: int = 1, size: int = 0
) -> bytes:
    """A WAV file with a header that may claim any size."""
    each = bits // 8 * channels
    about = struct.pack("<IHHIIHH", 16, kind, channels, rate, each * rate, each, bits)
    whole = size or len(data)
    riff = b"RIFF" + struct.pack("<I", min(whole + 36, 2**32 - 1)) + b"WAVEfmt "
    return riff + about + b"data" + struct.pack("<I", whole) + data


def pcm(sound: Sound, bits: int) -> bytes:
    """Samples of 8 to 32 bits."""
    if bits == 8:
        return np.asarray(sound * 127 + 128, np.uint8).tobytes()
    whole = np.asarray(sound * (2**31 - 1), "<i4").view(np.uint8).reshape(-1, 4)
    return whole[:, 4 - bits // 8 :].tobytes()


def stereo(sound: Sound) -> Sound:
    return np.repeat(sound, 2)


FLOATS = SAID.astype("<f4").tobytes()
FILES = {
    **{f"{bits} bits": wav(pcm(SAID, bits), bits=bits) for bits in (8, 16, 24, 32)},
    "44.1 kHz, stereo": wav(pcm(stereo(resampled(SAID, 16_000, 44_100)), 16), 44_100, channels=2),
    "through a pipe": wav(pcm(SAID, 16), size=2**32 - 1),
    "cut off in a sample": wav(pcm(SAID, 16))[:-1],
}


@pytest.mark.parametrize("data", FILES.values(), ids=FILES)
def test_wav_with_pcm_of_any_kind_is_read(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "said.wav").write_bytes(data)
    heard = read_sound(tmp_path / "said.wav")
    assert abs(len(heard) - len(SAID)) <= 1
    assert np.abs(heard - SAID[: len(heard)]).max() < 0.02


@needs_av
@pytest.mark.parametrize("bits", [32, 64])
def test_floats_are_read_also_those_that_are_no_numbers(tmp_path: Path, bits: int) -> None:
    floats = np.array(SAID, f"<f{bits // 8}")
    floats[8000] = np.nan
    (tmp_path / "said.wav").write_bytes(wav(floats.tobytes(), bits=bits, kind=3))
    heard = read_sound(tmp_path / "said.wav")
    assert np.abs(heard[:8000] - SAID[:8000]).max() < 1e-4
    assert np.isfinite(heard).all()


@needs_av
@pytest.mark.parametrize("name", ["said.mp3", "said.flac", "an_mp3.wav"])
def test_what_is_no_wav_is_decoded(tmp_path: Path, name: str) -> None:
    import av

    kind = "flac" if "flac" in name else "mp3"
    with av.open(str(tmp_path / name), "w", format=kind) as file:
        stream = file.add_stream(kind, rate=16_000)
        frame = av.AudioFrame.from_ndarray(np.asarray(SAID * 32767, np.int16)[None], "s16", "mono")
        frame.sample_rate = 16_000
        to = av.AudioResampler(stream.format.name, "mono", 16_000)
        for packet in (it for one in (*to.resample(frame), None) for it in stream.encode(one)):
            file.mux(packet)
    heard = read_sound(tmp_path / name)
    assert len(heard) / 16_000 == pytest.approx(1.0, abs=0.1)
    assert np.std(heard) == pytest.approx(np.std(SAID), rel=0.1)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "is not a sound file that can be read"),
        (b"start the orders", "is not a sound file that can be read"),
        (wav(b""), "has no sound in it"),
        (wav(pcm(SAID, 16), rate=200), "200 samples a second; readable are 4,000 to 384,000"),
    ],
    ids=["empty", "a text", "no samples", "slow"],
)
@needs_av
def test_a_file_that_cannot_be_heard_is_refused(tmp_path: Path, data: bytes, why: str) -> None:
    (tmp_path / "cannot.wav").write_bytes(data)
    with pytest.raises(CannotTalk, match=f"cannot.wav.* {why}|cannot.wav: {why}"):
        read_sound(tmp_path / "cannot.wav")


def test_a_file_with_more_samples_than_are_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treec_voice.sound.MOST_SAMPLES", 8000)
    (tmp_path / "long.wav").write_bytes(wav(pcm(SAID, 16)))
    with pytest.raises(CannotTalk, match="more than 8,000 samples, all that is read: cut it"):
        read_sound(tmp_path / "long.wav")


class _PortAudioError(Exception):
    pass


@pytest.mark.parametrize(
    ("error", "names", "says"),
    [
        (_PortAudioError("Error querying device -1"), [], "no microphone: none is connected"),
        (
            _PortAudioError("Error opening InputStream: Device unavailable", -9985),
            ["USB"],
            "no microphone: another program uses it, or it was unplugged; close that program",
        ),
        (_PortAudioError("Invalid sample rate", -9997), ["hw"], "16,000 samples a second"),
        (ValueError("No input device matching 'UBS'"), ["USB"], "'UBS'; there is USB"),
    ],
)
def test_why_there_is_no_microphone_is_said_in_plain_words(
    monkeypatch: pytest.MonkeyPatch, error: Exception, names: list[str], says: str
) -> None:
    def refuse(**form: object) -> None:
        raise error

    card = SimpleNamespace(
        InputStream=refuse,
        PortAudioError=_PortAudioError,
        query_devices=lambda: [{"name": it, "max_input_channels": 1} for it in names],
    )
    monkeypatch.setattr("treec_voice.devices._card", lambda what: card)
    with pytest.raises(CannotTalk) as told:
        CardMicrophone()
    assert says in str(told.value)


class _Mute:
    """A microphone that is switched off, for twelve seconds."""

    is_over = False
    hears_us = True

    def frames(self, stopped: threading.Event) -> Iterator[Sound]:
        return iter(silence(12.0).reshape(-1, 512))


def test_a_microphone_that_is_mute_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    talk, told = Talk(VoiceSettings(), microphone=_Mute), []
    monkeypatch.setattr(talk, "_fail", lambda *said: told.append(said))
    monkeypatch.setattr(talk, "_open_parts", lambda: None)
    talk._listen()
    assert told == [("microphone", "it has been mute for 10 s: is it switched on?")]
