"""What went wrong and what was not understood, in words for a cook; the journal keeps the rest."""

from __future__ import annotations

import re

import pytest

from tests.support.events import happening
from tests.systems.mosaic.table import Table, heard, library
from treec.files.view import View
from treec.team.knowledge import Knowledge
from treec.team.reasons import explain_failure
from treec_mosaic.typos import contains_typo_of

KNOWLEDGE = Knowledge(View(library(), library().find("system", "mosaic")))
RAW = "pour(yoghurt, bowl): 'near(agent) == at(container)' does not hold"


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (RAW, "the bowl is not where R1 can reach it"),
        ("pick(salt): the salt slipped out of the gripper", "the salt slipped out of the gripper"),
        ("pick(salt): slipped [seen: the salt lies]", "slipped; the salt lies"),
        ("pick(salt): timed out after 4 s [seen: it lies]", "it took too long; it lies"),
        ("place(salt, table): timed out after 40 s", "it took too long"),
        ("stir(bowl): ZeroDivisionError: division by zero", "something went wrong with it"),
        ("unknown skill 'go_to' of R1: it has pick, place (x)", "something went wrong with it"),
        ("pick: 'item' has no value", "something went wrong with it"),
        ("", "something went wrong with it"),
        ("blocked: user is in the way", "you are in the way"),
        ("not taken: the salt by user", "not taken: the salt by you"),
    ],
)
def test_reasons_are_told_as_to_a_cook(raw: str, told: str) -> None:
    assert explain_failure(KNOWLEDGE, "R1", raw) == told


def test_the_user_hears_words_and_the_journal_keeps_the_reason() -> None:
    table = Table("Let's make a fruit salad")
    fact = {"fact": "at", "args": ["bowl"], "value": "shelf", "source": "told"}
    table.run.world.emit(happening("fact.set", **fact), "test")
    for words in ("Yes", "The bananas are sliced", "Yes", "Yes"):
        table.say(words, 45)
    (failed, *_) = table.happened("subtask.failed")
    assert failed["reason"].endswith("'near(agent) == at(container)' does not hold")
    assert table.happened("node.failed")[0]["module"] == "treec.nodes.skill_run"
    assert "That did not work: the bowl is not where R1 can reach it." in " ".join(table.told())
    assert not [said for said in table.told() if re.search(r"==|\w\(", said)]


def test_what_a_robot_cannot_bring_about_the_person_is_asked_to_do_as_a_person() -> None:
    table = Table("Let's make a fruit salad")
    fact = {"fact": "at", "args": ["bowl"], "value": "shelf", "source": "told"}
    table.run.world.emit(happening("fact.set", **fact), "test")
    for words in ("Yes", "The bananas are sliced", "Yes", "Yes", "Yes", "Yes"):
        table.say(words, 45)
    told = " ".join(table.told())
    assert "Will you pour the yoghurt into the bowl?" in told
    assert "Shall R1 try again" not in told  # the bowl is still out of its reach
    assert not re.search(r"\b(?:Shall|is|has) user\b|\buser (?:is|has|will|can)\b", told)


def test_every_condition_that_nothing_repairs_has_its_words() -> None:
    for name, entry in KNOWLEDGE.view.all("skill").items():
        conditions = [c if isinstance(c, str) else next(iter(c)) for c in entry.model.before]
        bare = [c for c in entry.model.before if isinstance(c, str)]
        assert set(entry.model.otherwise) <= set(conditions), name
        assert set(bare) <= set(entry.model.otherwise), name


@pytest.mark.parametrize("words", ["stob ah too", "Stpo!", "shtop", "sto"])
def test_a_garbled_stop_stops_or_is_asked_about(words: str) -> None:
    table = Table("Let's make a fruit salad", "Yes")
    assert contains_typo_of(words, "stop")
    said = table.say(words)
    assert "Shall R2 stop? Then say stop." in said or said.startswith("R2 has stopped.")


def test_a_garbled_stop_that_the_parser_does_not_hear_is_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Table("Let's make a fruit salad", "Yes")
    heard(monkeypatch, {"kind": "remark"})
    assert "Shall R2 stop? Then say stop." in table.say("stob ah too")


@pytest.mark.parametrize("words", ["blue elephants", "the thing with the top, you know", "staple"])
def test_other_riddles_are_met_with_what_can_be_said(words: str) -> None:
    table = Table("Let's make a fruit salad", "Yes")
    said = table.say(words)
    assert said.startswith("Sorry, I did not get that.")
    assert "stop" not in said


def test_a_riddle_before_an_answer_repeats_the_question() -> None:
    said = Table("Let's make a fruit salad").say("blue elephants")
    assert said.startswith("Sorry, I did not get that. Shall R2 get the yoghurt? Say yes or no")
