"""What was named by mistake is taken back."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

A_THING_TAKEN_BACK: Table = [
    ("salad_busy", "pass me the bow— sorry, the ladle", "request anyone hand over ladle"),
    ("salad_busy", "get the cream, wait, no, the salt", "request anyone get salt"),
    ("salad_busy", "R2 fetch the cream I mean the salt", "request R2 get salt"),
    ("soup_busy", "bring me the bowl, no, a plate", "request anyone get plate"),
]
WHAT_IS_TO_BE_LEFT_OUT: Table = [
    ("salad_start", "bring the salt, no pepper", "decline p1; request anyone get salt"),
    ("salad_three_open", "yes pour it in, no lettuce", "accept p3; decline p5"),
]


@pytest.mark.parametrize(("context", "text", "expected"), A_THING_TAKEN_BACK)
def test_a_thing_taken_back_is_not_asked_for(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WHAT_IS_TO_BE_LEFT_OUT)
def test_what_is_to_be_left_out_takes_nothing_back(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
