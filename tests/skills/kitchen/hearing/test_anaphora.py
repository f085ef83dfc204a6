"""What takes up what was just said."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

ONLY_ONE_IS_LEFT_TO_DO: Table = [
    ("salad_start", "lettuce is done so just the pepper", "accept p1; done prepare lettuce"),
    ("fruit_start", "bananas are done so just the yoghurt", "accept p1; done slice bananas"),
    ("salad_three_open", "Not all of it, just the sauce.", "accept p4; decline p3 p5"),
]

IT_IS_WHAT_WAS_WORKED_ON: Table = [
    (
        "salad_busy",
        "I've finished, R1 can put it in",
        "done prepare lettuce; request R1 pour bowl lettuce",
    ),
    (
        "soup_busy",
        "onions done, put them in R1",
        "done chop onions; request R1 pour pot onions",
    ),
]

THE_SAME_IS_ANSWERED_TOO: Table = [
    ("salad_three_open", "R2's is fine. Mine too.", "accept p4; accept p5"),
    ("salad_three_open", "no lettuce for me, R1 do it", "decline p5; request R1 prepare lettuce"),
]


@pytest.mark.parametrize(("context", "text", "expected"), ONLY_ONE_IS_LEFT_TO_DO)
def test_only_one_is_left_to_do(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), IT_IS_WHAT_WAS_WORKED_ON)
def test_it_is_what_was_worked_on(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), THE_SAME_IS_ANSWERED_TOO)
def test_the_same_is_answered_too(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
