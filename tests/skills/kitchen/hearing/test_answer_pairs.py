"""Answers dealt out in a row, each to the name beside it."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

EACH_NAME_GETS_THE_ANSWER_BESIDE_IT: Table = [
    ("salad_end", "1st ok 2nd no", "accept p7; decline p8"),
    ("salad_end", "1 yes 2 no", "accept p7; decline p8"),
    ("salad_end", "yes to one and no to two", "accept p7; decline p8"),
    ("salad_end", "stir yes sauce no", "accept p7; decline p8"),
    ("salad_end", "first yes", "accept p7"),
    ("salad_start", "pepper yes lettuce no", "accept p1; decline p2"),
    ("salad_three_open", "pepper and sauce yes, lettuce no", "accept p3 p4; decline p5"),
    (
        "salad_three_open",
        "R1 yes, R2 no and I'll do the lettuce",
        "accept p3; accept p5; decline p4",
    ),
    ("salad_three_open", "1 and 3 yes", "accept p3 p5"),
    ("salad_three_open", "okay for 1 and 2", "accept p3 p4"),
    ("soup_start", "yes R2, no me", "accept p1; decline p2"),
    ("soup_start", "tomatoes ok, onions later", "accept p1; decline p2"),
    ("soup_start", "no to the onions and yes to the tomatoes", "accept p1; decline p2"),
]

THE_OTHERS_ARE_THOSE_THAT_ARE_NOT_NAMED: Table = [
    ("salad_three_open", "R1 no, the others yes.", "accept p4 p5; decline p3"),
    ("salad_three_open", "The sauce yes, the rest not yet.", "accept p4; decline p3 p5"),
    ("salad_three_open", "pepper first, rest later", "accept p3; decline p4 p5"),
    ("salad_start", "lettuce later, pepper now", "accept p1; decline p2"),
    ("salad_three_open", "yes for R1, later for the others", "accept p3; decline p4 p5"),
]

NUMBERS_OF_THINGS_COUNT_NO_PROPOSALS: Table = [
    ("salad_start", "it's 2 degrees outside", "remark"),
    ("salad_start", "one of my sons is here", "remark"),
]


@pytest.mark.parametrize(("context", "text", "expected"), EACH_NAME_GETS_THE_ANSWER_BESIDE_IT)
def test_each_name_gets_the_answer_beside_it(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), THE_OTHERS_ARE_THOSE_THAT_ARE_NOT_NAMED)
def test_the_others_are_those_that_are_not_named(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), NUMBERS_OF_THINGS_COUNT_NO_PROPOSALS)
def test_numbers_of_things_count_no_proposals(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
