"""The corpus is well-formed: what it says of the kitchen is there, and both halves are whole."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.talk.corpus import (
    HERE,
    KINDS,
    OPEN,
    STATUSES,
    Act,
    CorpusError,
    Phrase,
    load,
    moment,
    moments,
    split,
)

Make = Callable[[str], tuple[Phrase, ...]]
THEMES = {path.stem for path in (HERE / "rounds").glob("*/*.yaml")}
ACTING = {"accept", "stop", "request", "choose", "resume", "decline", "done", "drop"}


@pytest.fixture(scope="module")
def phrases() -> tuple[Phrase, ...]:
    return load()


def kinds(phrases: tuple[Phrase, ...]) -> set[str]:
    return {act.kind for phrase in phrases for act in phrase.readings[0]}


def test_it_has_hundreds_of_phrases_of_every_theme(phrases: tuple[Phrase, ...]) -> None:
    assert len(phrases) >= 600
    counts = {theme: sum(phrase.theme == theme for phrase in phrases) for theme in THEMES}
    assert len(counts) >= 12
    assert min(counts.values()) >= 30, counts


def test_each_half_has_every_kind_and_every_theme(phrases: tuple[Phrase, ...]) -> None:
    halves = split(phrases)
    assert set(halves) == {"seen", "held_back"}
    for half in halves.values():
        assert len(half) >= 300
        assert kinds(half) == set(KINDS)
        assert {phrase.theme for phrase in half} == THEMES


def test_the_text_alone_says_which_half(phrases: tuple[Phrase, ...]) -> None:
    for half, found in split(phrases).items():
        for phrase in found:
            digit = hashlib.sha256(phrase.text.encode()).hexdigest()[-1]
            if phrase.round not in OPEN:
                assert (digit in "02468ace") == (half == "seen"), phrase.id


def test_chit_chat_does_nothing_by_any_reading(phrases: tuple[Phrase, ...]) -> None:
    chat = [phrase for phrase in phrases if phrase.theme == "chat"]
    assert len(chat) >= 120
    for phrase in chat:
        found = {act.kind for reading in phrase.readings for act in reading}
        assert not found & ACTING, phrase.id
        assert [act.kind for act in phrase.readings[0]] in (["remark"], ["ask"]), phrase.id


def test_a_remark_stands_alone(phrases: tuple[Phrase, ...]) -> None:
    for phrase in phrases:
        for reading in phrase.readings:
            assert len(reading) == 1 or "remark" not in {act.kind for act in reading}, phrase.id


def test_a_reading_says_nothing_both_yes_and_no(phrases: tuple[Phrase, ...]) -> None:
    for phrase in phrases:
        for reading in phrase.readings:
            answered = [
                proposal
                for act in reading
                if act.kind in ("accept", "decline")
                for proposal in act.fields["proposals"]
            ]
            assert len(set(answered)) == len(answered), phrase.id


def test_a_phrase_has_no_reading_twice(phrases: tuple[Phrase, ...]) -> None:
    for phrase in phrases:
        assert phrase.readings, phrase.id
        for number, reading in enumerate(phrase.readings):
            assert reading not in phrase.readings[:number], phrase.id


def test_many_kinds_of_people_speak(phrases: tuple[Phrase, ...]) -> None:
    themes: dict[str, set[str]] = {}
    for phrase in phrases:
        themes.setdefault(phrase.person, set()).add(phrase.theme)
    assert sum(len(found) >= 6 for found in themes.values()) >= 40


def test_every_context_is_spoken_in(phrases: tuple[Phrase, ...]) -> None:
    assert {phrase.context for phrase in phrases} == set(moments())


@pytest.mark.parametrize("name", moments())
def test_a_context_is_a_moment_that_can_be(name: str) -> None:
    context = moment(name)
    agents = {agent.name for agent in context.agents}
    status = {subtask.id: subtask.status for subtask in context.subtasks}
    assert context.user in agents
    assert context.recipe_name in ("", *context.recipes)
    assert bool(context.recipe_name) == bool(context.subtasks)
    for proposal in context.proposals:
        assert proposal.agent in agents
        assert status[proposal.subtask] == "ready"
    assert len({proposal.agent for proposal in context.proposals}) == len(context.proposals)
    for subtask in context.subtasks:
        assert subtask.status in STATUSES
        assert (subtask.agent in agents) == (subtask.status not in ("waiting", "ready"))
    for agent in agents:
        assert sum(s.status == "running" and s.agent == agent for s in context.subtasks) <= 1
    # who is at work or was stopped is not free, and only the free are proposed something
    busy = {s.agent for s in context.subtasks if s.status in ("running", "queued", "interrupted")}
    assert not busy & {proposal.agent for proposal in context.proposals}


def test_a_moment_has_the_kinds_that_the_reading_has() -> None:
    assert moment("salad_start").acts == KINDS
    assert moment("salad_start", ("accept", "remark")).acts == ("accept", "remark")


GOOD = "- {id: a, context: salad_start, person: child, text: hi, acts: [ACT]}"


@pytest.fixture
def round_of(tmp_path: Path) -> Make:
    def make(text: str) -> tuple[Phrase, ...]:
        (tmp_path / "1").mkdir()
        (tmp_path / "1" / "a.yaml").write_text(text, "utf-8")
        return load(tmp_path)

    return make


def test_what_may_be_there_is_spelt_out(round_of: Make) -> None:
    acts = (
        "{kind: request, agent: user, task: stir, args: {}, may: {container: bowl}}, "
        "{kind: decline, proposals: [p1], optional: true}"
    )
    (phrase,) = round_of(GOOD.replace("ACT", acts))
    full, bare = (
        Act("request", {"agent": "user", "task": "stir", "args": args, "first": False})
        for args in ({"container": "bowl"}, {})
    )
    no = Act("decline", {"proposals": ("p1",)})
    assert phrase.readings == ((full,), (full, no), (bare,), (bare, no))


@pytest.mark.parametrize(
    ("act", "says"),
    [
        ("{kind: agree}", "no kind 'agree'"),
        ("{kind: accept}", "the fields of accept"),
        ("{kind: accept, proposals: [p7]}", "no proposal 'p7'"),
        ("{kind: accept, proposals: []}", "must be named"),
        ("{kind: done, subtasks: [chop onions]}", "no subtask 'chop onions'"),
        ("{kind: stop, agent: R3}", "no agent 'R3'"),
        ("{kind: stop, agent: R1, may: [R2]}", "stop takes no 'may'"),
        ("{kind: choose, recipe: Pizza}", "no recipe 'Pizza'"),
        ("{kind: request, agent: R1, task: fry, args: {}}", "no task 'fry'"),
        ("{kind: request, agent: R1, task: get, args: {item: moon}}", "no thing 'moon'"),
        ("{kind: request, agent: R1, task: get, args: {to: bowl}}", "no argument of get 'to'"),
        ("{kind: request, agent: R1, task: stir, args: {container: salt}}", "is no Container"),
        ("{kind: request, agent: R1, task: get, args: {}, first: 1}", "first must be"),
    ],
)
def test_what_is_not_there_is_refused(round_of: Make, act: str, says: str) -> None:
    with pytest.raises(CorpusError, match=f"^1/a.yaml: a: .*{says}"):
        round_of(GOOD.replace("ACT", act))


@pytest.mark.parametrize(
    ("second", "says"),
    [
        (GOOD.replace("text: hi", "text: ho"), "the id is there twice"),
        (GOOD.replace("id: a", "id: b"), "the text is there twice"),
        (GOOD.replace("salad_start", "sauna"), "no context 'sauna'"),
        (GOOD.replace("person: child, ", ""), "its keys are"),
    ],
)
def test_a_phrase_that_does_not_fit_is_refused(round_of: Make, second: str, says: str) -> None:
    text = f"{GOOD}\n{second}\n".replace("ACT", "{kind: remark}")
    with pytest.raises(CorpusError, match=says):
        round_of(text)
