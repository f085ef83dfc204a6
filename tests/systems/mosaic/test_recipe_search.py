"""Recipes that fit what was said, and what words speak of."""

from __future__ import annotations

import pytest

from tests.systems.mosaic.table import ROOT
from treec.files.library import load_library
from treec.files.view import View
from treec.team.entities import Utterance
from treec.team.knowledge import Knowledge
from treec_hearing.spoken_names import (
    find_mentioned,
    find_nearest_thing,
    find_tasks,
    find_unknown_things,
)
from treec_mosaic.recipe_search import find_recipes, has_wish


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    library = load_library(ROOT)
    return Knowledge(View(library, library.find("system", "mosaic")))


def names(knowledge: Knowledge, *said: str) -> list[str]:
    lines = tuple(
        Utterance(f"u{n}", "assistant" if text.startswith("A: ") else "user", text, 0, True, True)
        for n, text in enumerate(said)
    )
    return [recipe.name for recipe in find_recipes(knowledge, lines)]


@pytest.mark.parametrize(
    ("said", "best"),
    [
        ("tomato soup", "Tomato Soup"),
        ("something with shrimp or tuna", "Tuna Sandwich"),
        ("a brekfast of oats", "Porridge"),
        ("no bananas, a fruit salad without them", "Caesar Salad"),
    ],
)
def test_the_best_comes_first(knowledge: Knowledge, said: str, best: str) -> None:
    assert names(knowledge, said)[0] == best


@pytest.mark.parametrize(
    "said", ["not soup", "no soup please", "anything but I don't want soup", "I am tired of soup"]
)
def test_what_is_refused_is_left_out(knowledge: Knowledge, said: str) -> None:
    found = names(knowledge, said)
    assert found
    assert not any("Soup" in name for name in found)


def test_what_was_refused_stays_refused_until_it_is_wanted(knowledge: Knowledge) -> None:
    assert not any("Soup" in n for n in names(knowledge, "no soup", "something warm"))
    assert any("Soup" in n for n in names(knowledge, "no soup", "well, a soup then"))


def test_who_wants_another_is_not_offered_the_same(knowledge: Knowledge) -> None:
    found = names(knowledge, "a salad", "A: How about Caesar Salad or Greek Salad?", "another one")
    assert found
    assert not {"Caesar Salad", "Greek Salad"} & set(found)


def test_words_that_no_recipe_has_wish_for_nothing(knowledge: Knowledge) -> None:
    assert not has_wish(knowledge, "Let's make lasagne")
    assert has_wish(knowledge, "I bought lettuce")


def test_longer_names_hide_shorter_ones(knowledge: Knowledge) -> None:
    assert find_mentioned(knowledge, "Has R2 the ranch sauce?") == ("R2", "ranch sauce")


def test_a_task_is_named_by_its_verb(knowledge: Knowledge) -> None:
    assert [task.name for task in find_tasks(knowledge, "who can stir?")] == ["stir"]


@pytest.mark.parametrize(
    ("words", "unknown"),
    [
        ("R2, get the juice", ("juice",)),
        ("make toast and pour juice", ("juice",)),
        (
            "Could you please fetch the toaster, and pour some cream soda into the bowl?",
            ("toaster", "cream soda"),
        ),
        ("R2, get the pepper", ()),
        ("get me out of here", ()),
        ("stir that", ()),
        ("the juice is nice", ()),
        ("Could you get the items?", ()),
        ("R2, fetch the dirty dishes and get the rest of the stuff", ()),
        ("get the tools, get the ingredients", ()),
        ("get the other thing", ()),
        ("get the item scanner", ("item scanner",)),
        ("", ()),
    ],
)
def test_things_that_are_not_there_are_found_in_orders(
    knowledge: Knowledge, words: str, unknown: tuple[str, ...]
) -> None:
    assert find_unknown_things(knowledge, words) == unknown


@pytest.mark.parametrize(("name", "near"), [("tomatoe", "tomatoes"), ("juice", ""), ("", "")])
def test_the_nearest_thing_is_one_that_is_spelt_alike(
    knowledge: Knowledge, name: str, near: str
) -> None:
    assert find_nearest_thing(knowledge, name) == near
