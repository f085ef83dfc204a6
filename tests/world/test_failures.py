"""Failures are data: their words are what journals hold, and the words give the data back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treec.nodes.events import NodeFailed, SkillEnded
from treec.world.failures import (
    Difference,
    Failure,
    GoalMissed,
    LostInFlight,
    NotAsExpected,
    NoWorker,
    Raised,
    Reported,
    StepFailed,
    TakenBack,
    TimedOut,
    Unmet,
    failure_of,
)

SPILT = Difference("at", ("milk",), "floor", "bowl")


@pytest.mark.parametrize(
    ("failure", "text"),
    [
        (Reported("jammed: the lid is stuck"), "jammed: the lid is stuck"),
        (Unmet("near(agent) == at(item)"), "'near(agent) == at(item)' does not hold"),
        (Unmet("near(it)", "unknown skill 'go'"), "'near(it)' does not hold: unknown skill 'go'"),
        (TimedOut(2.5), "timed out after 2.5 s"),
        (Raised.of(ZeroDivisionError("division by zero")), "ZeroDivisionError: division by zero"),
        (Raised("KeyError", "'x'", "depot/arm.py:3"), "KeyError: 'x' (depot/arm.py:3)"),
        (TakenBack("get pepper"), "'get pepper' was taken back"),
        (NotAsExpected((SPILT,)), "not as expected: at(milk) is floor, not bowl"),
        (
            NotAsExpected((SPILT, Difference("open", (), "none", "true")), "slipped"),
            "slipped: at(milk) is floor, not bowl; open() is none, not true",
        ),
        (NoWorker("pick", ("symbolic",), "ros"), "the skill 'pick' runs on symbolic, not on 'ros'"),
        (NoWorker("pick", (), "ros"), "the skill 'pick' runs on nothing, not on 'ros'"),
        (LostInFlight(), "lost when the run broke off"),
        (
            GoalMissed(("hot(soup)", "at(tin) == table")),
            "all is done, and the goal is missed: hot(soup); at(tin) == table",
        ),
        (
            StepFailed("pour", ("milk", "bowl"), Unmet("hand_free(agent)")),
            "pour(milk, bowl): 'hand_free(agent)' does not hold",
        ),
        (StepFailed("helper/wait", (), TimedOut(3)), "helper/wait(): timed out after 3 s"),
    ],
)
def test_a_failure_has_words_that_give_it_back(failure: Failure, text: str) -> None:
    assert str(failure) == text
    assert failure_of(text) == failure


@given(
    st.text() | st.from_regex(r"\w{1,4}\([a-z, ]{0,5}\): (timed out after [0-9.e]+ s|'.' does.*)")
)
def test_no_text_is_changed_by_being_read(text: str) -> None:
    assert str(failure_of(text)) == text


def test_the_events_of_a_journal_have_their_failure() -> None:
    ended = SkillEnded("pick", "R1", {}, ok=False, reason="timed out after 3 s")
    assert ended.failure == TimedOut(3.0)
    node = NodeFailed("main", "pick(salt): slipped", "symbolic")
    assert node.failure == StepFailed("pick", ("salt",), Reported("slipped"))
    assert Reported("slipped: too wet").name == "slipped"
