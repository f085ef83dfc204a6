"""Spoken numbers in lists and lines of ingredients, and places behind tasks that have none."""

from __future__ import annotations

import pytest

from tests.systems.mosaic.recipes.test_details import knowledge
from treec_mosaic.recipes.details import Details, read_details
from treec_mosaic.recipes.ingredients import read_ingredient
from treec_mosaic.recipes.numbers import in_digits


@pytest.mark.parametrize(
    ("said", "digits"),
    [
        ("two hundred and fifty grams of flour", "250 grams of flour"),
        ("a cup and a half of milk", "1½ cups milk"),
        ("one and a half cups of milk", "1½ cups of milk"),
        ("three quarters of a cup", "¾ cup"),
        ("for an hour and a half", "for 1½ hours"),
        ("for twenty-five minutes", "for 25 minutes"),
        ("a couple of eggs", "2 eggs"),
        ("half a dozen eggs", "6 eggs"),
        ("half of the butter, a quarter of the milk", "half of the butter, a quarter of the milk"),
        ("one potato and a half onion", "one potato and a half onion"),
        ("the first one, 1 1/2 cups", "the first one, 1 1/2 cups"),
        ("one half-pint", "½ pint"),
        ("2 half-pints, two quarter-pound steaks", "2 half-pints, two quarter-pound steaks"),
    ],
)
def test_spoken_numbers_are_digits(said: str, digits: str) -> None:
    assert in_digits(said) == digits


@pytest.mark.parametrize(
    ("item", "words", "details"),
    [
        (
            "melt 4 tablespoons of butter in pan",
            "melt butter",
            Details("4 tablespoons", note="in pan"),
        ),
        (
            "melt butter in the pan until golden",
            "melt butter",
            Details(note="in the pan, until golden"),
        ),
        ("pour milk into pot", "pour milk into pot", Details()),
        ("simmer soup in pot for ten minutes", "simmer soup", Details(takes=600, note="in pot")),
        ("pour 1 tsp saffron into bowl", "pour saffron into bowl", Details("1 tsp")),
        ("cool pie on rack", "cool pie on rack", Details()),
        ("simmer pot for an hour and a half", "simmer pot", Details(takes=5400)),
        ("pour a cup and a half of milk into pot", "pour milk into pot", Details("1½ cups")),
        ("pour about a litre of milk into pot", "pour milk into pot", Details("about a litre")),
    ],
)
def test_a_place_that_a_task_has_not_is_a_note(item: str, words: str, details: Details) -> None:
    assert read_details(item, knowledge(), knowledge().words.match) == (words, details)


def test_a_spoken_amount_of_an_ingredient_is_kept() -> None:
    line = read_ingredient("two hundred millilitres of milk, warm")
    assert (line.name, line.amount, line.note) == ("milk", "200 millilitres", "warm")
