"""Things alone, and who is to bring them."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

SOMEBODY_IS_ASKED_BEHIND_THE_THING: Table = [
    ("salad_busy", "A towel, someone, quick!", "request anyone get towel"),
    ("salad_end", "plate, somebody, we're eating in two minutes", "request anyone get plate"),
    ("soup_end", "Let me have the ladle.", "request anyone get ladle"),
    ("salad_busy", "can I get a plate", "request anyone get plate"),
    ("salad_busy", "Oh and salt!", "request anyone get salt"),
]

SEVERAL_ARE_ASKED_FOR_BY_THE_NAME_OF_ONE: Table = [
    ("salad_busy", "R2, plates please", "request R2 get plate"),
    ("salad_busy", "3 plates please", "request anyone get plate"),
    ("salad_busy", "R2 fetch tongs and a towel", "request R2 get tongs; request R2 get towel"),
]

A_NAME_BEHIND_AND_CALLS_WHAT_FOLLOWS: Table = [
    (
        "soup_end",
        "Work away with the cream, and R2, bring us the salt.",
        "accept p9; request R2 get salt",
    ),
]


@pytest.mark.parametrize(("context", "text", "expected"), SOMEBODY_IS_ASKED_BEHIND_THE_THING)
def test_somebody_is_asked_behind_the_thing(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), SEVERAL_ARE_ASKED_FOR_BY_THE_NAME_OF_ONE)
def test_several_are_asked_for_by_the_name_of_one(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), A_NAME_BEHIND_AND_CALLS_WHAT_FOLLOWS)
def test_a_name_behind_and_calls_what_follows(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
