"""Slips in commanding words are mended, real words are left alone."""

from __future__ import annotations

import pytest

from tests.skills.test_talk import BUSY, brief
from treec.skills.kitchen.hearing.typos import correct_slip


@pytest.mark.parametrize(("slip", "word"), [("sotp", "stop"), ("plesae", "please")])
def test_two_letters_in_the_wrong_order_are_put_right(slip: str, word: str) -> None:
    assert correct_slip(slip) == word


@pytest.mark.parametrize("word", ["stop", "spot", "post", "form", "weight", ""])
def test_words_of_their_own_stay(word: str) -> None:
    assert correct_slip(word) == word


def test_a_garbled_stop_alone_is_left_to_be_asked_about() -> None:
    assert brief("sotp", BUSY) == ["remark"]
    assert brief("sotp R1", BUSY) == ["stop R1"]
