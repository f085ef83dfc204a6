"""What scripts of BehaviorTree.CPP are refused for, by the whole message."""

from __future__ import annotations

from collections.abc import Callable

from tests.support import golden
from treec_interchange.scripts import to_assignments, to_expression

TOLD: dict[str, Callable[[], object]] = {
    "NoCounterpart: a bracket is not closed": lambda: to_expression("(a + 1"),
    "NoCounterpart: a value is missing": lambda: to_expression("a +"),
    "NoCounterpart: ';' has no counterpart here": lambda: to_expression("a; b"),
    "NoCounterpart: only assignments have a counterpart here": lambda: to_assignments("a"),
    "NoCounterpart: the name of a variable is missing": lambda: to_assignments("3 := a"),
}


def test_what_cannot_be_is_told_by_these_words() -> None:
    golden.check_told(TOLD)
