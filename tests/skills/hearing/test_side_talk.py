"""What is not said to the team does nothing."""

from __future__ import annotations

import pytest

from tests.skills.test_talk import BUSY, THREE, brief
from treec.skills.kitchen.hearing.side_talk import quotations


@pytest.mark.parametrize(
    "text",
    [
        '"Yes, we have no bananas today"',
        "Yes, doctor, twice a day.",
        "No, sweetheart, not before dinner.",
        "Hi, Anna! Yes, go on, tell me all.",
        "Sure thing, Mr Smith, see you on Monday.",
        "And then he goes, fine, do it yourself.",
        "Yes! We won!",
        "Yes, I'd like to order a taxi.",
        "Oh yes, that was a lovely holiday.",
        "That was the neighbour, not me.",
        "You can say that again.",
    ],
)
def test_a_yes_or_no_to_somebody_else_is_a_remark(text: str) -> None:
    assert set(brief(text, THREE)) <= {"remark", "ask"}


@pytest.mark.parametrize(
    "text",
    [
        'The radio says "stop what you are doing".',
        "Stop it, kids!",
        "Freeze, police! That's what they said in the film.",
        "I told the plumber to stop.",
        "Can you hold on a second, Peter, there's somebody at my door.",
    ],
)
def test_a_stop_for_somebody_else_stops_nobody(text: str) -> None:
    assert set(brief(text, BUSY)) <= {"remark", "ask"}


def test_an_order_by_name_counts_beside_words_for_others() -> None:
    assert brief("Mum, not now! R2, yes, get the pepper.", THREE)[-1] == "accept p1"


def test_a_name_in_quotation_marks_is_still_a_name() -> None:
    assert brief('Let\'s make "Caesar Salad"', THREE)[-1] == "choose Caesar Salad"


def test_a_quotation_without_an_end_goes_to_the_end() -> None:
    assert quotations('he said "stop that') == ((9, 18),)
    assert quotations("nothing") == ()
