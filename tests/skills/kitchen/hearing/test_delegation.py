"""Work that one will not do and somebody else shall."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

HANDED_ON: Table = [
    ("soup_start", "I won't do the onions, let the arm", "decline p2; request R1 chop onions"),
    ("salad_start", "no washing for me, leave it to R1", "decline p2; request R1 prepare lettuce"),
    (
        "fruit_start",
        "I'd rather not slice, give that to the arm",
        "decline p2; request R1 slice bananas",
    ),
    (
        "soup_end",
        "no, don't pour the cream, I'll do that",
        "decline p9; request user pour pot cream",
    ),
    ("salad_end", "not the stirring, R1, I can do it", "decline p7; request user stir bowl"),
    ("soup_start", "R1 instead of me on the onions", "request R1 chop onions"),
    (
        "soup_start",
        "why don't I get the tomatoes and R1 chops the onions?",
        "request R1 chop onions; request user get tomatoes",
    ),
    ("soup_start", "somebody other than me should chop the onions", "request anyone chop onions"),
]

NEITHER: Table = [
    ("salad_end", "Do none of those yet", "decline p7 p8"),
    ("soup_start", "please start neither of them", "decline p1 p2"),
    ("soup_start", "I said yes, but now I don't want to chop the onions", "decline p2"),
    ("salad_end", "yes what a catch!", "remark"),
    ("salad_end", "yes, what a good plan", "accept p7 p8"),
]

ANYBODY: Table = [
    ("soup_start", "Anybody, chop the onions", "request anyone chop onions"),
    ("fruit_start", "slice the bananas, someone", "request anyone slice bananas"),
    ("soup_busy", "R2 is coming back, send it for the cream", "request R2 get cream"),
]

LEFT_OUT: Table = [
    ("soup_busy", "stirring once is plenty", "drop stir again"),
    ("soup_busy", "cream? not in my soup", "drop get cream"),
    ("salad_busy", "the sauce makes me cough, so none for me", "drop get ranch sauce"),
    ("soup_busy", "who needs cream anyway", "drop get cream"),
    ("soup_busy", "the cream has to go", "drop get cream"),
    ("soup_busy", "onions don't go in", "drop put onions into pot"),
    ("soup_busy", "R2 can save itself the trip for the salt", "drop get salt"),
    ("soup_busy", "salt? no no", "drop get salt"),
    ("salad_end", "don't bother stirring, it's mixed well enough", "decline p7; drop stir bowl"),
]

THAT_DISH: Table = [
    ("soup_busy", "my guests want fruit salad, so let's make that", "choose Fruit Salad"),
    ("salad_start", "R1, serve the salad", "remark"),
]


@pytest.mark.parametrize(("context", "text", "expected"), HANDED_ON)
def test_what_one_refuses_somebody_else_is_asked_for(
    context: str, text: str, expected: str
) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), ANYBODY)
def test_anybody_called_is_asked(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), LEFT_OUT)
def test_what_is_enough_or_stays_out_is_dropped(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), THAT_DISH)
def test_the_dish_just_spoken_of(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), NEITHER)
def test_what_is_taken_back_or_cried_is_no_yes(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
