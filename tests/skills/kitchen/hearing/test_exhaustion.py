"""Work that is over because nothing of it is left, and work that is not over."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

NOTHING_LEFT_IS_DONE: Table = [
    ("soup_busy", "that was the last of the onions", "done chop onions"),
    ("soup_busy", "So that's the last onion.", "done chop onions"),
    ("soup_busy", "there's nothing left for me to chop", "done chop onions"),
    ("soup_busy", "no onions left to cut", "done chop onions"),
    ("salad_busy", "That was the last leaf!", "done prepare lettuce"),
    ("salad_busy", "there's not a leaf left to wash", "done prepare lettuce"),
]

WHAT_IS_LEFT_IS_NOT: Table = [
    ("soup_busy", "that was the last of the cream", "remark"),
    ("soup_busy", "that's the last thing I need", "remark"),
    ("soup_busy", "there's nothing left to say", "remark"),
    ("soup_busy", "one more onion and I'm done", "remark"),
    ("soup_busy", "still a few onions to chop", "remark"),
    ("soup_busy", "I need another minute for the onions", "remark"),
    ("fruit_start", "I thought the bananas were sliced", "remark"),
    ("soup_busy", "R2 dropped the stock", "remark"),
    ("soup_busy", "I've done two onions of five", "remark"),
]

WHAT_CAME_IS_FETCHED: Table = [
    ("soup_busy", "R2 put the stock right in front of me", "done get vegetable stock"),
    ("soup_busy", "the stock has made it to the table", "done get vegetable stock"),
    ("salad_busy", "R2 did bring the sauce", "done get ranch sauce"),
    ("soup_arm_stopped", "R2 has just handed me the cream", "done get cream"),
    ("fruit_start", "I already took the yoghurt out of the fridge", "done get yoghurt"),
    ("soup_busy", "The salt? I found some.", "ask; done get salt"),
    ("soup_busy", "thanks for the stock R2", "remark"),
]

WHAT_WENT_IN_IS_IN: Table = [
    ("soup_busy", "the last tomato just went in", "done put tomatoes into pot"),
    ("soup_busy", "the tomatoes are swimming in the pot now", "done put tomatoes into pot"),
    ("salad_busy", "that was all the pepper, it's in", "done pour pepper into bowl"),
    ("salad_stopped", "someone put the lettuce in already", "done put lettuce into bowl"),
    ("soup_start", "the onions are already in pieces", "done chop onions"),
]


@pytest.mark.parametrize(("context", "text", "expected"), NOTHING_LEFT_IS_DONE)
def test_nothing_left_is_done(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WHAT_IS_LEFT_IS_NOT)
def test_what_is_left_is_not(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WHAT_CAME_IS_FETCHED)
def test_what_came_is_fetched(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WHAT_WENT_IN_IS_IN)
def test_what_went_in_is_in(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
