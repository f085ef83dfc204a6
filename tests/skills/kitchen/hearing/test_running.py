"""Clauses that begin although nothing joins them."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

A_REASON_BEHIND_AN_ORDER: Table = [
    ("salad_busy", "R1 hand me the bowl please my fingers are sticky", "request R1 hand over bowl"),
    ("salad_busy", "fetch the cream the sauce is burning", "request anyone get cream"),
    ("salad_busy", "bring a towel my shirt is soaked", "request anyone get towel"),
    ("soup_busy", "R2 get the salt my son is waiting", "request R2 get salt"),
]
AN_ORDER_BEHIND_WHAT_IS_OVER: Table = [
    ("soup_busy", "the onions are ready skip the salt", "done chop onions; drop get salt"),
    (
        "salad_busy",
        "R2 forget the ranch fetch the salt",
        "drop get ranch sauce; request R2 get salt",
    ),
    ("salad_busy", "R2, freeze and fetch the salt", "request R2 get salt; stop R2"),
    ("soup_arm_stopped", "keep going R1 and R2 bring the salt", "request R2 get salt; resume R1"),
]
A_DISH_GIVEN_UP: Table = [
    ("salad_start", "scrap the salad, my kids want soup", "choose Tomato Soup"),
    ("soup_busy", "ditch the soup, caesar's fine", "choose Caesar Salad"),
    ("salad_start", "forget the salad tongs, the soup is hot", "remark"),
]


@pytest.mark.parametrize(("context", "text", "expected"), A_REASON_BEHIND_AN_ORDER)
def test_a_reason_behind_an_order_is_left_aside(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), AN_ORDER_BEHIND_WHAT_IS_OVER)
def test_an_order_behind_what_is_over_or_left_out_is_read_as_well(
    context: str, text: str, expected: str
) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), A_DISH_GIVEN_UP)
def test_what_is_said_behind_a_dish_given_up_is_another_wish(
    context: str, text: str, expected: str
) -> None:
    assert heard(text, context) == expected
