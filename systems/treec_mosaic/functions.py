"""MOSAIC's expression functions; each takes the team as its first argument."""

from __future__ import annotations

import re

from treec.team.entities import Recipe
from treec.team.language import language_of
from treec.team.team import Team
from treec_mosaic import recipe_search, typos
from treec_mosaic.dishes import unknown_dish
from treec_mosaic.recipes.numbers import in_digits

MOST_SERVED = 1000
_SERVES = (
    re.compile(
        r"(?<![.,:\d])\b(?P<n>(?!one of)\w+) (?:hungry )?"
        r"(?:people|persons?|guests?|friends|adults|servings?|portions?|of us)\b"
    ),
    re.compile(
        r"\b(?:for|serves|serving|feeds|we are|we're) "
        r"(?:(?:the|all|just|only|about|around|us|our|my|at least|(?:a )?family of) )*"
        r"(?P<n>\w+)\b"
        r"(?![.,:]\d|(?: more| full)? ?(?:sec|min|hour|hrs?\b|h\b|day|times?\b|[ap]m\b|o'clock))"
    ),
)
"""People who are counted, then a number where one of people stands: for the two of us."""


def find_recipes(team: Team, words: object) -> tuple[Recipe, ...]:
    """Find the recipes that fit words, best first."""
    return recipe_search.find_recipes(team.knowledge, words)


def has_wish(team: Team, words: object) -> bool:
    """Whether words wish for something that a recipe has."""
    return recipe_search.has_wish(team.knowledge, str(words))


def other_dishes(team: Team, chat: object, recipe: object) -> tuple[Recipe, ...]:
    """Find the recipes that a person's last words fit as well as the one that they chose."""
    lines = chat if isinstance(chat, list | tuple) else ()
    return recipe_search.other_dishes(team.knowledge, lines, str(recipe))


def find_unknown_dish(team: Team, words: object, plain: object = False) -> str:
    """Find the dish in words that no recipe makes; '' for none."""
    return unknown_dish(team.knowledge, str(words), bool(plain))


def serves_in(team: Team, words: object) -> int | None:
    """Find for how many words want a dish; None if they do not say."""
    numbers = language_of(team.knowledge.view).numbers
    text = in_digits(str(words).lower())
    said = (found["n"] for pattern in _SERVES for found in pattern.finditer(text))
    found = (int(word) if word.isdecimal() else numbers.get(word) for word in said)
    return next((number for number in found if number and number <= MOST_SERVED), None)


def contains_typo_of(team: Team, words: object, word: object) -> bool:
    """Whether one of the words may be ``word``, misheard or mistyped."""
    return typos.contains_typo_of(str(words), str(word))
