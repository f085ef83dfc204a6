"""What is said in jest, quoted or sung does nothing."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

A_FLATTERED_SIGH_STOPS_NOBODY: Table = [
    ("salad_busy", "Oh stop, you're making me blush.", "remark"),
    ("salad_busy", "Oh stop it, you flatterer.", "remark"),
    ("salad_busy", "Freeze! said the policeman.", "remark"),
    ("salad_busy", "hold on, I'm coming (that's my favourite song)", "remark"),
    ("soup_busy", "My late husband never could stop talking, God rest him.", "remark"),
    ("salad_busy", "God rest him.", "remark"),
]

A_SIGH_BEFORE_A_FAULT_STOPS: Table = [
    ("salad_busy", "oh stop, you're spilling it", "stop all"),
    ("salad_busy", "Oh stop!", "stop all"),
    ("salad_busy", "oh no stop, R1", "stop R1"),
]

IDIOMS_FETCH_NOTHING: Table = [
    ("soup_busy", "take that with a pinch of salt", "remark"),
    ("soup_busy", "Add some salt to the wound, why don't you.", "ask"),
    ("salad_start", "Prepare for trouble, make it double.", "remark"),
    ("fruit_end", "I could eat the whole bowl on my own.", "remark"),
]


@pytest.mark.parametrize(("context", "text", "expected"), A_FLATTERED_SIGH_STOPS_NOBODY)
def test_a_flattered_sigh_stops_nobody(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), A_SIGH_BEFORE_A_FAULT_STOPS)
def test_a_sigh_before_a_fault_stops(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), IDIOMS_FETCH_NOTHING)
def test_idioms_fetch_nothing(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
