"""A dish that no recipe makes: it is said plainly, and what comes nearest is offered."""

from __future__ import annotations

import pytest

from tests.systems.mosaic.table import Table, library
from treec.files.view import View
from treec.team.knowledge import Knowledge
from treec_mosaic.dishes import unknown_dish
from treec_mosaic.recipe_search import find_recipes


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return Knowledge(View(library(), library().find("system", "mosaic")))


@pytest.mark.parametrize(
    ("words", "dish"),
    [
        ("Do you know how to make gnocchi? I'd like that.", "gnocchi"),
        ("How about some croissants tonight?", "croissants"),
        ("hey, i'm craving beef wellington, let's do that", "beef wellington"),
        ("Have you got a recipe for goulash?", "goulash"),
        ("Could we maybe have a plate of proper fish and chips for dinner?", "fish and chips"),
        ("My kids love pizza, so can we bake a pizza?", "pizza"),
        ("Let's make a Caesar soup", "Caesar soup"),
    ],
)
def test_the_dish_is_found_in_what_people_say(knowledge: Knowledge, words: str, dish: str) -> None:
    assert unknown_dish(knowledge, words) == dish


@pytest.mark.parametrize(
    "words",
    [
        "Let's make Caesar salad",
        "I'd like a big salad",
        "Could we have a tomato salad?",
        "Something light, not soup",
        "I'd like something spicy for dinner",
        "I want to cook something nice tonight",
        "I just bought lettuce",
        "I have two hours",
        "Can you help me?",
        "What should we cook today?",
        "Let's make an Italian dish",
        "I'd like the first one",
    ],
)
def test_moods_kinds_and_our_own_recipes_are_no_unknown_dishes(
    knowledge: Knowledge, words: str
) -> None:
    assert unknown_dish(knowledge, words) == ""


@pytest.mark.parametrize(
    ("dish", "near"),
    [
        ("pumpkin broth", "Pumpkin Soup"),
        ("coleslaw salad", "Salad"),
        ("gnocchi", "Pasta"),
        ("cheese fondue", "Quesadillas"),
        ("chicken curry", "Biryani"),
        ("tomatoe soupe", "Tomato Soup"),
        ("crème brûlée", "Mango Sticky Rice"),
    ],
)
def test_the_nearest_comes_first(knowledge: Knowledge, dish: str, near: str) -> None:
    found = find_recipes(knowledge, f"Can we cook {dish}?")
    assert near in found[0].name


@pytest.mark.thorough
def test_it_is_said_that_there_is_no_such_recipe_and_three_are_offered() -> None:
    said = Table().say("Do you know how to make gnocchi?")
    assert said == "There is no recipe for gnocchi. How about Pasta, Pasta Salad or Quesadillas?"


def test_who_insists_is_not_told_the_same_again() -> None:
    table = Table("Let's make gnocchi")
    assert table.say("Let's make gnocchi").startswith("I really have none for gnocchi.")


def test_a_dish_that_is_unknown_midway_changes_nothing() -> None:
    table = Table("Let's make Caesar salad", "Yes")
    assert "There is no recipe for lasagne." in table.say("Let's make lasagne instead")
    assert table.run.world.state["recipe"] == "Caesar Salad"
    assert table.status("prepare lettuce") == "queued"


def test_a_thing_that_is_not_there_is_named() -> None:
    table = Table()
    said = table.say("Make toast and pour juice")
    assert said.startswith("I did not get: Make toast. There is no juice here. How about ")
    table.say("Let's make avocado toast")
    assert table.say("R2, get the juice").startswith("There is no juice here. Shall R2 get the ")
    assert table.say("R2, get the strawberries").startswith("There are no strawberries here.")
    assert table.say("Could you get the items?").startswith("Which items? Say what")
    said = table.say("R2, get the tomatoe")
    assert said.startswith("There is no tomatoe here; do you mean the tomatoes?")
    assert "did not get that" in table.say("blub")
