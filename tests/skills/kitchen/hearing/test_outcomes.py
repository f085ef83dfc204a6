"""Work that is over by what has come of it, in the kitchen that treec ships."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

WHAT_HAS_COME_OF_IT: Table = [
    ("pasta_busy", "That's all the water out of it now.", "done drain pot"),
    ("pasta_busy", "not a drop left in there", "done drain pot"),
    ("pasta_busy", "I tipped the water out.", "done drain pot"),
    ("pasta_busy", "the pasta is drained", "done drain pot"),
    ("pasta_serving", "It's all on the plates.", "done serve pot"),
    ("pasta_serving", "Everybody's got a plateful.", "done serve pot"),
    ("pasta_serving", "Tis dished up.", "done serve pot"),
    ("pasta_serving", "dinner is served!", "done serve pot"),
    ("pasta_waiting_for_me", "The pot's hot.", "done heat pot"),
    ("poke_rice", "the rice is lovely and fluffy", "done boil rice"),
    ("poke_rice", "Rice has boiled, it's lovely and soft.", "done boil rice"),
    ("pasta_begin", "the pot's full of water", "done pour water into pot"),
    ("eggs_busy", "they're all frothy", "done whisk eggs"),
    ("pasta_late", "There's a nice heap of cheese on the board.", "done grate cheese"),
    ("soup_salt", "i got the salt from the arm now", "done hand over salt"),
    ("soup_between", "I made little cubes from the celery.", "done chop celery"),
    ("eggs_busy", "R2 brought the onions", "done get spring onions"),
]

WHAT_HAS_NOT_YET: Table = [
    ("pasta_busy", "half the water is out", "remark"),
    ("pasta_busy", "is all the water out?", "ask"),
    ("pasta_busy", "once the water's out we can eat", "remark"),
    ("pasta_serving", "everyone will have a plate soon", "remark"),
    ("pasta_waiting_for_me", "it's hot in here", "remark"),
    ("pasta_waiting_for_me", "the pot's getting hot", "remark"),
]


@pytest.mark.parametrize(("context", "text", "expected"), WHAT_HAS_COME_OF_IT)
def test_what_has_come_of_it(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), WHAT_HAS_NOT_YET)
def test_what_has_not_yet(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
