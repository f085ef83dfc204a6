"""Reasons and remarks behind what is said."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

A_REASON_BEHIND_A_REQUEST_IS_NO_ANSWER: Table = [
    ("salad_busy", "bring me the bowl, my hands are wet", "request anyone get bowl"),
    ("soup_start", "R2, get the stock, I'm busy", "request R2 get vegetable stock"),
    ("soup_busy", "Arm, pass me the ladle. I can't reach it.", "request R1 hand over ladle"),
    (
        "salad_end",
        "could you put the pepper away as I'm in a hurry",
        "request anyone put away pepper",
    ),
    ("salad_busy", "hand me the ladle my fingers are sticky", "request anyone hand over ladle"),
    ("soup_start", "R2, get the salt, I can't chop now", "decline p2; request R2 get salt"),
]

WHAT_IS_TOLD_OF_OTHERS_BEGINS_A_CLAUSE: Table = [
    ("salad_busy", "fetch the salt please my sister is waiting", "request anyone get salt"),
    ("soup_busy", "R2 bring the pepper the kids are hungry", "request R2 get pepper"),
    (
        "salad_three_open",
        "skip the sauce the bottle's empty",
        "decline p4",
    ),
    ("soup_start", "forget the onions it's too late", "drop chop onions"),
]

THE_ROOM_AND_THE_PERSON_ARE_NO_WORK: Table = [
    ("salad_busy", "my hands are wet", "remark"),
    ("salad_busy", "my fingers are all done in", "remark"),
    ("dish_offered", "it's really warm in this kitchen", "remark"),
]


@pytest.mark.parametrize(("context", "text", "expected"), A_REASON_BEHIND_A_REQUEST_IS_NO_ANSWER)
def test_a_reason_behind_a_request_is_no_answer(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WHAT_IS_TOLD_OF_OTHERS_BEGINS_A_CLAUSE)
def test_what_is_told_of_others_begins_a_clause(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), THE_ROOM_AND_THE_PERSON_ARE_NO_WORK)
def test_the_room_and_the_person_are_no_work(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
