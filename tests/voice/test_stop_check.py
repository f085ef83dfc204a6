"""A stop in doubt is checked by weighing it against the words that were recognized."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from types import SimpleNamespace

import numpy as np
import pytest

from tests.voice.fakes import DeafRecognizer
from tests.voice.fakes import talk as tone_talk
from treec.team.language import shipped_language, stop_words_in
from treec_voice import talk as module
from treec_voice.doors import FRAME, Sound, Spotted, Transcript
from treec_voice.segments import SpeechSegment
from treec_voice.settings import VoiceSettings
from treec_voice.sound import frames_of
from treec_voice.stop_check import JUDGED, LIKELY, READ, StopCheck, StopChecks, with_a_stop
from treec_voice.talk import Talk

SOUND = np.zeros(1, np.float32)
SEGMENT = SpeechSegment(SOUND, 0.0, 0.4)


class FakeWeigher(DeafRecognizer):
    """Recognizes always the same, and finds one text as likely as it is told."""

    def __init__(self, text: str, other: str, weight: float, chance: float | None = None) -> None:
        self.text, self.other, self.weight, self.chance = text, other, weight, chance
        self.has_judge = chance is not None

    def chance_of_stop(self, sound: Sound) -> float | None:
        return self.chance

    def weigh(
        self, sound: Sound, instead: Callable[[str], Sequence[str]]
    ) -> tuple[Transcript, Sequence[tuple[str, float]]]:
        others = instead(self.text)
        assert not others or self.other in others
        weights = [(it, self.weight if it == self.other else -99.0) for it in others]
        return Transcript(self.text, 0.4), weights


@pytest.mark.parametrize(
    ("text", "other", "weight", "heard"),
    [
        ("Everybody's pretty", "Everybody's freeze.", LIKELY + 1, "Everybody's freeze."),
        ("R2, step", "R2, stop.", LIKELY + 1, "R2, stop."),
        ("R2, step", "R2, stop.", LIKELY - 1, "R2, step"),
        ("Oh.", "Halt.", LIKELY + 1, "Halt."),
        ("Don't stop", "Stop.", LIKELY + 1, "Don't stop"),
        ("R2, stop!", "Stop.", -50, "R2, stop!"),
    ],
)
def test_a_stop_that_is_nearly_as_likely_as_the_words_is_heard(
    text: str, other: str, weight: float, heard: str
) -> None:
    check = StopCheck(FakeWeigher(text, other, weight), stop_words_in(shipped_language()))
    assert check(SOUND).text == heard


@pytest.mark.parametrize(
    ("text", "weight", "chance", "heard"),
    [
        ("R2, step", -6.0, 0.999, "R2, stop."),  # the judge is all but certain
        ("R2, step", -8.0, 1.0, "R2, step"),  # it is of "I'm sorry", too
        ("R2, step", -1.0, 0.95, "R2, stop."),
        ("R2, step", -6.0, 0.95, "R2, step"),
        ("R2, step", 0.0, 0.1, ""),  # not worth reading
        ("Don't stop", 0.0, 0.999, "Don't stop"),
        ("R2, stop!", -50.0, 0.4, "R2, stop!"),
    ],
)
def test_what_the_judge_of_the_sound_says_counts_beside_the_words(
    text: str, weight: float, chance: float, heard: str
) -> None:
    weigher = FakeWeigher(text, "R2, stop." if "R2" in text else "Don't stop.", weight, chance)
    check = StopCheck(weigher, stop_words_in(shipped_language()))
    assert check.least_doubt == JUDGED
    assert check(SOUND).text == heard


@pytest.mark.parametrize("answer", [OSError("unreadable"), float("nan")])
def test_a_judge_that_breaks_leaves_it_to_the_words_and_is_told_once(
    monkeypatch: pytest.MonkeyPatch, answer: float | Exception
) -> None:
    def chance(sound: Sound) -> float:
        if isinstance(answer, Exception):
            raise answer
        return answer

    told: list[str] = []
    weigher = FakeWeigher("R2, step", "R2, stop.", LIKELY + 1, chance=0.0)
    monkeypatch.setattr(weigher, "chance_of_stop", chance)
    check = StopCheck(weigher, stop_words_in(shipped_language()), told.append)
    assert check.least_doubt == READ
    assert check.at_once(SOUND)
    assert [check(SOUND).text for _ in range(2)] == ["R2, stop."] * 2
    (why,) = told
    assert why.startswith("the judge of stops cannot be used: ")


@pytest.fixture
def sure(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Tells the stops after a frame in which the spotter is sure of one."""

    def sure(
        weigher: FakeWeigher, busy: bool = False, late: float = 60.0, ready: bool = True
    ) -> list[str]:
        talk, told = Talk(VoiceSettings()), []
        words = stop_words_in(shipped_language())
        talk._check = check = StopCheck(weigher, words)
        talk._run = SimpleNamespace(view=None)  # type: ignore[assignment]
        if busy:
            talk._checker._waiting.append((SEGMENT, 0.0))
        monkeypatch.setattr(StopChecks, "is_ready", ready)
        monkeypatch.setattr(module, "SURE_CHECK", late)
        monkeypatch.setattr(module, "stop_words_of", lambda view: words)
        monkeypatch.setattr(talk, "_parts", {"spotter": lambda frame: Spotted("stop", (0.5, 0.1))})
        monkeypatch.setattr(talk, "_stop", lambda *stop: told.append(stop[0]))

        def add(segment: SpeechSegment) -> None:
            talk._decide(segment, talk._checker.recognize(check, segment))

        monkeypatch.setattr(talk._checker, "add", add)
        talk._take(SOUND, SOUND)
        if busy and not told:
            talk._checker._waiting.clear()
            talk._parts["spotter"] = lambda frame: None
            talk._take(SOUND, SOUND)
        return told

    return sure


CAN_YOU = "Can you help me?", "Can you help stop.", -20.9
"""By the wheel's voice: the words of "Can you help me make", and a stop in their place."""


@pytest.mark.parametrize(
    ("text", "other", "weight", "chance", "stops"),
    [
        (*CAN_YOU, 0.17, 0),  # recorded: the spotter gave 0.92
        (*CAN_YOU, 0.95, 0),
        (*CAN_YOU, 0.999, 1),  # nobody asks for the words
        (*CAN_YOU, 0.001, 0),
        (*CAN_YOU, None, 1),
        ("it's top", "it's stop.", -7.0, 0.82, 1),  # "Stop that now", at 5 dB
        ("Stop.", "Stop.", 0.0, 0.19, 1),
    ],
)
@pytest.mark.parametrize("busy", [False, True])
def test_a_stop_of_which_the_spotter_is_sure_counts_unless_judge_or_words_deny_it(
    sure: Callable[..., list[str]],
    text: str,
    other: str,
    weight: float,
    chance: float | None,
    stops: int,
    busy: bool,
) -> None:
    assert len(sure(FakeWeigher(text, other, weight, chance), busy)) == stops


def test_a_judge_that_hangs_does_not_hang_the_microphone_and_the_stop_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It answered while it was loaded, and hangs when it is first asked of a stop."""
    asked, end, told = threading.Event(), threading.Event(), []
    was_ended: list[bool] = []
    weigher, words = FakeWeigher(*CAN_YOU, 0.17), stop_words_in(shipped_language())
    check = StopCheck(weigher, words)

    def hang(sound: Sound) -> float:
        asked.set()
        was_ended.append(end.wait(5))
        return 0.17

    monkeypatch.setattr(weigher, "chance_of_stop", hang)
    monkeypatch.setattr(module, "stop_words_of", lambda view: words)
    monkeypatch.setattr(module, "SURE_CHECK", 0.0)
    talk = Talk(VoiceSettings())
    talk._run, talk._check = SimpleNamespace(view=None), check  # type: ignore[assignment]
    monkeypatch.setattr(talk._checker, "_open", lambda: check)
    monkeypatch.setattr(talk, "_stop", lambda *stop: told.append(stop[0]))
    talk._checker.begin()
    while not talk._checker.is_ready:
        threading.Event().wait(0.001)
    talk._parts = {"spotter": lambda frame: Spotted("stop", (0.5, 0.1))}
    talk._take(SOUND, SOUND)
    assert told == ["stop"]
    assert asked.wait(10)
    end.set()
    talk._checker.end(10)
    assert was_ended == [True]  # else the microphone's thread had waited for it


def test_words_around_a_stop_that_a_check_has_confirmed_are_not_acted_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A recognizer may write "R2, shop": all have stopped."""
    talk, words = Talk(VoiceSettings()), stop_words_in(shipped_language())
    talk._run = SimpleNamespace(view=None)  # type: ignore[assignment]
    monkeypatch.setattr(module, "stop_words_of", lambda view: words)
    monkeypatch.setattr(talk, "_stop", lambda *stop: None)
    said: list[SpeechSegment] = []
    monkeypatch.setattr(talk, "_add", said.append)
    talk._parts = {"spotter": lambda frame: None, "detector": lambda frame: float(frame.any())}
    for utterance in range(2):
        for number, frame in enumerate(frames_of(tone_talk(500, 500, 0.8))):
            if number == 20 and not utterance:
                spotted = Spotted("stop", (0.5, 0.1), sure=False)
                talk._decide(SpeechSegment(SOUND, 0.2, 0.5, spotted), Transcript("Stop.", 0.0))
            talk._take(frame, frame)
    assert [one.stop is not None for one in said] == [True, False]


def test_a_sure_stop_counts_where_its_check_is_late(sure: Callable[..., list[str]]) -> None:
    assert sure(FakeWeigher(*CAN_YOU, 0.17), busy=True, late=0.0) == ["stop"]


def test_a_check_that_hung_is_not_asked_of_a_sure_stop(sure: Callable[..., list[str]]) -> None:
    assert sure(FakeWeigher(*CAN_YOU, 0.001), ready=False) == ["stop"]


def test_words_of_a_recognizer_that_cannot_weigh_count_as_they_are() -> None:
    check = StopCheck(DeafRecognizer(), stop_words_in(shipped_language()))
    assert check.least_doubt == READ
    assert check(SOUND).text == "We shop on Friday."


def test_a_stop_takes_the_place_of_the_last_word() -> None:
    assert with_a_stop("") == ["Stop.", "Halt.", "Freeze."]
    assert with_a_stop("R2, step")[:2] == ["R2, stop.", "R2, halt."]


def test_a_second_stop_just_behind_one_does_not_mark_what_is_said_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It stops nothing anew: its words, if it was one, are read with the others."""
    talk, pressed = Talk(VoiceSettings()), []
    button = SimpleNamespace(press=lambda: pressed.append("stop"))
    talk._run = SimpleNamespace(view=None, stop_button=button)  # type: ignore[assignment]
    monkeypatch.setattr(talk, "_post", lambda event: None)
    talk._parts = {"spotter": lambda frame: Spotted("stop", (0.2, 0.1))}
    frame, marks = np.zeros(FRAME, np.float32), []
    for now in (5.0, 5.7, 6.0):
        talk._now = now
        marks.append(talk._look_for_stop(frame) is not None)
    assert (marks, pressed) == ([True, False, True], ["stop", "stop"])
