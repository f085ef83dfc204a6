"""What shall not be done at all."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

IT_MAY_BE_SAID_OF_THE_THING: Table = [
    ("salad_start", "The sauce can be left out.", "drop get ranch sauce"),
    ("soup_arm_stopped", "the second stir can be dropped", "drop stir again"),
    ("soup_start", "the cream is cancelled", "drop get cream"),
    ("salad_busy", "We leave the sauce out.", "drop get ranch sauce"),
]

WITHOUT_IT_IS_WITHOUT_ITS_WORK: Table = [
    ("soup_start", "We make it without stock.", "drop get vegetable stock"),
    ("soup_start", "let's have it without cream", "drop get cream"),
    ("soup_start", "I'd like mine without the stock", "drop get vegetable stock"),
    ("soup_start", "Soup without stock, please, it gives me headache.", "drop get vegetable stock"),
    ("soup_start", "Rosie can't eat onions, so we're making it without.", "drop chop onions"),
]

IT_IS_WHAT_WAS_JUST_SPOKEN_OF: Table = [
    ("salad_start", "nobody likes pepper, so leave it out", "drop get pepper"),
    ("soup_start", "I don't eat onions, leave them out", "drop chop onions"),
    ("salad_end", "stirring's a waste of time, forget that one", "drop stir bowl"),
    ("salad_end", "A Caesar doesn't get stirred. Skip that.", "drop stir bowl"),
    ("soup_busy", "Ah, leave the salt, it's grand without.", "drop get salt"),
]

OTHER_PEOPLE_ARE_TOLD_NOTHING_HERE: Table = [
    ("salad_busy", "Niamh, get off that phone.", "remark"),
    ("soup_busy", "R1 hold the pot still", "remark"),
]


@pytest.mark.parametrize(("context", "text", "expected"), IT_MAY_BE_SAID_OF_THE_THING)
def test_it_may_be_said_of_the_thing(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WITHOUT_IT_IS_WITHOUT_ITS_WORK)
def test_without_it_is_without_its_work(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), IT_IS_WHAT_WAS_JUST_SPOKEN_OF)
def test_it_is_what_was_just_spoken_of(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), OTHER_PEOPLE_ARE_TOLD_NOTHING_HERE)
def test_other_people_are_told_nothing_here(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
