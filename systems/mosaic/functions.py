"""MOSAIC's functions of expressions, as the extension names them: each takes the team first."""

from __future__ import annotations

from treec.systems.mosaic.dishes import unknown_dish
from treec.systems.mosaic.fitting import fitting, wishes
from treec.systems.mosaic.misheard import nearly_said
from treec.team.entities import Recipe
from treec.team.team import Team


def fitting_recipes(team: Team, said: object) -> tuple[Recipe, ...]:
    """Recipes that fit what was said, best first."""
    return fitting(team.knowledge, said)


def wishes_for_some(team: Team, words: object) -> bool:
    """Whether words wish for something that a recipe has."""
    return wishes(team.knowledge, str(words))


def dish_unknown(team: Team, words: object, plain: object = False) -> str:
    """The dish in words that no recipe makes; '' for none."""
    return unknown_dish(team.knowledge, str(words), bool(plain))


def said_nearly(team: Team, words: object, word: object) -> bool:
    """Whether one of the words may be that one, heard or typed wrong."""
    return nearly_said(str(words), str(word))
