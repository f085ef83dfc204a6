"""Where a clause ends although no comma says so."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

A_QUESTION_MAY_FOLLOW_WITHOUT_A_BREAK: Table = [
    ("soup_busy", "onions done how long till we eat", "ask; done chop onions"),
    ("soup_busy", "onions chopped what's next", "ask; done chop onions"),
    ("soup_busy", "when do the onions go in", "ask"),
    ("soup_busy", "The salt, when is it coming?", "ask"),
]

WHAT_FOLLOWS_A_HALT_IS_ITS_REASON: Table = [
    ("soup_busy", "hold on i dropped the knife", "stop all"),
    ("salad_busy", "wait there is glass on the floor", "stop all"),
    ("salad_busy", "hold it the cat is in the way", "stop all"),
    ("salad_busy", "omg stop stop stop", "stop all"),
    ("salad_busy", "get me a towel it's splashing everywhere", "request anyone get towel"),
]

AN_ORDER_FOLLOWS_A_TIME_OR_A_THING_SET_ASIDE: Table = [
    ("soup_busy", "Arm, after the tomatoes please stir the pot.", "request R1 stir pot"),
    (
        "soup_start",
        "before the tomatoes I need the stock",
        "request anyone get vegetable stock first",
    ),
    ("soup_busy", "when you are done bring the salt", "request anyone get salt"),
]

THE_REST_BEGINS_ANEW: Table = [
    (
        "salad_three_open",
        "I've washed the lettuce the rest of that is fine",
        "accept p3 p4; done prepare lettuce",
    ),
    ("salad_start", "alright you fetch i wash", "accept p1; accept p2"),
]


@pytest.mark.parametrize(("context", "text", "expected"), A_QUESTION_MAY_FOLLOW_WITHOUT_A_BREAK)
def test_a_question_may_follow_without_a_break(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WHAT_FOLLOWS_A_HALT_IS_ITS_REASON)
def test_what_follows_a_halt_is_its_reason(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(
    ("context", "text", "expected"), AN_ORDER_FOLLOWS_A_TIME_OR_A_THING_SET_ASIDE
)
def test_an_order_follows_a_time_or_a_thing_set_aside(
    context: str, text: str, expected: str
) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), THE_REST_BEGINS_ANEW)
def test_the_rest_begins_anew(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
