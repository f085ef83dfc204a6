"""Names in words: which ones, in which order, and longer ones before those within them."""

from __future__ import annotations

import pytest

from treec.team.mentions import find_nearest_name, find_recipes, singulars

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
    assert sorted(singulars("tomatoes")) == ["tomato", "tomatoe", "tomatoes"]
    assert sorted(singulars("glass")) == ["glas", "glass"]
