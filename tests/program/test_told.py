"""What effects, steps and programs are refused for, by the whole message."""

from __future__ import annotations

from collections.abc import Callable

from tests.support import golden
from treec.program.effects import parse_effect
from treec.program.steps import parse_steps
from treec_program.statements import parse_program

TOLD: dict[str, Callable[[], object]] = {
    "EffectError: this fact stands in brackets": lambda: parse_effect("(hot(x))"),
    "EffectError: an effect sets a fact with one '=='": lambda: parse_effect("at(x) != y"),
    "EffectError: this expression is not an effect": lambda: parse_effect("3"),
    "StepsError: what a step gives cannot be kept": lambda: parse_steps("x = 1"),
    "StepsError: '**' cannot be used in steps": lambda: parse_steps("go(**x)"),
    "StepsError: 'a' is given twice": lambda: parse_steps("go(a=1, a=2)"),
    "StepsError: more than 20 nested brackets": lambda: parse_steps("(" * 300),
    "StepsError: only a name can be called": lambda: parse_program("go()()"),
    "StepsError: '**' cannot be used in a program": lambda: parse_program("go(**x)"),
    "StepsError: 'lambda' cannot be used in a program": lambda: parse_program("x = lambda: 1"),
    "StepsError: two things are compared at a time": lambda: parse_program("x = 1 < 2 < 3"),
}


def test_what_cannot_be_is_told_by_these_words() -> None:
    golden.check_told(TOLD)
