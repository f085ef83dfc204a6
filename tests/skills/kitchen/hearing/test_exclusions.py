"""What nobody needs, said in many ways."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

WHAT_IS_NOT_WANTED_IS_LEFT_OUT: Table = [
    ("salad_start", "We've decided against pepper.", "drop get pepper"),
    ("salad_start", "no one wants pepper", "drop get pepper"),
    ("soup_start", "There'll be no cream in my soup.", "drop get cream"),
    ("soup_start", "The soup is fine without cream.", "drop get cream"),
    ("soup_busy", "the cream can stay in the fridge", "drop get cream"),
    ("soup_busy", "leave the cream in the fridge today", "drop get cream"),
    ("salad_busy", "the sauce doesn't have to go back", "drop put ranch sauce away"),
]

AGAIN_IS_THE_SECOND_TIME: Table = [
    ("soup_arm_stopped", "no need to stir again later", "drop stir again"),
    ("soup_start", "we don't have to stir twice", "drop stir again"),
    ("soup_start", "forget about stirring it again at the end", "drop stir again"),
    ("soup_arm_stopped", "once is enough, skip the second stirring", "drop stir again"),
]

WHAT_IS_NOT_YET_DONE_IS_NO_REFUSAL: Table = [
    ("salad_busy", "I haven't finished the lettuce.", "remark"),
    ("soup_busy", "Nobody stirs like you do, R1, nobody.", "remark"),
    ("salad_start", "I've got no problem with any of it.", "accept p1 p2"),
    ("soup_start", "onions and me don't get along", "remark"),
]


@pytest.mark.parametrize(("context", "text", "expected"), WHAT_IS_NOT_WANTED_IS_LEFT_OUT)
def test_what_is_not_wanted_is_left_out(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), AGAIN_IS_THE_SECOND_TIME)
def test_again_is_the_second_time(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WHAT_IS_NOT_YET_DONE_IS_NO_REFUSAL)
def test_what_is_not_yet_done_is_no_refusal(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
