"""Dishes that nobody has a recipe for are wishes all the same."""

from __future__ import annotations

import pytest

from tests.skills.test_talk import IDLE, brief


@pytest.mark.parametrize(
    "text",
    [
        "Let's make baklava!",
        "How about croissants?",
        "I'd love some pad thai.",
        "Have you got a recipe for goulash?",
        "I want to make duck à l'orange tonight.",
        "Lasagne?",
    ],
)
def test_a_dish_of_elsewhere_chooses_none(text: str) -> None:
    assert brief(text, IDLE) == ["choose none"]


@pytest.mark.parametrize(
    "text", ["Let's make a start.", "I need a holiday.", "I'd love some peace.", "Let's make hay."]
)
def test_what_is_no_dish_is_no_wish(text: str) -> None:
    assert brief(text, IDLE) == ["remark"]


def test_a_recipe_of_the_list_is_no_foreign_dish() -> None:
    assert brief("How about tomato soup?", IDLE) == ["choose Tomato Soup"]


@pytest.mark.parametrize(
    ("text", "recipe"),
    [
        ("Anything but soup.", "none"),
        ("Not a soup this time.", "none"),
        ("I'd like a salad, what do you have?", "none"),
    ],
)
def test_dishes_may_be_ruled_out(text: str, recipe: str) -> None:
    assert f"choose {recipe}" in brief(text, IDLE)
