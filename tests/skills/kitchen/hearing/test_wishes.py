"""Wishes said in parts, and by what they are not."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard
from tests.talk.corpus import moment
from treec.skills.kitchen.talk import read

TWO_WISHES_MEET_IN_ONE_DISH: Table = [
    ("long_menu", "I feel like soup today, the mushroom one.", "choose Mushroom Soup"),
    ("long_menu", "soup, but not the tomato one", "choose Mushroom Soup"),
    ("long_menu", "mushrooms, but not soup", "choose Mushroom Omelette"),
    ("long_menu", "not soup, something with mushrooms", "choose Mushroom Omelette"),
]

THE_LAST_WISH_COUNTS: Table = [
    ("dishes_offered", "the curry. no the soup", "choose Tomato Soup"),
    ("dishes_offered", "the first one, no, the second", "choose Vegetable Curry"),
    ("dish_offered", "not that one, the curry", "choose Vegetable Curry"),
    ("long_menu", "Instead of soup let's do curry.", "choose Vegetable Curry"),
    ("dishes_offered", "the soup rather than the curry", "choose Tomato Soup"),
]

WHAT_WAS_OFFERED_MAY_BE_POINTED_AT: Table = [
    ("dish_offered", "sounds delicious", "choose Greek Salad"),
    ("dish_offered", "that one", "choose Greek Salad"),
    ("dishes_offered", "that one", "choose none"),
    ("dishes_offered", "I'd go with the latter.", "choose Mushroom Omelette"),
    ("dishes_offered", "ooh the second one for sure", "choose Vegetable Curry"),
]

WHAT_IS_ASKED_OF_THE_OFFER_IS_STILL_CHOSEN: Table = [
    ("dishes_offered", "The soup, but how long it takes?", "ask; choose Tomato Soup"),
    ("dishes_offered", "the curry, and what do we need?", "ask; choose Vegetable Curry"),
]

A_MEMORY_IS_NO_WISH: Table = [
    ("dish_offered", "that reminds me of home", "remark"),
    ("nothing_chosen", "We had tomato soup last night.", "remark"),
    ("fruit_start", "I'd rather eat them whole.", "remark"),
]


@pytest.mark.parametrize(("context", "text", "expected"), TWO_WISHES_MEET_IN_ONE_DISH)
def test_two_wishes_meet_in_one_dish(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), THE_LAST_WISH_COUNTS)
def test_the_last_wish_counts(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WHAT_WAS_OFFERED_MAY_BE_POINTED_AT)
def test_what_was_offered_may_be_pointed_at(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(
    ("context", "text", "expected"), WHAT_IS_ASKED_OF_THE_OFFER_IS_STILL_CHOSEN
)
def test_what_is_asked_of_the_offer_is_still_chosen(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), A_MEMORY_IS_NO_WISH)
def test_a_memory_is_no_wish(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize("text", ["A rice would be nice.", "I'd like a rice, what do you have?"])
def test_what_dishes_are_called_is_not_fetched_by_the_piece(text: str) -> None:
    """Found with seed 62: nobody had chosen anything, and R2 was sent for the rice."""
    acts = read(text, moment("shipped_menu"))
    assert "choose" in {act["kind"] for act in acts}
    assert not any(act["kind"] == "request" for act in acts)


def test_a_thing_is_fetched_before_anything_is_chosen() -> None:
    (act,) = read("An avocado would be nice.", moment("shipped_menu"))
    assert (act["kind"], act["task"]) == ("request", "get")
