"""Small talk: nothing is meant for the kitchen, and no second opinion is asked."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard
from tests.talk.corpus import moment
from treec.skills.kitchen.hearing.reader import Reader

NOTHING_IS_MEANT: Table = [
    ("salad_start", "no news is good news", "remark"),
    ("salad_start", "don't put all your eggs in one basket", "remark"),
    ("soup_busy", "stop and smell the roses", "remark"),
    ("soup_busy", "wait until I tell you what happened", "remark"),
    ("salad_three_open", "no wonder she left him", "remark"),
    ("salad_three_open", "neither of my sons can boil an egg", "remark"),
    ("salad_three_open", "not bad for a couple of machines", "remark"),
    ("salad_three_open", "let me introduce myself", "remark"),
    ("salad_one_open", "that lettuce looks lovely", "remark"),
    ("salad_three_open", "yes! they won!", "remark"),
    ("salad_three_open", "yes!! our team scored!", "remark"),
    ("soup_between", "that was the postman, not me", "remark"),
    ("salad_three_open", "that was your brother, not me", "remark"),
    ("soup_busy", "so gentle with those tomatoes, R1", "remark"),
]

SMALL_TALK = [
    ("fruit_end", "nice moves, arm"),
    ("soup_busy", "you look shiny today, R1"),
    ("salad_three_open", "this lettuce is full of sand"),
    ("soup_busy", "bananas are so expensive now"),
    ("soup_busy", "please keep going, everyone"),
    ("soup_busy", "I'm nearly finished with the onions"),
    ("soup_busy", "I've had this pot since university"),
    ("salad_start", "I can't find my umbrella anywhere"),
    ("salad_stopped", "la la la"),
]

WORK = [
    ("salad_three_open", "I washed it"),
    ("soup_busy", "are we nearly there?"),
    ("salad_busy", "listen to that rain, can somebody pass me the salt"),
    ("soup_busy", "not in there"),
    ("soup_busy", "the onions are too big for the pot"),
]


@pytest.mark.parametrize(("context", "text", "expected"), NOTHING_IS_MEANT)
def test_nothing_is_meant(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text"), SMALL_TALK)
def test_small_talk_is_known_as_such(context: str, text: str) -> None:
    reader = Reader(moment(context))
    reader.read(text)
    assert reader.overheard


@pytest.mark.parametrize(("context", "text"), WORK)
def test_work_is_no_small_talk(context: str, text: str) -> None:
    reader = Reader(moment(context))
    reader.read(text)
    assert not reader.overheard
