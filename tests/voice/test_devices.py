"""The sound card: frames from its microphone, sentences to its loudspeaker."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

np = pytest.importorskip("numpy")

from treec_voice.devices import LATE, CardMicrophone, CardSpeaker  # noqa: E402
from treec_voice.doors import FRAME, RATE, SECONDS, CannotTalk  # noqa: E402


class Stream:
    """A stream of a card, of which a test plays the card."""

    def __init__(
        self, callback: Callable[..., None], finished_callback: Any = None, **form: object
    ) -> None:
        self.callback, self.finished, self.form = callback, finished_callback, form
        self.state = "new"

    def start(self) -> None:
        self.state = "begun"

    def close(self) -> None:
        self.state = "closed"

    def says(self, value: float) -> None:
        self.callback(np.full((FRAME, 1), value, np.float32), FRAME, None, None)

    def plays(self) -> list[float]:
        data = np.full((FRAME, 1), -1, np.float32)
        self.callback(data, FRAME, None, None)
        return [float(one) for one in data[:, 0]]


class PortAudioError(Exception):
    pass


@pytest.fixture(autouse=True)
def card(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    found = SimpleNamespace(InputStream=Stream, OutputStream=Stream, PortAudioError=PortAudioError)
    monkeypatch.setitem(sys.modules, "sounddevice", found)
    return found


def test_what_the_microphone_takes_is_heard_until_it_is_gone() -> None:
    microphone = CardMicrophone("headset")
    stream = microphone._stream
    form = {"samplerate": RATE, "blocksize": FRAME, "channels": 1, "dtype": "float32"}
    assert (stream.state, stream.form) == ("begun", {"device": "headset", **form})
    for value in (0.25, 0.5):
        stream.says(value)
    stream.finished()
    frames = microphone.frames(threading.Event())
    assert [next(frames).max() for _ in range(2)] == [0.25, 0.5]
    with pytest.raises(CannotTalk, match="the microphone is gone"):
        next(frames)
    assert stream.state == "closed"


def test_of_what_nobody_listened_to_the_newest_is_kept() -> None:
    microphone, stopped = CardMicrophone(), threading.Event()
    kept = round(LATE / SECONDS)
    for number in range(kept + 3):
        microphone._stream.says(number)
    frames = microphone.frames(stopped)
    assert [next(frames).max() for _ in range(kept)] == [*range(3, kept + 3)]
    stopped.set()
    assert next(frames, None) is None
    assert microphone._stream.state == "closed"


def test_sentences_are_played_one_after_another_and_cut() -> None:
    speaker = CardSpeaker()
    stream = speaker._stream
    speaker.play(np.full(FRAME, 0.25, np.float32), "one")
    speaker.play(np.full(FRAME + 2, 0.5, np.float32), "two")
    assert stream.plays() == [0.25] * FRAME
    assert stream.plays() == [0.5] * FRAME
    assert speaker.is_playing
    assert stream.plays() == [0.5, 0.5] + [0.0] * (FRAME - 2)
    assert not speaker.is_playing
    assert [speaker.played().max() for _ in range(4)] == [0.25, 0.5, 0.5, 0.0]
    speaker.play(np.full(FRAME, 0.5, np.float32), "three")
    speaker.cut()
    assert stream.plays() == [0.0] * FRAME
    speaker.close()
    assert stream.state == "closed"


def test_a_loudspeaker_that_is_gone_says_so_and_plays_nothing() -> None:
    speaker = CardSpeaker()
    speaker.play(np.full(FRAME, 0.25, np.float32), "one")
    speaker._stream.finished()
    assert not speaker.is_playing
    with pytest.raises(CannotTalk, match="the loudspeaker is gone"):
        speaker.play(np.full(FRAME, 0.25, np.float32), "two")


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (PortAudioError("no such device"), "no such device"),
        (PortAudioError("unavailable", -9985), "another program uses it, .* or name another"),
        (ValueError("16 kHz is not offered"), "16 kHz is not offered"),
        (OSError("busy"), "busy"),
    ],
)
def test_a_device_that_does_not_begin_is_told_and_which_there_are(
    error: Exception, says: str, card: SimpleNamespace
) -> None:
    def refuse(**form: object) -> None:
        raise error

    def devices(*channels: tuple[int, int]) -> None:
        found = enumerate(channels, start=1)
        named = [
            {"name": f"D{n}", "max_input_channels": i, "max_output_channels": o}
            for n, (i, o) in found
        ]
        card.query_devices = lambda: named

    card.InputStream = card.OutputStream = refuse
    devices((1, 0), (0, 2), (2, 2))
    with pytest.raises(CannotTalk, match=f"^no microphone: {says}; there is D1, D3$"):
        CardMicrophone()
    with pytest.raises(CannotTalk, match=f"^no loudspeaker 'D1': {says}; there is D2, D3$"):
        CardSpeaker("D1")
    devices()
    with pytest.raises(CannotTalk, match=r"^no microphone: none is connected$"):
        CardMicrophone()


def test_without_the_package_its_command_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sounddevice", None)
    with pytest.raises(CannotTalk, match=r"no microphone: .* \(pip install 'treec\[voice\]'\)"):
        CardMicrophone()
