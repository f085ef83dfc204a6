"""What the grammar has understood is not left out to hear something else."""

from __future__ import annotations

import pytest

from tests.talk.corpus import moment
from treec.skills.kitchen.talk import read, readings


@pytest.mark.parametrize(
    "text", ["of course", "if R2 is free, get the salt", "I like to stir the bowl", "don't stop"]
)
def test_what_is_settled_has_no_other_reading(text: str) -> None:
    found, _, _ = readings(text, moment("salad_start"))
    assert [reading.own for reading in found] == [True]


@pytest.mark.parametrize("text", ["get the pepper grinder", "get the red pepper"])
def test_a_word_that_makes_another_thing_is_not_left_out(text: str) -> None:
    found, _, _ = readings(text, moment("salad_busy"))
    assert not any("request" in reading.kinds for reading in found)


def test_a_yes_to_what_is_not_proposed_agrees_to_nothing() -> None:
    acts = read("yes to the salt", moment("salad_start"))
    assert not any(act["kind"] == "accept" for act in acts)


def test_no_part_agrees_or_stops_where_the_whole_does_not() -> None:
    """ "Yes! They won!" holds a yes, and nobody agreed to anything."""
    found, _, _ = readings("Yes! My cousin phoned from the harbour", moment("poke_rice"))
    own = found[0].kinds
    assert all(not {"accept", "stop"} & reading.kinds - own for reading in found[1:])


def test_a_sentence_s_only_act_is_not_left_out() -> None:
    text = "Ok. I will chop the onions then, whatever the weather thinks."
    found, _, _ = readings(text, moment("poke_rice"))
    assert "request" in found[0].kinds
    assert all("request" in reading.kinds for reading in found)
