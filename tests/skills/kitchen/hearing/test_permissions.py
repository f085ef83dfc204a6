"""Leave that is given or withheld, and work that is let be."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

LEAVE_MAY_BE_GIVEN_BY_ANY_TOKEN_OF_IT: Table = [
    ("salad_start", "The robot gets the all-clear.", "accept p1"),
    ("soup_start", "Let's give R2 our blessing.", "accept p1"),
    ("salad_three_open", "R1 has my consent.", "accept p3"),
    ("salad_three_open", "R2 may get rolling.", "accept p4"),
    ("salad_three_open", "The arm can do its thing.", "accept p3"),
    ("soup_start", "The tomatoes are welcome to come over here.", "accept p1"),
    ("soup_start", "Let the tomatoes come.", "accept p1"),
    ("soup_end", "The cream may go in now, thank you.", "accept p9"),
]

WHO_IS_SPARED_DOES_NOTHING: Table = [
    ("soup_start", "Let R2 off the hook.", "decline p1"),
    ("soup_start", "I'll sit this one out.", "decline p2"),
    ("salad_three_open", "The arm can put its feet up.", "decline p3"),
    ("salad_three_open", "R2 stays parked.", "decline p4"),
]

WHAT_STAYS_WHERE_IT_IS_IS_NOT_MOVED: Table = [
    ("salad_end", "Leave the dressing on the table, people will want more.", "decline p8"),
    ("salad_end", "Keep the ranch handy.", "decline p8"),
    ("fruit_start", "Leave the yoghurt in the fridge for now.", "decline p1"),
]

THE_ROBOT_IS_THE_ONE_THAT_IS_ASKED: Table = [
    ("fruit_start", "The robot's bit is fine.", "accept p1"),
    ("salad_three_open", "I'm happy with what the robots are planning.", "accept p3 p4"),
    ("salad_three_open", "Ok to what the arm wants.", "accept p3"),
]

BEFORE_IT_GETS_COLD_IS_NO_WORK: Table = [
    ("soup_busy", "Stir the pot before it burns.", "request anyone stir pot"),
    ("soup_busy", "Stir the pot before you add the salt.", "request anyone stir pot first"),
]


@pytest.mark.parametrize(("context", "text", "expected"), LEAVE_MAY_BE_GIVEN_BY_ANY_TOKEN_OF_IT)
def test_leave_may_be_given_by_any_token_of_it(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WHO_IS_SPARED_DOES_NOTHING)
def test_who_is_spared_does_nothing(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WHAT_STAYS_WHERE_IT_IS_IS_NOT_MOVED)
def test_what_stays_where_it_is_is_not_moved(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), THE_ROBOT_IS_THE_ONE_THAT_IS_ASKED)
def test_the_robot_is_the_one_that_is_asked(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), BEFORE_IT_GETS_COLD_IS_NO_WORK)
def test_before_it_gets_cold_is_no_work(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
