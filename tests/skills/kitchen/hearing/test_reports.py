"""Reports of what is done, and what only sounds like one."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

A_DISH_MAY_BE_WHAT_WAS_WORKED_ON: Table = [
    ("salad_end", "Salad's tossed.", "done stir bowl"),
    (
        "salad_end",
        "I tossed the salad and put the ranch back.",
        "done put ranch sauce away; done stir bowl",
    ),
    ("salad_busy", "The salad is washed.", "done prepare lettuce"),
    ("salad_busy", "There, lettuce all clean.", "done prepare lettuce"),
    ("soup_start", "Onions are ready to go in.", "done chop onions"),
]

NEARLY_DONE_IS_NOT_DONE: Table = [
    ("soup_busy", "Two more onions and I'm done.", "remark"),
    ("soup_busy", "one more and I'm done", "remark"),
    ("soup_busy", "Soon done.", "remark"),
    ("salad_busy", "I almost have the lettuce.", "remark"),
]

WHAT_PEOPLE_ALWAYS_DO_IS_NO_ORDER: Table = [
    ("salad_start", "they get tomatoes from Spain in winter", "remark"),
    ("soup_busy", "I get my onions from a man called Dave.", "remark"),
    ("salad_start", "I take pepper with everything.", "remark"),
    (
        "fruit_start",
        "They get bananas by the crate at the hospital and nobody eats them.",
        "remark",
    ),
]

HABITS_AND_TALES_REPORT_NOTHING: Table = [
    ("soup_busy", "we got pepper on our school trip and everyone sneezed", "remark"),
    ("salad_start", "they put pepper on everything there", "remark"),
    ("salad_start", "I always put too much pepper in.", "remark"),
    ("salad_busy", "We finished second.", "remark"),
    ("soup_busy", "i got the job by the way!", "remark"),
    ("soup_arm_stopped", "I've moved my hand", "remark"),
    ("soup_busy", "the soup is done", "remark"),
]

WHO_IS_TO_DO_IT_HAS_NOT_DONE_IT: Table = [
    (
        "salad_end",
        "let R2 stir and R1 put the sauce away",
        "request R1 put away ranch sauce; request R2 stir bowl",
    ),
    ("soup_start", "have the arm cut the onions", "request R1 slice onions"),
    ("salad_one_open", "uh huh lettuce in the bowl please", "accept p6"),
]


@pytest.mark.parametrize(("context", "text", "expected"), A_DISH_MAY_BE_WHAT_WAS_WORKED_ON)
def test_a_dish_may_be_what_was_worked_on(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), NEARLY_DONE_IS_NOT_DONE)
def test_nearly_done_is_not_done(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WHAT_PEOPLE_ALWAYS_DO_IS_NO_ORDER)
def test_what_people_always_do_is_no_order(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), HABITS_AND_TALES_REPORT_NOTHING)
def test_habits_and_tales_report_nothing(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WHO_IS_TO_DO_IT_HAS_NOT_DONE_IT)
def test_who_is_to_do_it_has_not_done_it(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
