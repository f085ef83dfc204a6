"""What nodes and guards of foreign code refuse, by the whole message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.support import golden
from treec.nodes.foreign import check_note
from treec.nodes.modifiers.repeat import Repeat
from treec.nodes.needs import NeedAnswer, _check_answer
from treec.team.functions import holds

NOBODY: Any = None

TOLD: dict[str, Callable[[], object]] = {
    "TypeError: children must be behaviours, not <class 'NoneType'>": lambda: Repeat(
        "again", -1, NOBODY
    ),
    "TypeError: a behaviour name should be a string, not <class 'NoneType'>": lambda: Repeat(
        NOBODY, -1, NOBODY
    ),
    "EvaluationProblem: 'get' is not a task": lambda: holds(NOBODY, "get"),
    "BadReport: tell() gave 1 and a dict, not a text and a record": lambda: check_note(
        (1, {}), "tell()"
    ),
    "BadReport: tell() gave a str and 2, not a text and a record": lambda: check_note(
        ("a", 2), "tell()"
    ),
    ("BadReport: tell() gave a record: it has the type object, which is not plain data"): lambda: (
        check_note(("a", {"x": object}), "tell()")
    ),
    "BadReport: ask() gave None, not a NeedAnswer": lambda: _check_answer(None, "ask()"),
    "BadReport: ask() gave a NeedAnswer whose `why`, `module` or `doubt` is not text": lambda: (
        _check_answer(NeedAnswer(why=3), "ask()")
    ),
    "BadReport: ask() gave a NeedAnswer whose `value` or `record` is not a mapping": lambda: (
        _check_answer(NeedAnswer(value=3), "ask()")
    ),
}


def test_what_cannot_be_is_told_by_these_words() -> None:
    golden.check_told(TOLD)
