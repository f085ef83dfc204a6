"""To put off, or to be unable, is a no: to what is named, to all, or to the own part."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

TO_ASK_FOR_TIME_IS_A_NO: Table = [
    ("salad_start", "Let me finish my coffee first.", "decline p1 p2"),
    ("salad_one_open", "Let it dry first.", "decline p6"),
    ("salad_one_open", "No, I want to look at it first.", "decline p6"),
    ("salad_start", "I'll need a sec before I can start.", "decline p1 p2"),
    ("salad_one_open", "Give me a wee minute before you do that.", "decline p6"),
    ("salad_start", "give us five more minutes please", "decline p1 p2"),
    ("salad_start", "I just need a minute to think", "decline p1 p2"),
    ("salad_end", "let it sit for a minute", "decline p7 p8"),
]

WHAT_IS_NOT_READY_HAS_TO_WAIT: Table = [
    ("salad_start", "I'm not ready to begin.", "decline p1 p2"),
    ("salad_one_open", "The lettuce isn't ready yet", "decline p6"),
    ("salad_one_open", "the lettuce isn't cut yet", "decline p6"),
    ("soup_end", "It's too hot for cream yet.", "decline p9"),
    ("soup_start", "it's too early for tomatoes", "decline p1"),
]

WHO_CANNOT_REFUSES_THEIR_OWN_PART: Table = [
    ("fruit_start", "I'm not allowed to use the knife.", "decline p2"),
    ("fruit_start", "My mum won't let me use knives.", "decline p2"),
    ("soup_start", "I'm no good with knives.", "decline p2"),
    ("soup_start", "I don't dare use the big knife, sorry.", "decline p2"),
    ("salad_start", "my hands are too dirty for that", "decline p2"),
    ("salad_start", "I'm not in the mood for washing.", "decline p2"),
    ("salad_start", "I can't be bothered with the lettuce.", "decline p2"),
]

WORK_THAT_COMES_FIRST_IS_NO_DELAY: Table = [
    ("salad_start", "wash the lettuce first", "request anyone prepare lettuce first"),
    ("salad_start", "First let me get the salt.", "request user get salt first"),
    ("soup_start", "first the stock", "request anyone get vegetable stock first"),
]

WITH_NOTHING_PROPOSED_NOTHING_IS_PUT_OFF: Table = [
    ("salad_busy", "I need a minute to think", "remark"),
    ("salad_busy", "my hands are too dirty for that", "remark"),
]


@pytest.mark.parametrize(("context", "text", "expected"), TO_ASK_FOR_TIME_IS_A_NO)
def test_to_ask_for_time_is_a_no(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WHAT_IS_NOT_READY_HAS_TO_WAIT)
def test_what_is_not_ready_has_to_wait(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WHO_CANNOT_REFUSES_THEIR_OWN_PART)
def test_who_cannot_refuses_their_own_part(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WORK_THAT_COMES_FIRST_IS_NO_DELAY)
def test_work_that_comes_first_is_no_delay(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WITH_NOTHING_PROPOSED_NOTHING_IS_PUT_OFF)
def test_with_nothing_proposed_nothing_is_put_off(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
