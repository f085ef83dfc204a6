"""Words that gather with their neighbours."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

WHAT_SAYS_WHICH_ONE_IS_LEFT_OUT: Table = [
    ("soup_busy", "forget the salt I asked for", "drop get salt"),
    ("soup_busy", "cancel the salt that I wanted", "drop get salt"),
    ("salad_start", "Yes to everything you said.", "accept p1 p2"),
]

A_WORD_OF_AFFECTION_IS_NO_VERB: Table = [
    ("salad_busy", "pass me the salt, R1 love", "request R1 hand over salt"),
    (
        "soup_busy",
        "You couldn't add some pepper to the pot, could you, R1 love?",
        "request R1 pour pot pepper",
    ),
]

ANOTHER_SORT_IS_ANOTHER_THING: Table = [
    ("soup_busy", "my skin cream is empty", "remark"),
    ("soup_busy", "we ran out of ice cream", "remark"),
]

MORE_OF_IT_IS_NO_YES_TO_IT: Table = [
    ("salad_end", "more ranch please", "request anyone get ranch sauce"),
    ("salad_busy", "some more pepper in the bowl", "request anyone pour bowl pepper"),
]

WHAT_IS_REFUSED_IS_NO_LIST: Table = [
    ("salad_start", "not the pepper, the sauce", "decline p1; request anyone get ranch sauce"),
    ("soup_busy", "not the stock, the cream", "drop get vegetable stock; request anyone get cream"),
    ("salad_three_open", "no pepper, just the lettuce", "accept p5; decline p3"),
    ("salad_three_open", "The pepper and the sauce can wait.", "decline p3 p4"),
]


@pytest.mark.parametrize(("context", "text", "expected"), WHAT_SAYS_WHICH_ONE_IS_LEFT_OUT)
def test_what_says_which_one_is_left_out(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), A_WORD_OF_AFFECTION_IS_NO_VERB)
def test_a_word_of_affection_is_no_verb(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), ANOTHER_SORT_IS_ANOTHER_THING)
def test_another_sort_is_another_thing(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), MORE_OF_IT_IS_NO_YES_TO_IT)
def test_more_of_it_is_no_yes_to_it(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WHAT_IS_REFUSED_IS_NO_LIST)
def test_what_is_refused_is_no_list(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
