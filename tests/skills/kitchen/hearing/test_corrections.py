"""The second opinion corrects the grammar in two cases and no more."""

from __future__ import annotations

import pytest

from tests.talk.corpus import moment
from treec.skills.kitchen.hearing.acts import HeardAct
from treec.skills.kitchen.hearing.corrections import correct
from treec.skills.kitchen.hearing.reader import Reader


def corrected(
    text: str, where: str, monkeypatch: pytest.MonkeyPatch, **chances: float
) -> list[HeardAct]:
    monkeypatch.setattr(
        "treec.skills.kitchen.hearing.corrections.likelihoods",
        lambda chunks, context: {"remark": 0.0, **chances},
    )
    context = moment(where)
    reader = Reader(context)
    acts = reader.read(text)
    return correct(acts, reader)


def kinds(acts: list[HeardAct]) -> set[str]:
    return {act.kind for act in acts}


def test_an_end_that_the_grammar_reads_is_the_act(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "flibber wobble stop R1"
    (act,) = corrected(text, "salad_busy", monkeypatch, stop=0.9)
    assert (act.kind, act.fields["agent"]) == ("stop", "R1")
    assert text[act.start : act.end] == "stop R1"


def test_each_end_is_read_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a longer end said is not among what a shorter one says."""
    (act,) = corrected("flibber wobble R1 stop R2 get salt", "soup_busy", monkeypatch, request=0.9)
    assert (act.kind, act.fields["agent"], act.fields["task"]) == ("request", "R2", "get")


def test_a_remark_that_becomes_nothing_keeps_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "flibber. wobble salt"
    found = corrected(text, "salad_start", monkeypatch, accept=0.9)
    reader = Reader(moment("salad_start"))
    assert [(a.start, a.end) for a in found] == [(a.start, a.end) for a in reader.read(text)]


def test_a_name_before_that_end_is_who_is_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    (act,) = corrected("R2 wobble flibber halt", "soup_busy", monkeypatch, stop=0.9)
    assert (act.kind, act.fields["agent"]) == ("stop", "R2")


def test_a_yes_is_to_all_that_is_open_or_to_what_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    (every,) = corrected("flibber wobble", "salad_start", monkeypatch, accept=0.9)
    assert every.ids == ("p1", "p2")
    (one,) = corrected("flibber wobble pepper", "salad_start", monkeypatch, accept=0.9)
    assert one.ids == ("p1",)


def test_a_yes_to_nothing_stays_a_remark(monkeypatch: pytest.MonkeyPatch) -> None:
    assert kinds(corrected("flibber wobble", "soup_busy", monkeypatch, accept=0.9)) == {"remark"}
    found = corrected("flibber wobble salt", "salad_start", monkeypatch, accept=0.9)
    assert kinds(found) == {"remark"}


@pytest.mark.parametrize("kind", ["accept", "stop", "request"])
def test_who_calls_somebody_else_sets_nothing_going(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = corrected("flibber grandma wobble", "salad_start", monkeypatch, **{kind: 0.9})
    assert kinds(found) == {"remark"}


def test_half_likely_is_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    assert kinds(corrected("flibber wobble", "salad_start", monkeypatch, accept=0.4)) == {"remark"}


def test_what_is_most_unlikely_becomes_a_remark(monkeypatch: pytest.MonkeyPatch) -> None:
    found = corrected("stop", "salad_busy", monkeypatch, remark=0.9, stop=0.1)
    assert kinds(found) == {"remark"}
    found = corrected("stop", "salad_busy", monkeypatch, remark=0.9, stop=0.4)
    assert kinds(found) == {"stop"}


@pytest.mark.parametrize("text", ["okay", "Good work, R2.", "great work everybody!"])
def test_what_the_grammar_knows_for_small_talk_stays_that(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert kinds(corrected(text, "salad_stopped", monkeypatch, resume=0.9, stop=0.9)) == {"remark"}


@pytest.mark.parametrize("text", ["flibber the lettuce not wobble", "none of it wobbles"])
def test_what_is_denied_is_not_done(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert kinds(corrected(text, "salad_busy", monkeypatch, done=0.9)) == {"remark"}


def test_a_figure_of_speech_sets_nothing_going(monkeypatch: pytest.MonkeyPatch) -> None:
    assert kinds(corrected("so far so good", "salad_start", monkeypatch, accept=0.9)) == {"remark"}
