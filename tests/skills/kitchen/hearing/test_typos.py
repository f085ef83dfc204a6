"""Slips of the finger in any longer word."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

A_LETTER_TWICE_OR_TWO_SWAPPED_ARE_MENDED: Table = [
    ("fruit_start", "I'll slice the bananas myeslf", "accept p2"),
    ("salad_start", "pepper is alrready here", "done get pepper"),
    ("soup_busy", "R2, could you possiibly bring the cream?", "request R2 get cream"),
    ("salad_busy", "soembody get me the salt", "request anyone get salt"),
    ("fruit_start", "leave out the yohgurt", "decline p1"),
    ("soup_busy", "finisehd", "done chop onions"),
]


@pytest.mark.parametrize(("context", "text", "expected"), A_LETTER_TWICE_OR_TWO_SWAPPED_ARE_MENDED)
def test_a_letter_twice_or_two_swapped_are_mended(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
