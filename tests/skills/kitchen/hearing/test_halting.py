"""To stop, to rest and to go on."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

REST_FOR_WHO_IS_IDLE_IS_A_NO: Table = [
    ("soup_end", "R1 can rest", "decline p9"),
    ("salad_three_open", "R2 can have a breather", "decline p4"),
]

TO_BREAK_OFF_MAY_BE_SAID_IN_MANY_WAYS: Table = [
    ("soup_busy", "R2, please make a pause.", "stop R2"),
    ("salad_busy", "don't come any closer", "stop all"),
    ("soup_busy", "R2 stop driving", "stop R2"),
    ("soup_busy", "Emergency, stop everything!", "stop all"),
    ("fruit_end", "Leave it a second there, arm, I want to taste.", "stop R1"),
]

EXCESS_STOPS_WHO_IS_AT_IT: Table = [
    ("salad_busy", "Too much pepper!", "stop R1"),
    ("salad_busy", "That's too much pepper R1", "stop R1"),
    ("salad_busy", "easy on the pepper", "stop R1"),
    ("salad_busy", "no stop that's too much", "stop all"),
    ("salad_busy", "shut R1 down", "stop R1"),
    ("salad_busy", "turn off the arm", "stop R1"),
    ("salad_busy", "slow down R2", "stop R2"),
    ("salad_busy", "R2 one sec", "stop R2"),
    ("soup_busy", "no more onions to chop", "remark"),
]

TO_MOVE_AGAIN_IS_TO_GO_ON: Table = [
    ("salad_stopped", "R2, now you can walk again.", "resume R2"),
    ("soup_arm_stopped", "Let it carry on, love.", "resume all"),
    ("soup_arm_stopped", "Robot can work again.", "resume all"),
]


@pytest.mark.parametrize(("context", "text", "expected"), REST_FOR_WHO_IS_IDLE_IS_A_NO)
def test_rest_for_who_is_idle_is_a_no(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), TO_BREAK_OFF_MAY_BE_SAID_IN_MANY_WAYS)
def test_to_break_off_may_be_said_in_many_ways(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), EXCESS_STOPS_WHO_IS_AT_IT)
def test_excess_stops_who_is_at_it(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), TO_MOVE_AGAIN_IS_TO_GO_ON)
def test_to_move_again_is_to_go_on(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
