"""A stop in doubt is checked by weighing it against the words that were recognized."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from tests.voice.fakes import DeafRecognizer
from treec.team.language import shipped_language, stop_words_in
from treec_voice.doors import Sound, Transcript
from treec_voice.settings import VoiceSettings
from treec_voice.stop_check import HINTS, LIKELY, StopCheck, with_a_stop
from treec_voice.talk import Talk

SOUND = np.zeros(1, np.float32)


class FakeWeigher(DeafRecognizer):
    """Recognizes always the same, and finds one text as likely as it is told."""

    def __init__(self, text: str, other: str, weight: float) -> None:
        self.text, self.other, self.weight = text, other, weight

    def weigh(
        self, sound: Sound, instead: Callable[[str], Sequence[str]]
    ) -> tuple[Transcript, Sequence[tuple[str, float]]]:
        others = instead(self.text)
        assert self.other in others
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


def test_with_hints_the_words_count() -> None:
    """So it is where our own voice is in the sound."""
    check = StopCheck(FakeWeigher("", "Stop.", LIKELY + 1), stop_words_in(shipped_language()))
    assert check(SOUND, HINTS).text == DeafRecognizer()(SOUND, HINTS).text


def test_the_words_count_while_our_own_voice_is_in_the_microphone() -> None:
    talk = Talk(VoiceSettings())
    hints = talk._checker._hints
    assert hints() == ()
    talk._spoke = talk._finder.now
    assert hints() == HINTS


def test_words_of_a_recognizer_that_cannot_weigh_count_as_they_are() -> None:
    check = StopCheck(DeafRecognizer(), stop_words_in(shipped_language()))
    assert check(SOUND).text == "We shop on Friday."


def test_a_stop_takes_the_place_of_the_last_word() -> None:
    assert with_a_stop("") == ["Stop.", "Halt.", "Freeze."]
    assert with_a_stop("R2, step")[:2] == ["R2, stop.", "R2, halt."]
