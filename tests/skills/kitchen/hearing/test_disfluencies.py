"""Hesitation: sounds, pauses and small words said again."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

A_SOUND_OR_A_PAUSE_PARTS_NOTHING: Table = [
    ("salad_three_open", "yeah, the, uh, second one only", "accept p4"),
    ("soup_busy", "bring me… the salt", "request anyone get salt"),
    ("soup_busy", "R2, could you — um — fetch the cream?", "request R2 get cream"),
    ("salad_end", "please don't return... the sauce just yet", "decline p8"),
    ("fruit_end", "I've chopped uh the tomatoes", "remark"),
    ("salad_stopped", "er, you may both go on", "resume all"),
]

A_SMALL_WORD_SAID_AGAIN_COUNTS_ONCE: Table = [
    ("salad_busy", "pass me the the ladle", "request anyone hand over ladle"),
    ("soup_start", "I, I will chop the onions", "accept p2"),
    ("salad_start", "no no pepper for me", "decline p1"),
    ("salad_three_open", "no, no to the pepper, yes to the sauce", "accept p4; decline p3"),
]

BETWEEN_TWO_THINGS_SAID_A_BREAK_STAYS: Table = [
    ("soup_end", "yes, um, no", "decline p9"),
    ("salad_busy", "R1, stop... the bowl is full", "stop R1"),
]


@pytest.mark.parametrize(("context", "text", "expected"), A_SOUND_OR_A_PAUSE_PARTS_NOTHING)
def test_a_sound_or_a_pause_parts_nothing(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), A_SMALL_WORD_SAID_AGAIN_COUNTS_ONCE)
def test_a_small_word_said_again_counts_once(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), BETWEEN_TWO_THINGS_SAID_A_BREAK_STAYS)
def test_between_two_things_said_a_break_stays(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
