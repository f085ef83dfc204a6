"""Work that changes hands."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

TWO_SWAP_WHAT_WAS_PROPOSED_TO_THEM: Table = [
    ("salad_start", "let's swap", "request R2 prepare lettuce; request user get pepper"),
    (
        "salad_start",
        "the other way round please",
        "request R2 prepare lettuce; request user get pepper",
    ),
    (
        "salad_three_open",
        "swap me and R1",
        "request R1 prepare lettuce; request user pour bowl pepper",
    ),
    (
        "salad_three_open",
        "R2 and I swap",
        "request R2 prepare lettuce; request user get ranch sauce",
    ),
]

WHO_DOES_WHAT_GOES_BEFORE_A_SWAP: Table = [
    (
        "soup_start",
        "Let's switch, R2. You chop and I'll go for the tomatoes.",
        "request R2 chop onions; request user get tomatoes",
    ),
    (
        "salad_start",
        "let's swap, R2 does the lettuce and I get the pepper",
        "request R2 prepare lettuce; request user get pepper",
    ),
]

ONE_AGENT_STANDS_IN_FOR_ANOTHER: Table = [
    ("salad_start", "R1 instead of me", "request R1 prepare lettuce"),
    ("salad_start", "The arm instead of R2.", "request R1 get pepper"),
    ("salad_stopped", "let r2 finish the pepper instead of the arm", "request R2 pour bowl pepper"),
]

ONE_THING_TAKES_THE_PLACE_OF_ANOTHER: Table = [
    ("soup_busy", "R2, cream instead of stock", "drop get vegetable stock; request R2 get cream"),
    (
        "soup_busy",
        "instead of the stock get the cream",
        "drop get vegetable stock; request anyone get cream",
    ),
]

A_VERB_IS_SAID_ONCE_FOR_TWO: Table = [
    (
        "salad_start",
        "no wait, I do the pepper and R2 the lettuce",
        "decline p1 p2; request R2 prepare lettuce; request user get pepper",
    ),
    (
        "salad_start",
        "I'll take the pepper, R2 take the lettuce.",
        "request R2 prepare lettuce; request user get pepper",
    ),
]

DISHES_ARE_NO_WORK_TO_SWAP: Table = [
    ("salad_start", "can we swap to soup", "choose Tomato Soup"),
    ("salad_start", "let's switch to the fruit salad", "choose Fruit Salad"),
]


@pytest.mark.parametrize(("context", "text", "expected"), TWO_SWAP_WHAT_WAS_PROPOSED_TO_THEM)
def test_two_swap_what_was_proposed_to_them(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WHO_DOES_WHAT_GOES_BEFORE_A_SWAP)
def test_who_does_what_goes_before_a_swap(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), ONE_AGENT_STANDS_IN_FOR_ANOTHER)
def test_one_agent_stands_in_for_another(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), ONE_THING_TAKES_THE_PLACE_OF_ANOTHER)
def test_one_thing_takes_the_place_of_another(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), A_VERB_IS_SAID_ONCE_FOR_TWO)
def test_a_verb_is_said_once_for_two(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), DISHES_ARE_NO_WORK_TO_SWAP)
def test_dishes_are_no_work_to_swap(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
