"""What food lacks, and what goes into it by that."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

FOOD_LACKS: Table = [
    ("soup_end", "the soup could do with some pepper", "request anyone pour pepper"),
    ("salad_end", "it needs more salt, arm", "request R1 pour salt"),
    ("soup_busy", "can we have a bit of cream in that", "request anyone get cream"),
    ("soup_end", "pepper it a bit", "request anyone pour pepper"),
]

A_TOOL_IS_CALLED_FOR: Table = [
    ("salad_busy", "Tongs!", "request anyone get tongs"),
    ("soup_end", "ladle.", "request anyone get ladle"),
    ("soup_busy", "a mug would come in handy", "request anyone get mug"),
    ("salad_start", "I'll be needing the bananas too", "request anyone get bananas"),
    ("soup_busy", "we've got no pepper here, R2", "request R2 get pepper"),
    ("salad_busy", "R2, dessert plates please", "request R2 get plate"),
    ("soup_end", "let's have the bowl over here", "request anyone get bowl"),
]

ALL_OF_IT: Table = [
    ("soup_end", "get the salt and the bowl, R2", "request R2 get bowl; request R2 get salt"),
    ("salad_busy", "bring tongs and the salt, R2", "request R2 get salt; request R2 get tongs"),
]


@pytest.mark.parametrize(("context", "text", "expected"), FOOD_LACKS)
def test_what_food_lacks_is_put_in(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), A_TOOL_IS_CALLED_FOR)
def test_a_tool_is_called_for_by_its_name(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), ALL_OF_IT)
def test_who_is_named_at_the_end_is_asked_for_all_of_it(
    context: str, text: str, expected: str
) -> None:
    assert heard(text, context) == expected
