"""Whatever breaks while a run is listened to is told, and the rest of it goes on."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.voice.fakes import LoudDetector, ToneRecognizer, talk, tone
from treec.team.language import shipped_language, stop_words_in
from treec_voice import talk as module
from treec_voice.devices import FileMicrophone
from treec_voice.doors import RATE, Sound, Transcript
from treec_voice.events import VoiceFailed, VoiceHeard, VoiceStop
from treec_voice.names import Understood
from treec_voice.settings import VoiceSettings
from treec_voice.speech import FolderSpeaker, Speech
from treec_voice.talk import Talk


class Broken:
    """A part that breaks at its first frame."""

    def __init__(self, *args: object) -> None:
        pass

    def __call__(self, *given: object) -> Any:
        raise SystemExit("it is broken")


class Junk(Broken):
    """A part that delivers what it should not."""

    def __call__(self, *given: object) -> Any:
        return "junk"


class SoonBroken(LoudDetector):
    """Breaks a third of a second after somebody begins to speak."""

    def __init__(self) -> None:
        self._heard = 0

    def __call__(self, frame: Sound) -> float:
        probability = super().__call__(frame)
        self._heard += probability > 0
        if self._heard > 10:
            raise RuntimeError("it is broken")
        return probability


class Muting(Broken):
    """A canceller that leaves nothing of whoever speaks while we do."""

    def __call__(self, near: Sound, far: Sound) -> Sound:
        self.heard = near
        return 0 * near


class Hung(ToneRecognizer):
    """Hears nothing until all is over."""

    end = threading.Event()

    def __call__(self, sound: Sound, hints: Sequence[str]) -> Transcript:
        self.end.wait(10)
        return Transcript("We shop on Friday.", 0.9)


class Gone(FolderSpeaker):
    """A loudspeaker that is unplugged."""

    def played(self) -> Sound:
        raise OSError("it is gone")

    def close(self) -> None:
        raise OSError("it is gone")


class NoWords(ToneRecognizer):
    """Cannot be loaded."""

    def __init__(self) -> None:
        raise MemoryError("no room")


Listen = Callable[..., tuple[list[str], list[str]]]


@pytest.fixture
def listen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Listen:
    """Tells what failed and what was heard, where some parts are others than the fakes."""
    words = stop_words_in(shipped_language())
    monkeypatch.setattr(module, "stop_words_of", lambda view: words)
    monkeypatch.setattr(Talk, "_spoken_of", lambda talk: [])
    monkeypatch.setattr(module, "hot_words", lambda knowledge, now: ())
    monkeypatch.setattr(module, "talk_agents", lambda knowledge: ())
    monkeypatch.setattr(module, "put_names_right", lambda knowledge, text, *now: Understood(text))

    def listen(
        sound: Sound, *, check: float | None = None, speaker: Any = None, **parts: str
    ) -> tuple[list[str], list[str]]:
        posted: list[Any] = []
        run: Any = SimpleNamespace(
            loop=SimpleNamespace(handlers={}),
            world=SimpleNamespace(subscribe=lambda listener: lambda: None),
            inbox=SimpleNamespace(post=lambda source, event: posted.append(event)),
            stop_button=SimpleNamespace(press=lambda: None),
            knowledge=None,
            view=None,
            folder=None,
        )
        named = {part: f"tests.voice.fakes:{name}" for part, name in FAKES.items()}
        own = {part: f"{__name__}:{name}" for part, name in parts.items()}
        monkeypatch.setattr(module, "CHECK", check)
        Hung.end.clear()
        talk = Talk(
            VoiceSettings.model_validate({**named, **own, "check_stops": check is not None}),
            microphone=lambda: FileMicrophone(sound, 1e9),
            speaker=speaker and (lambda: speaker(tmp_path, at_once=False)),
        )
        with talk.open(run):
            while check is not None and not any(isinstance(it, VoiceStop) for it in posted):
                threading.Event().wait(0.001)
            Hung.end.set()
            while not talk.is_over:
                threading.Event().wait(0.001)
        told = [f"{it.part}: {it.why}" for it in posted if isinstance(it, VoiceFailed)]
        stops = ["all stop" for it in posted if isinstance(it, VoiceStop)]
        return told, stops + [it.text for it in posted if isinstance(it, VoiceHeard)]

    return listen


FAKES = {
    **{"recognizer": "ToneRecognizer", "voice": "ToneVoice", "spotter": "ToneSpotter"},
    **{"detector": "LoudDetector", "canceller": "NoCanceller"},
}
ORDER = "Start the morning orders."
TALK = talk(0.3, 900, 1.0, 500, 1.0, 900, 1.0)
"""A stop, an order, and a stop."""


@pytest.mark.parametrize(
    ("part", "broken", "tells", "hears"),
    [
        (
            "spotter",
            "Broken",
            "it called exit.*; a stop is heard only once",
            ["stop", ORDER, "stop"],
        ),
        ("spotter", "Junk", "no attribute 'ago'; a stop is heard", ["stop", ORDER, "stop"]),
        ("spotter", "Nobody", "cannot be used: .*; a stop is heard", ["stop", ORDER, "stop"]),
        ("detector", "Broken", "it called exit.*; nothing but stops is heard", ["all stop"] * 2),
        ("detector", "Junk", "could not convert .*; nothing but stops", ["all stop"] * 2),
        ("detector", "Nobody", "cannot be used: .*; nothing but stops", ["all stop"] * 2),
    ],
)
def test_a_part_that_breaks_is_told_once_and_the_others_go_on(
    listen: Listen, part: str, broken: str, tells: str, hears: Sequence[str]
) -> None:
    told, heard = listen(TALK, **{part: broken})
    assert re.match(f"{part}: .*{tells}", told[0])
    assert (told[1:], heard) == ([], [*hears])


def test_a_detector_that_breaks_while_somebody_speaks_leaves_what_was_said(listen: Listen) -> None:
    told, heard = listen(TALK[: 2 * RATE], detector="SoonBroken")
    assert [it.split(";")[0] for it in told] == ["detector: it is broken"]
    assert heard == ["all stop", "stop"]


def test_a_loudspeaker_that_breaks_is_told_and_the_microphone_works(listen: Listen) -> None:
    told, heard = listen(TALK, speaker=Gone)
    assert told == [
        "speaker: it is gone; our own voice may be heard",
        "voice: what was said last may be cut off: it is gone",
    ]
    assert ORDER in heard


def test_a_stop_is_heard_in_what_a_canceller_takes_for_our_own_voice(
    listen: Listen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FileMicrophone, "hears_us", True)
    _, heard = listen(TALK, speaker=FolderSpeaker, canceller="Muting")
    assert heard == ["all stop"] * 2


@pytest.mark.parametrize(
    ("recognizer", "check", "why"),
    [
        ("Broken", 60.0, "it called exit"),
        ("Junk", 60.0, "'str' object has no attribute 'text'"),
        ("NoWords", 60.0, "cannot be used: no room"),
        ("Hung", 0.0, "it has not (answered|been loaded) for 0 s"),
    ],
)
def test_a_stop_in_doubt_that_nothing_checks_counts_and_that_is_told_once(
    listen: Listen, recognizer: str, check: float, why: str
) -> None:
    told, heard = listen(talk(0.3, 900, 1.0), check=check, recognizer=recognizer)
    assert "all stop" in heard
    (check,) = [it for it in told if it.startswith("stop check: ")]
    assert re.match(f"stop check: .*{why}.*; all robots stop where a stop is in doubt", check)


def test_a_voice_that_hangs_is_told_when_something_else_is_to_be_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    begun, end, told = threading.Event(), threading.Event(), []

    def hangs(text: str) -> Sound:
        begun.set()
        end.wait(10)
        return tone(2000)

    monkeypatch.setattr("treec_voice.speech.PATIENCE", 0.0)
    speech = Speech(lambda: hangs, FolderSpeaker(tmp_path, at_once=True), told.append)
    speech.begin()
    speech.say("R2 comes.")
    assert begun.wait(10)
    speech.say("R2 is here. It waits.")
    end.set()
    speech.close(10)
    assert told == ["it has said nothing for 0 s; answers are only written"]
