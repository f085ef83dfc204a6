"""Acts beside each other."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

WHAT_WAS_REFUSED_MAY_BE_WANTED_AFTER_ALL: Table = [
    ("salad_three_open", "no sauce. uh actually yeah bring it", "accept p4"),
    ("salad_start", "I'll get the pepper oh wait no let R2 do that", "accept p1"),
]

PRAISE_BEFORE_CHATTER_AGREES_TO_NOTHING: Table = [
    ("salad_start", "great, another bill", "remark"),
    ("salad_start", "Great, I love pepper", "remark"),
]

TO_PUT_OFF_STANDS_BESIDE_CHATTER: Table = [
    ("soup_start", "in a minute, I'm on the phone", "decline p1 p2"),
    ("salad_start", "let's not start yet, my guests are late", "decline p1 p2"),
    ("salad_start", "Not before the kids are here.", "decline p1 p2"),
]


@pytest.mark.parametrize(("context", "text", "expected"), WHAT_WAS_REFUSED_MAY_BE_WANTED_AFTER_ALL)
def test_what_was_refused_may_be_wanted_after_all(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), PRAISE_BEFORE_CHATTER_AGREES_TO_NOTHING)
def test_praise_before_chatter_agrees_to_nothing(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), TO_PUT_OFF_STANDS_BESIDE_CHATTER)
def test_to_put_off_stands_beside_chatter(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
