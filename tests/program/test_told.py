"""What effects are refused for, by the whole message."""

from __future__ import annotations

from collections.abc import Callable

from tests.support import golden
from treec.program.effects import parse_effect

TOLD: dict[str, Callable[[], object]] = {
    "EffectError: this fact stands in brackets": lambda: parse_effect("(hot(x))"),
    "EffectError: an effect sets a fact with one '=='": lambda: parse_effect("at(x) != y"),
    "EffectError: this expression is not an effect": lambda: parse_effect("3"),
}


def test_what_cannot_be_is_told_by_these_words() -> None:
    golden.check_told(TOLD)
