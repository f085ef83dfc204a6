"""Answers that open small talk."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

A_SIGH_OF_CONTENT_AGREES_TO_NOTHING: Table = [
    ("salad_start", "great, another bill", "remark"),
    ("salad_start", "Great, I love pepper", "remark"),
    ("salad_start", "oh yes, that was a lovely holiday", "remark"),
]

A_YES_BEFORE_ITS_REASON_AGREES: Table = [
    ("salad_start", "yes please i'm starving", "accept p1 p2"),
    ("salad_start", "Yes, and be quick about it.", "accept p1 p2"),
    ("salad_start", "Fine, but hurry up.", "accept p1 p2"),
]


@pytest.mark.parametrize(("context", "text", "expected"), A_SIGH_OF_CONTENT_AGREES_TO_NOTHING)
def test_a_sigh_of_content_agrees_to_nothing(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), A_YES_BEFORE_ITS_REASON_AGREES)
def test_a_yes_before_its_reason_agrees(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
