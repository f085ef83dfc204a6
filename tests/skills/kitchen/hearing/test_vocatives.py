"""Whom one speaks to, by another word than a name."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

WHAT_ONLY_CALLS_SAYS_NOTHING_ELSE: Table = [
    ("salad_busy", "get the salt, mate", "request anyone get salt"),
    ("soup_busy", "R2 bring the cream my friend", "request R2 get cream"),
    ("fruit_start", "I'm slicing the bananas buddy", "accept p2"),
    ("salad_start", "yes to the pepper, dear", "accept p1"),
    ("soup_busy", "Mate, how long till the stock is here?", "ask"),
    ("salad_stopped", "carry on, lads", "resume all"),
]

WHO_IS_SPOKEN_OF_IS_NOT_CALLED: Table = [
    ("salad_start", "my mate said yes", "remark"),
    ("soup_busy", "I was stirring with love", "remark"),
]


@pytest.mark.parametrize(("context", "text", "expected"), WHAT_ONLY_CALLS_SAYS_NOTHING_ELSE)
def test_what_only_calls_says_nothing_else(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WHO_IS_SPOKEN_OF_IS_NOT_CALLED)
def test_who_is_spoken_of_is_not_called(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
