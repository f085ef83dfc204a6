"""Dishes by what goes into them."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

WHAT_GOES_INTO_IT_NAMES_A_DISH: Table = [
    ("nothing_chosen", "i want the one with the bananas", "choose Fruit Salad"),
    ("nothing_chosen", "the one with lettuce in it", "choose Caesar Salad"),
    ("nothing_chosen", "the salad with the croutons", "choose Caesar Salad"),
    ("long_menu", "The avocado thing", "choose Guacamole"),
    ("long_menu", "the meat one", "choose Spaghetti Bolognese"),
    ("long_menu", "what about that dip", "choose Guacamole"),
    ("long_menu", "the one with the feta", "choose Greek Salad"),
    ("dishes_offered", "the one with eggs", "choose Mushroom Omelette"),
]

OF_A_LONG_LIST_SOMETHING_WITH_IT_MAY_BE_ANOTHER: Table = [
    ("long_menu", "Something with egg.", "choose none"),
    ("long_menu", "anything with mushrooms", "choose none"),
    ("nothing_chosen", "Let's cook something with tomatoes.", "choose Tomato Soup"),
]

INGREDIENTS_ALONE_ARE_NO_WISH: Table = [
    ("nothing_chosen", "I've got bananas.", "remark"),
    ("long_menu", "we had something with avocado last week", "remark"),
]


@pytest.mark.parametrize(("context", "text", "expected"), WHAT_GOES_INTO_IT_NAMES_A_DISH)
def test_what_goes_into_it_names_a_dish(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(
    ("context", "text", "expected"), OF_A_LONG_LIST_SOMETHING_WITH_IT_MAY_BE_ANOTHER
)
def test_of_a_long_list_something_with_it_may_be_another(
    context: str, text: str, expected: str
) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), INGREDIENTS_ALONE_ARE_NO_WISH)
def test_ingredients_alone_are_no_wish(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
