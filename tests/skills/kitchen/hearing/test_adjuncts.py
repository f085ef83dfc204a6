"""What is said besides an order: where, on which way, to what end."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

BESIDES_AN_ORDER: Table = [
    ("soup_busy", "R2, get the pepper on your way back", "request R2 get pepper"),
    ("salad_busy", "bring me a spatula to turn this over", "request anyone get spatula"),
    ("salad_busy", "fetch us the ladle from the drawer", "request anyone get ladle"),
    ("soup_start", "R2, get the stock so we have it ready", "request R2 get vegetable stock"),
    ("salad_busy", "napkins for the guests, please", "request anyone get napkin"),
    ("soup_end", "someone stir the pot before it sticks", "request anyone stir pot"),
    ("salad_end", "hand me the salt next to the stove", "request anyone hand over salt"),
]

BACK_TO_ITS_PLACE: Table = [
    ("fruit_end", "R2, take the yoghurt to its place", "request R2 put away yoghurt"),
    ("salad_busy", "put the pepper where it came from", "request anyone put away pepper"),
]

NO_ADJUNCT: Table = [
    ("salad_end", "leave the sauce where it is", "decline p8"),
    ("salad_end", "we will want it on the table", "remark"),
]


@pytest.mark.parametrize(("context", "text", "expected"), BESIDES_AN_ORDER)
def test_what_is_said_besides_an_order_changes_nothing(
    context: str, text: str, expected: str
) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), BACK_TO_ITS_PLACE)
def test_to_its_place_is_back(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), NO_ADJUNCT)
def test_where_a_thing_is_to_stay_is_no_adjunct(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
