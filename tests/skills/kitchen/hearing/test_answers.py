"""Answers that name what they are to."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

ROBOTS_MAY_BE_NAMED_TOGETHER: Table = [
    ("salad_three_open", "Yes for the robots.", "accept p3 p4"),
    ("salad_three_open", "You two go ahead, I'm still thinking about the lettuce.", "accept p3 p4"),
    ("salad_three_open", "Only the arm for now, please.", "accept p3"),
]

A_SAYING_MAY_STAND_BEFORE_WHAT_IT_IS_TO: Table = [
    ("salad_end", "not yet to both", "decline p7 p8"),
    ("salad_three_open", "let the arm go ahead, the rest should wait", "accept p3; decline p4 p5"),
]

A_REASON_MAY_FOLLOW_IN_THE_SAME_BREATH: Table = [
    ("soup_start", "cant do onions only 1 hand", "decline p2"),
    ("soup_start", "no onions for me they make me cry", "decline p2"),
]

WHAT_IS_STILL_NEEDED_IS_NOT_PUT_AWAY: Table = [
    ("salad_end", "we still need the sauce", "decline p8"),
    ("salad_end", "I still want some sauce.", "decline p8"),
    ("salad_end", "keep the ranch on the table, changed my mind", "decline p8"),
]

TO_TAKE_OVER_IS_NO_YES: Table = [
    (
        "fruit_start",
        "I take the yoghurt, then R1 can cut the bananas.",
        "request R1 slice bananas; request user get yoghurt",
    ),
    (
        "soup_end",
        "I'd love to pour the cream in myself, that's the nice part.",
        "request user pour pot cream",
    ),
    ("salad_three_open", "give me the pepper", "request anyone hand over pepper"),
    ("soup_start", "Take the onions off the list.", "drop chop onions"),
]


@pytest.mark.parametrize(("context", "text", "expected"), ROBOTS_MAY_BE_NAMED_TOGETHER)
def test_robots_may_be_named_together(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), A_SAYING_MAY_STAND_BEFORE_WHAT_IT_IS_TO)
def test_a_saying_may_stand_before_what_it_is_to(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), A_REASON_MAY_FOLLOW_IN_THE_SAME_BREATH)
def test_a_reason_may_follow_in_the_same_breath(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WHAT_IS_STILL_NEEDED_IS_NOT_PUT_AWAY)
def test_what_is_still_needed_is_not_put_away(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), TO_TAKE_OVER_IS_NO_YES)
def test_to_take_over_is_no_yes(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
