"""Which proposals an answer is to."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

THE_REST_IS_WHAT_NOTHING_ELSE_SPEAKS_OF: Table = [
    (
        "salad_three_open",
        "lettuce is ready and the rest is fine",
        "accept p3 p4; done prepare lettuce",
    ),
    ("salad_three_open", "let the arm go ahead, the rest should wait", "accept p3; decline p4 p5"),
]


@pytest.mark.parametrize(("context", "text", "expected"), THE_REST_IS_WHAT_NOTHING_ELSE_SPEAKS_OF)
def test_the_rest_is_what_nothing_else_speaks_of(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
