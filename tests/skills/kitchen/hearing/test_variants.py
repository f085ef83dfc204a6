"""An utterance with parts left out or set apart, and where its words stood."""

from __future__ import annotations

import pytest

from tests.talk.corpus import moment
from treec.skills.kitchen.hearing.reader import Reader
from treec.skills.kitchen.hearing.variants import Variant, variants

TEXT = "flibber get the salt wobble"


def made(text: str) -> list[Variant]:
    return list(variants(text, Reader(moment("soup_busy")).chunks(text)))


def test_ends_and_holes_are_left_out_and_marks_put_in() -> None:
    texts = {(variant.way, variant.text) for variant in made(TEXT)}
    assert ("tail", "flibber get the salt") in texts
    assert ("head", "get the salt wobble") in texts
    assert ("ends", "get the salt") in texts
    assert ("hole", "flibber get  wobble") in texts
    assert ("stop", "flibber. get the salt wobble") in texts
    assert ("comma", "flibber get the salt, wobble") in texts


def test_every_stretch_that_is_kept_is_found_again() -> None:
    for variant in made(TEXT):
        word = variant.text.find("salt")
        if word >= 0:
            at = variant.place(word)
            assert TEXT[at : variant.place(word + 4)].startswith("salt"), variant


def test_what_is_put_in_stands_where_it_was_put() -> None:
    (variant,) = [v for v in made("stop wobble") if v.way == "stop"]
    assert [variant.place(at) for at in range(len(variant.text) + 1)][:7] == [0, 1, 2, 3, 4, 4, 5]


@pytest.mark.parametrize("text", ["", "salt", "?!"])
def test_of_one_word_nothing_is_left_out(text: str) -> None:
    assert made(text) == []


def test_a_long_tale_has_only_so_many_ways() -> None:
    assert len(made("salt and wobble flibber " * 60)) < 250
