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
    ("soup_busy", "no more onions to chop", "done chop onions"),
]

WHO_IS_NAMED_BESIDE_A_STOP_STOPS: Table = [
    ("soup_busy", "R2 get out of there, stop", "stop R2"),
    ("soup_busy", "Wait, R2, there is a bucket in your way.", "stop R2"),
    ("soup_busy", "R2 mustn't move, the cable is under its wheel", "stop R2"),
    ("soup_busy", "Stop, R2 is rolling over my foot!", "stop R2"),
    ("fruit_end", "R1, that'll do", "stop R1"),
    ("soup_busy", "hold the tomatoes for a moment", "stop R1"),
    ("salad_busy", "my lettuce is washed and waiting", "done prepare lettuce"),
]

WHAT_WAS_STOPPED_IS_GONE_ON_WITH: Table = [
    ("salad_stopped", "R1, proceed with the pepper", "resume R1"),
    ("soup_arm_stopped", "start stirring again", "resume R1"),
    ("soup_arm_stopped", "okay arm, stir on", "resume R1"),
    ("salad_stopped", "Is the arm all right? Then it can go on.", "ask; resume R1"),
    ("soup_busy", "Let me just finish the onions.", "remark"),
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


@pytest.mark.parametrize(("context", "text", "expected"), WHO_IS_NAMED_BESIDE_A_STOP_STOPS)
def test_who_is_named_beside_a_stop_stops(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WHAT_WAS_STOPPED_IS_GONE_ON_WITH)
def test_what_was_stopped_is_gone_on_with(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), TO_MOVE_AGAIN_IS_TO_GO_ON)
def test_to_move_again_is_to_go_on(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
