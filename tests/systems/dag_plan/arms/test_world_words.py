"""Why a condition does not hold, in words."""

from __future__ import annotations

import pytest

from treec_dag_plan.arms.world_logic import (
    Choice,
    Either,
    Equal,
    LogicFact,
    LogicName,
    Not,
    Term,
)
from treec_dag_plan.arms.world_words import reason, unmet

STATE = {("at", "pot"): "table", ("open", "door"): True, ("door", "pot"): "door"}
CHANGING = {"at", "open", "hot"}


def fact(name: str, *args: str) -> LogicFact:
    return LogicFact(name, tuple(map(LogicName, args)))


ON_STOVE = Equal(fact("at", "pot"), LogicName("stove"), False)
OFF_TABLE = Equal(fact("at", "pot"), LogicName("table"), True)
NEVER = fact("rusty", "pot")


@pytest.mark.parametrize(
    ("term", "says", "shortly"),
    [
        (
            ON_STOVE,
            "at(pot) == stove is needed, and at(pot) is table",
            "at(pot) is table, not stove",
        ),
        (
            OFF_TABLE,
            "at(pot) != table is needed, and at(pot) is table",
            "not at(pot) != table",
        ),
        (
            Equal(fact("at", "lid"), LogicName("pot"), False),
            "at(lid) == pot is needed, and at(lid) is none",
            "at(lid) is none, not pot",
        ),
        (fact("hot", "pot"), "hot(pot) is needed, and is not so", "hot(pot) is not so"),
        (Not(fact("open", "door")), "open(door) is so, and must not be", "open(door) is so"),
        (
            Not(LogicFact("open", (fact("door", "pot"),))),
            "open(door) is so, and must not be",
            "open(door) is so",
        ),
        # of several that must hold the first that does not, of either what can come to hold
        (
            Either(fact("open", "door"), fact("hot", "pot"), True),
            "hot(pot) is needed, and is not so",
            "hot(pot) is not so",
        ),
        (
            Either(ON_STOVE, NEVER, False),
            "at(pot) == stove is needed, and at(pot) is table",
            "at(pot) is table, not stove",
        ),
        (
            Either(NEVER, Not(fact("open", "door")), False),
            "open(door) is so, and must not be",
            "open(door) is so",
        ),
        (
            Either(fact("hot", "pot"), ON_STOVE, False),
            "hot(pot) or at(pot) == stove is needed",
            "not hot(pot) or at(pot) == stove",
        ),
        (
            Either(Either(NEVER, ON_STOVE, False), fact("hot", "pot"), False),
            "at(pot) == stove or hot(pot) is needed",
            "not at(pot) == stove or hot(pot)",
        ),
        (
            Choice(fact("open", "door"), fact("hot", "pot"), NEVER),
            "hot(pot) is needed, and is not so",
            "hot(pot) is not so",
        ),
    ],
)
def test_what_is_needed_and_what_is_so(term: Term, says: str, shortly: str) -> None:
    assert reason(term, {}, STATE, CHANGING) == says
    assert unmet(term, STATE, CHANGING) == shortly
