"""What tells that something is finished."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

OF_HERE_AND_NOW_ANYBODY_MAY_REPORT: Table = [
    ("salad_start", "lettuce was washed by my wife", "done prepare lettuce"),
    ("salad_start", "my daughter has already washed the lettuce", "done prepare lettuce"),
]

WHERE_A_THING_IS_SAYS_WHAT_WAS_DONE: Table = [
    ("salad_start", "I've already got the pepper in my hand", "done get pepper"),
    ("soup_busy", "R2 just put the stock on the table.", "done get vegetable stock"),
    ("salad_end", "i put the ranch back on the shelf", "done put ranch sauce away"),
    ("fruit_start", "yogurt's out and the bananas are cut", "done get yoghurt; done slice bananas"),
    ("salad_busy", "The sauce has turned up.", "done get ranch sauce"),
    ("salad_stopped", "The pepper was in before it stopped.", "done pour pepper into bowl"),
]


@pytest.mark.parametrize(("context", "text", "expected"), OF_HERE_AND_NOW_ANYBODY_MAY_REPORT)
def test_of_here_and_now_anybody_may_report(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WHERE_A_THING_IS_SAYS_WHAT_WAS_DONE)
def test_where_a_thing_is_says_what_was_done(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
