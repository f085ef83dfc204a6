"""Who is to do what, in many moods."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

WORK_IS_LEFT_OR_GIVEN_TO_SOMEBODY: Table = [
    (
        "soup_start",
        "I'd prefer to fetch the tomatoes and leave the onions to R1.",
        "request R1 chop onions; request user get tomatoes",
    ),
    ("soup_arm_stopped", "Leave the stirring to me after all.", "request user stir pot"),
    ("salad_end", "leave the stirring to me", "request user stir bowl"),
    ("salad_end", "Ah no, give the stirring to R2.", "decline p7 p8; request R2 stir bowl"),
    ("salad_start", "Let R1 do my job.", "request R1 prepare lettuce"),
    ("salad_start", "I'll take R2's job.", "request user get pepper"),
]

A_WISH_MAY_BE_SAID_IN_THE_PAST: Table = [
    (
        "soup_start",
        "I'd rather the arm did the onions, they make me cry so.",
        "request R1 chop onions",
    ),
    ("salad_busy", "Actually I'd rather R1 washed the lettuce.", "request R1 prepare lettuce"),
    ("salad_end", "I'd rather nobody stirred until I've tasted.", "decline p7"),
]

TO_FINISH_IS_TO_TAKE_OVER_FOR_WHO_WAS_NOT_AT_IT: Table = [
    ("soup_busy", "R1 can finish off the onions", "request R1 chop onions"),
    ("soup_busy", "Arm, you finish the onions.", "request R1 chop onions"),
    ("salad_stopped", "finish the pepper R1", "resume R1"),
]

WHO_IS_SENT_FOR_A_THING_FETCHES_IT: Table = [
    ("salad_start", "You can send R2 for the pepper.", "accept p1"),
    ("soup_start", "R2, off you go for the tomatoes.", "accept p1"),
    ("soup_start", "R2, off you go for the stock.", "request R2 get vegetable stock"),
]

AN_UNKNOWN_VERB_OF_THROWING_THROWS: Table = [
    ("salad_one_open", "yeet it in", "accept p6"),
    ("salad_one_open", "into the bowl with the lettuce", "accept p6"),
    ("salad_one_open", "she works it in", "remark"),
]

ONE_IS_THE_ONE_TO_DO_IT: Table = [
    ("soup_start", "I'll be the one to chop.", "accept p2"),
    ("soup_busy", "I'll be the one to stir.", "request user stir pot"),
    ("soup_start", "I'd be delighted to chop the onions.", "accept p2"),
]


@pytest.mark.parametrize(("context", "text", "expected"), WORK_IS_LEFT_OR_GIVEN_TO_SOMEBODY)
def test_work_is_left_or_given_to_somebody(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), A_WISH_MAY_BE_SAID_IN_THE_PAST)
def test_a_wish_may_be_said_in_the_past(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(
    ("context", "text", "expected"), TO_FINISH_IS_TO_TAKE_OVER_FOR_WHO_WAS_NOT_AT_IT
)
def test_to_finish_is_to_take_over_for_who_was_not_at_it(
    context: str, text: str, expected: str
) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WHO_IS_SENT_FOR_A_THING_FETCHES_IT)
def test_who_is_sent_for_a_thing_fetches_it(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), AN_UNKNOWN_VERB_OF_THROWING_THROWS)
def test_an_unknown_verb_of_throwing_throws(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), ONE_IS_THE_ONE_TO_DO_IT)
def test_one_is_the_one_to_do_it(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


COURTESY_ASKS_ALL_THE_SAME: Table = [
    ("salad_busy", "any chance you could pass the ladle?", "request anyone hand over ladle"),
    ("soup_busy", "Is there any chance R2 could bring the cream?", "request R2 get cream"),
    ("salad_busy", "would it be possible to get the salt?", "request anyone get salt"),
    ("soup_busy", "R1, would you be so good as to pass me the ladle?",
     "request R1 hand over ladle"),
    ("soup_busy", "R2 could I ask you to fetch the pepper?", "request R2 get pepper"),
]  # fmt: skip


@pytest.mark.parametrize(("context", "text", "expected"), COURTESY_ASKS_ALL_THE_SAME)
def test_courtesy_asks_all_the_same(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
