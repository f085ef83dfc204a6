"""What opens or ends a clause and stands for itself."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

NO_WAY_TURNS_A_CLAUSE_ROUND: Table = [
    ("soup_start", "no way am I chopping onions", "decline p2"),
    ("soup_start", "under no circumstances will I chop onions", "decline p2"),
    ("soup_start", "never will I chop onions again", "decline p2"),
]

AN_ANSWER_BEFORE_A_NAME_IS_NO_DENIAL_OF_IT: Table = [
    ("salad_three_open", "nah ditch the sauce", "drop get ranch sauce"),
    ("salad_start", "never mind the stirring", "drop stir bowl"),
    ("soup_arm_stopped", "never mind R1, I'll stir", "request user stir pot"),
]

A_YES_BEHIND_AN_ORDER_ASKS_FOR_CONSENT: Table = [
    ("salad_one_open", "R2 when you're back slice some tomatoes yeah", "request R2 slice tomatoes"),
]

A_YES_BEHIND_A_THING_AGREES: Table = [
    (
        "salad_one_open",
        "Lettuce in, yes, and then stir it all.",
        "accept p6; request anyone stir bowl",
    ),
    ("salad_three_open", "The pepper can go in, yes.", "accept p3"),
]


@pytest.mark.parametrize(("context", "text", "expected"), NO_WAY_TURNS_A_CLAUSE_ROUND)
def test_no_way_turns_a_clause_round(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(
    ("context", "text", "expected"), AN_ANSWER_BEFORE_A_NAME_IS_NO_DENIAL_OF_IT
)
def test_an_answer_before_a_name_is_no_denial_of_it(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), A_YES_BEHIND_AN_ORDER_ASKS_FOR_CONSENT)
def test_a_yes_behind_an_order_asks_for_consent(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), A_YES_BEHIND_A_THING_AGREES)
def test_a_yes_behind_a_thing_agrees(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
