"""Clauses that mean something beside others."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

AN_OBJECT_MAY_STAND_BEFORE_ITS_CLAUSE: Table = [
    ("soup_start", "The second, I'm afraid, I must refuse.", "decline p2"),
    ("soup_start", "The onions, I'm sorry, I can't do.", "decline p2"),
    ("soup_start", "The tomatoes, I'll get them myself.", "request user get tomatoes"),
    ("soup_end", "The cream I pour it", "request user pour pot cream"),
    ("soup_arm_stopped", "The second stirring we will not do.", "drop stir again"),
    (
        "salad_three_open",
        "The pepper yes, but the sauce I get myself.",
        "accept p3; request user get ranch sauce",
    ),
]

A_HALT_UNTIL_SOMETHING_IS_A_HALT: Table = [
    ("soup_busy", "R2, wait there till I get past.", "stop R2"),
    ("salad_busy", "stop until I say so", "stop all"),
]

WHAT_IS_LOOKED_FORWARD_TO_HALTS_NOBODY: Table = [
    ("salad_start", "Wait until you hear this.", "remark"),
]

A_CONDITION_WITHIN_A_TALE_ASKS_NOTHING: Table = [
    ("soup_start", "My sister cries if she just looks at an onion.", "remark"),
]


@pytest.mark.parametrize(("context", "text", "expected"), AN_OBJECT_MAY_STAND_BEFORE_ITS_CLAUSE)
def test_an_object_may_stand_before_its_clause(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), A_HALT_UNTIL_SOMETHING_IS_A_HALT)
def test_a_halt_until_something_is_a_halt(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WHAT_IS_LOOKED_FORWARD_TO_HALTS_NOBODY)
def test_what_is_looked_forward_to_halts_nobody(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), A_CONDITION_WITHIN_A_TALE_ASKS_NOTHING)
def test_a_condition_within_a_tale_asks_nothing(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
