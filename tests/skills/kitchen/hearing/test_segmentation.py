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


TWO_THINGS_ARE_SAID_IN_A_BREATH: Table = [
    ("salad_busy", "the lettuce is washed also R2 bring the salt",
     "done prepare lettuce; request R2 get salt"),
    ("soup_busy", "skip the cream also get the pepper",
     "drop get cream; request anyone get pepper"),
    ("fruit_end", "Halt the arm and R2 put away the yoghurt",
     "request R2 put away yoghurt; stop R1"),
    ("fruit_end", "R2 put away the yoghurt, freeze the arm",
     "request R2 put away yoghurt; stop R1"),
    ("soup_busy", "fetch the pepper and onions are chopped",
     "done chop onions; request anyone get pepper"),
    ("soup_busy", "I need a plate, the onions are finished",
     "done chop onions; request anyone get plate"),
    ("soup_end", "I'll get the salt, give me the ladle",
     "request anyone hand over ladle; request user get salt"),
    ("salad_busy", "R1 go ahead and toss the lettuce in the bowl", "request R1 pour bowl lettuce"),
]  # fmt: skip


@pytest.mark.parametrize(("context", "text", "expected"), TWO_THINGS_ARE_SAID_IN_A_BREATH)
def test_two_things_are_said_in_a_breath(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
