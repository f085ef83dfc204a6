"""Names in words: which ones, in which order, and longer ones before those within them."""

from __future__ import annotations

import pytest

from treec.files.library import load_library
from treec.files.view import View
from treec.team.knowledge import Knowledge
from treec.team.language import SHIPPED
from treec_hearing.question_words import singulars
from treec_hearing.spoken_names import find_nearest_name, find_recipes, find_unknown_agents

RECIPES = ("Salad", "Caesar Salad", "Caesar", "Leek Soup", "Soup")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("a caesar salad, please", ("Caesar Salad",)),
        ("Soup, then salad", ("Soup", "Salad")),
        ("leek soup and soup, and the CAESAR", ("Leek Soup", "Soup", "Caesar")),
        ("saladsoup", ()),
        ("", ()),
    ],
)
def test_recipes_in_words(words: str, named: tuple[str, ...]) -> None:
    assert find_recipes(RECIPES, words) == named
    assert find_recipes(reversed(RECIPES), words) == named


def test_the_nearest_name_and_singulars() -> None:
    assert find_nearest_name("letuce", ("lettuce", "pepper")) == "lettuce"
    assert find_nearest_name("unicorn", ("lettuce", "pepper")) is None
    view = View(load_library(SHIPPED), None)
    assert sorted(singulars(view, "tomatoes")) == ["tomato", "tomatoe", "tomatoes"]
    assert sorted(singulars(view, "glass")) == ["glas", "glass"]


def test_where_there_are_no_tasks_nobody_is_told_to_do_one() -> None:
    knowledge = Knowledge(View(load_library(SHIPPED), None))
    assert find_unknown_agents(knowledge, "Paris is lovely") == ()
