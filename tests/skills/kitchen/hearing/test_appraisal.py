"""Praise of a plan is a yes, blame a no, and praise of anything else nothing."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

PRAISE_OF_THE_PLAN_IS_A_YES: Table = [
    ("salad_start", "Yes, that's a sensible way to split it.", "accept p1 p2"),
    ("salad_start", "Sounds like a fair deal to me.", "accept p1 p2"),
    ("salad_start", "That sounds perfectly reasonable.", "accept p1 p2"),
    ("salad_start", "What a good plan!", "accept p1 p2"),
    ("salad_start", "The plan is fine.", "accept p1 p2"),
    ("salad_start", "Excellent division of labour.", "accept p1 p2"),
    ("salad_start", "seems fair", "accept p1 p2"),
    ("soup_start", "Is good for me, we make it so.", "accept p1 p2"),
]

BLAME_OF_THE_PLAN_IS_A_NO: Table = [
    ("salad_start", "that's a bad idea", "decline p1 p2"),
    ("salad_start", "what a stupid plan", "decline p1 p2"),
    ("salad_start", "that's not a good idea", "decline p1 p2"),
    ("salad_start", "sounds a bit silly", "decline p1 p2"),
]

PRAISE_OF_OTHER_THINGS_IS_A_REMARK: Table = [
    ("salad_start", "It's a lovely day.", "remark"),
    ("salad_start", "It's a good film.", "remark"),
    ("salad_start", "that's a nice song", "remark"),
    ("salad_start", "it's a nice kitchen", "remark"),
    ("salad_start", "You two make a good team.", "remark"),
]


@pytest.mark.parametrize(("context", "text", "expected"), PRAISE_OF_THE_PLAN_IS_A_YES)
def test_praise_of_the_plan_is_a_yes(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), BLAME_OF_THE_PLAN_IS_A_NO)
def test_blame_of_the_plan_is_a_no(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), PRAISE_OF_OTHER_THINGS_IS_A_REMARK)
def test_praise_of_other_things_is_a_remark(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
