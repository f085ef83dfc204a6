"""A yes or a no in what is said of work or of a thing."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

WORK_MAY_BE_A_NOUN: Table = [
    ("salad_end", "One last toss.", "accept p7"),
    ("soup_start", "The onion chopping is no bother.", "accept p2"),
    ("salad_three_open", "The lettuce washing is mine.", "accept p5"),
    ("fruit_start", "sorry, no banana slicing for me", "decline p2"),
    ("salad_end", "Stir, no.", "decline p7"),
    ("salad_end", "Off with the sauce.", "accept p8"),
    ("soup_start", "Fetch away, R2.", "accept p1"),
]

AN_IDIOM_PRAISES_OR_BLAMES_AS_A_WORD_DOES: Table = [
    ("fruit_start", "Slicing bananas is right up my street.", "accept p2"),
    ("soup_start", "Onions are my department.", "accept p2"),
    ("soup_start", "The tomatoes are a go, the onions are a non-starter.", "accept p1; decline p2"),
    ("salad_end", "Stirring's a no from me.", "decline p7"),
    ("soup_start", "Chopping onions is something I can do.", "accept p2"),
    ("soup_start", "I'm your woman for the onions.", "accept p2"),
    ("salad_start", "I'll happily do the leaves.", "accept p2"),
]

URGING_IS_A_YES_AND_AWAITING_A_NO: Table = [
    ("soup_start", "Those tomatoes won't fetch themselves.", "accept p1"),
    ("soup_end", "I want to try it before the cream goes in.", "decline p9"),
    ("salad_one_open", "I'd wait for the sauce.", "decline p6"),
    ("salad_one_open", "Only once the sauce is in.", "decline p6"),
    ("salad_start", "We have plenty of pepper.", "decline p1"),
    ("salad_end", "That's been stirred enough.", "decline p7"),
    ("fruit_start", "Ready for the bananas.", "accept p2"),
    ("soup_start", "I haven't got time for the onions.", "decline p2"),
    ("salad_start", "I'm not touching the lettuce with this cut.", "decline p2"),
]

WHAT_WAS_JUST_ANSWERED_IS_TAKEN_UP: Table = [
    ("soup_start", "I won't do the onions, let the arm.", "decline p2; request R1 chop onions"),
    (
        "soup_busy",
        "Onions done! Arm, they can go in.",
        "done chop onions; request R1 pour pot onions",
    ),
    ("salad_start", "Yes please R2, and where is my bowl?", "accept p1; ask"),
    ("salad_start", "If R2 wants to get the pepper, let it.", "accept p1"),
    ("salad_three_open", "No to one and three, yes to two.", "accept p4; decline p3 p5"),
    ("salad_three_open", "Strike the first, keep the others.", "accept p4 p5; decline p3"),
]

A_DISH_MAY_BE_COUNTED_OR_TAKEN_UP: Table = [
    ("nothing_chosen", "Number two looks tasty.", "choose Fruit Salad"),
    ("nothing_chosen", "The last one on the list, please.", "choose Tomato Soup"),
    ("long_menu", "The kids adore pancakes, so that's what we'll make.", "choose Pancakes"),
    ("long_menu", "Feta and olives, please.", "choose Greek Salad"),
    ("long_menu", "The kids asked for pancakes.", "choose Pancakes"),
    ("nothing_chosen", "I'd go with tomato.", "choose Tomato Soup"),
    ("dish_offered", "Go on then.", "choose Greek Salad"),
    ("dishes_offered", "Omelette over curry any day.", "choose Mushroom Omelette"),
]


@pytest.mark.parametrize(("context", "text", "expected"), WORK_MAY_BE_A_NOUN)
def test_work_may_be_a_noun(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), AN_IDIOM_PRAISES_OR_BLAMES_AS_A_WORD_DOES)
def test_an_idiom_praises_or_blames_as_a_word_does(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), URGING_IS_A_YES_AND_AWAITING_A_NO)
def test_urging_is_a_yes_and_awaiting_a_no(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WHAT_WAS_JUST_ANSWERED_IS_TAKEN_UP)
def test_what_was_just_answered_is_taken_up(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), A_DISH_MAY_BE_COUNTED_OR_TAKEN_UP)
def test_a_dish_may_be_counted_or_taken_up(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
