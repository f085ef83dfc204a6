"""Judges: when they ask, what their answers set, and what becomes of old ones."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from py_trees.common import Status

from tests.judge.library import DISH, GAPS, UNSAFE, answer, judged_by, see, typed
from tests.support.bench import Bench
from treec.ask.transport import NEVER, ScriptedTransport, TransportError
from treec.run.run import Run
from treec.world.clock import VirtualClock
from treec.world.journal import Journal
from treec_testing.decisions.moments import RecordedRun, find_moments, situation_at
from treec_testing.decisions.request_queue import run_sync

ONCE = "{judge: %}"


def judged(b: Bench) -> list[str]:
    """Who judged what how, in order."""
    made = [event.data for event in b.told("judged")]
    return [f"{', '.join(d['about'])}: {dict(d['answer'])} by {d['by']}" for d in made]


def seen(b: Bench) -> list[str]:
    """What was asked about, in order."""
    shown = [request.messages[-1].content for request in b.requests]
    return [text.split("\n")[1] for text in shown]


def unsafe(folder: Path, *sent: object, more: str = "", node: str = ONCE) -> Bench:
    b = judged_by(folder, UNSAFE, *sent, more=more, node=node)
    see(b, "gap", **GAPS)
    b.settle()
    return b


def dish(folder: Path, *sent: object, more: str = "", **files: str) -> Bench:
    b = judged_by(folder, DISH, *sent, more=more, node=ONCE, **files)
    see(b, "looks", pepper="a mug")
    b.settle()
    return b


def test_rules_answer_where_nobody_is_asked(tmp_path: Path) -> None:
    b = unsafe(tmp_path)
    assert judged(b) == ["R1: {'unsafe': 1.0} by offline", "R2: {'unsafe': 0.0} by offline"]
    assert (b.fact("unsafe", "R1"), b.fact("unsafe", "R2")) == (1.0, 0.0)
    assert b.world.facts.source("unsafe", ["R1"]) == "judged"
    assert b.run.root.status is Status.SUCCESS


def test_a_model_is_asked_about_each_at_once_and_no_tick_waits_for_it(tmp_path: Path) -> None:
    b = unsafe(tmp_path, NEVER, answer(unsafe=0.1))
    assert seen(b) == ["R1 is 0.2 m away.", "R2 is 3.0 m away."]
    assert b.run.root.status is Status.RUNNING
    assert judged(b) == ["R2: {'unsafe': 0.1} by scripted"]


def test_it_is_asked_again_only_when_what_it_sees_has_changed(tmp_path: Path) -> None:
    b = judged_by(tmp_path, UNSAFE, *(answer(unsafe=p) for p in (0.9, 0.1, 0.4)))
    see(b, "gap", **GAPS)
    b.settle()
    b.set(mood="merry")
    b.settle()
    assert len(b.requests) == 2
    see(b, "gap", R2=0.8)
    b.settle()
    assert seen(b)[2:] == ["R2 is 0.8 m away."]
    assert (b.fact("unsafe", "R1"), b.fact("unsafe", "R2")) == (0.9, 0.4)


def test_what_changes_while_a_question_is_under_way_is_asked_about_next(tmp_path: Path) -> None:
    b = judged_by(tmp_path, UNSAFE, *(answer(unsafe=p) for p in (0.9, 0.1, 0.4)))
    see(b, "gap", **GAPS)
    b.tick()
    see(b, "gap", R1=0.7)
    b.settle()
    assert seen(b)[2:] == ["R1 is 0.7 m away."]
    assert judged(b)[-1] == "R1: {'unsafe': 0.4} by scripted"


def test_an_old_answer_is_asked_for_again_and_unknown_if_none_comes(tmp_path: Path) -> None:
    sent = (answer(unsafe=0.9), answer(unsafe=0.1), NEVER, answer(unsafe=0.2))
    b = judged_by(tmp_path, UNSAFE, *sent, more="again: 10s\nexpires: 15s\nmodel: {timeout: 1m}\n")
    see(b, "gap", **GAPS)
    b.settle()
    b.pass_time(11)
    assert len(b.requests) == 4
    assert (b.fact("unsafe", "R1"), b.fact("unsafe", "R2")) == (0.9, 0.2)
    b.pass_time(6)
    assert (b.fact("unsafe", "R1"), b.fact("unsafe", "R2")) == ("unknown", 0.2)


def test_rules_do_not_age_where_there_is_nobody_to_ask(tmp_path: Path) -> None:
    b = unsafe(tmp_path, more="again: 10s\n")
    b.pass_time(60)
    assert len(judged(b)) == 2
    assert b.fact("unsafe", "R1") == 1.0


def test_answers_age_also_where_the_node_has_ended(tmp_path: Path) -> None:
    then = "sequence: [{judge: %}, {wait: 1h}]"
    b = unsafe(tmp_path, answer(unsafe=0.9), answer(unsafe=0.1), more="again: 10s\n", node=then)
    b.pass_time(10)
    assert b.fact("unsafe", "R1") == "unknown"


def test_where_nobody_answers_nothing_is_known(tmp_path: Path) -> None:
    b = unsafe(tmp_path, answer(unsafe=0.9), answer(unsafe=0.1), TransportError("down"))
    b.emit("fact.unknown", fact="gap", args=["R1"])
    b.tick(4)
    assert b.fact("unsafe", "R1") == "unknown"
    assert b.run.root.feedback_message == "Unsafe(R1): no valid answer came: down"
    assert len(b.requests) == 3
    b.pass_time(10)
    assert len(b.requests) == 4


def test_a_record_is_committed_as_a_whole(tmp_path: Path) -> None:
    b = dish(tmp_path, answer(clean=True, sort_of="mug", stained="filthy"))
    assert judged(b) == ["pepper: {'clean': True, 'sort_of': 'mug', 'stained': 2.0} by scripted"]
    (commit,) = [record for record in b.journal.records if record.data.get("for") == "judge"]
    assert [event["kind"] for event in commit.data["events"]] == [*["fact.set"] * 3, "judged"]  # type: ignore[attr-defined]
    schema = b.requests[0].schema["properties"]
    assert schema["stained"]["enum"] == ["spotless", "stained", "filthy"]  # type: ignore[index]
    assert "- stained (one of the levels below" in b.requests[0].messages[0].content


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"sort_of": "cup"}, "'sort_of' must be one of"),
        ({"stained": "dirty"}, "unknown level 'dirty'"),
        ({"stained": 7}, "it is a number from 0 to 2"),
        ({"stained": ["filthy"]}, "'stained' fits none of the allowed forms"),
        ({"clean": "maybe"}, "'clean' must be true or false"),
    ],
)
def test_an_answer_of_another_type_is_refused(
    tmp_path: Path, wrong: dict[str, object], why: str
) -> None:
    right = {"clean": True, "sort_of": "mug", "stained": "spotless"}
    b = dish(tmp_path, answer(**{**right, **wrong}), answer(**right))
    (refused, used) = [event.data for event in b.told("answered")]
    assert why in str(refused["refused"])
    assert "refused" not in used


def test_a_decision_model_answers_all_questions_in_one_request(tmp_path: Path) -> None:
    kind = {"choice": "mug", "probabilities": {"mug": 0.9, "plate": 0.1}, "confidence": 0.8}
    level = {"score": 1.4, "probabilities": {}, "confidence": 0.7}
    sent = typed(clean={"noul": 0.95}, sort_of=kind, stained=level)
    b = dish(tmp_path, sent, more="answers: [{decision_model: nano, sure: 0.6}]\n")
    (request,) = b.requests
    asked = request.schema["questions"]
    assert asked["clean"] == {  # type: ignore[index]
        "type": "noul",
        "instructions": "What it is (pepper)? Yes: Nothing sticks to it.",
    }
    assert asked["sort_of"]["criteria"] == {"plate": "", "mug": ""}  # type: ignore[index]
    assert asked["stained"]["criteria"] == ["spotless", "stained: A stain or two.", "filthy"]  # type: ignore[index]
    (made,) = b.told("judged")
    assert made.data["answer"] == {"clean": True, "sort_of": "mug", "stained": 1.4}
    assert made.data["probabilities"] == {"clean": 0.95, "sort_of.mug": 0.9, "sort_of.plate": 0.1}
    assert made.data["confidence"] == 0.7


def test_a_probability_between_the_thresholds_is_passed_on(tmp_path: Path) -> None:
    kind = {"choice": "mug", "probabilities": {"mug": 1.0}, "confidence": 1.0}
    level = {"score": 0, "probabilities": {}, "confidence": 1.0}
    first = typed(clean={"noul": 0.6}, sort_of=kind, stained=level)
    second = answer(clean=False, sort_of="plate", stained="spotless")
    b = dish(tmp_path, first, second, more="answers: [decision_model, {model: big/one}]\n"
             "model: {name: systemone/nano}\n")  # fmt: skip
    (passed,) = b.told("answer.passed_on")
    assert "the probability 0.60 of 'clean' is neither a yes (from 0.8) nor" in str(passed.data)
    assert judged(b) == ["pepper: {'clean': False, 'sort_of': 'plate', 'stained': 0.0} by scripted"]


CONTRACT = """\
contract: not_by_rules
each: judged(fact, value, by)
when: fact == 'unsafe' and value < 0.5
require: by != 'offline' and value < 0.2
tell: "{{ value }} is not safe enough."
"""


def test_contracts_judge_its_answers(tmp_path: Path) -> None:
    sent = (answer(unsafe=0.9), answer(unsafe=0.4), answer(unsafe=0.1))
    contract = {"pack/not_by_rules.contract.yaml": CONTRACT}
    b = judged_by(tmp_path, UNSAFE, *sent, node=ONCE, **contract)
    see(b, "gap", **GAPS)
    b.settle()
    refused = [event.data.get("refused") for event in b.told("answered")]
    assert refused.count("0.4 is not safe enough.") == 1
    assert b.fact("unsafe", "R2") == 0.1


def test_rules_that_break_a_contract_leave_it_unknown(tmp_path: Path) -> None:
    contract = {"pack/not_by_rules.contract.yaml": CONTRACT}
    b = judged_by(tmp_path, UNSAFE, node=ONCE, **contract)
    see(b, "gap", **GAPS)
    b.tick(2)
    assert b.fact("unsafe", "R1") == 1.0
    assert b.fact("unsafe", "R2") is None
    assert b.run.root.feedback_message == "Unsafe(R2): 0.0 is not safe enough."


STATE = """\
judge: Mood
about: How people feel.
sees: {last: "chat | last"}
sets:
  mood: {options: {calm: Nobody minds., cross: Somebody does.}}
again: 1m
observation: "{{ last }}"
"""


def test_state_is_set_and_has_its_default_again_when_it_is_old(tmp_path: Path) -> None:
    b = judged_by(tmp_path, STATE, answer(mood="cross"), NEVER)
    b.settle()
    assert b.world.state["mood"] == "cross"
    b.pass_time(60)
    assert b.world.state["mood"] == "calm"


def test_a_person_is_asked_about_one_after_the_other(tmp_path: Path) -> None:
    b = judged_by(tmp_path, UNSAFE, node=ONCE, more="answers: [{person: 30s}]\n")
    see(b, "gap", **GAPS)
    b.run.runtime.paces = True
    b.settle()
    asked = "Whether a robot is too near (%)? Yes: It is within half a metre. No: It is not"
    assert b.said() == [f"{asked.replace('%', 'R1')}: 1 yes, 2 no?"]
    b.say("yes")
    b.settle()
    assert b.said()[1:] == [f"{asked.replace('%', 'R2')}: 1 yes, 2 no?"]
    b.say("no")
    b.settle()
    assert judged(b) == ["R1: {'unsafe': 1.0} by person", "R2: {'unsafe': 0.0} by person"]


def test_a_value_of_the_facts_type_needs_no_form(tmp_path: Path) -> None:
    values = """\
judge: Item
about: What there is to know of it.
for: {item: Item}
when: looks(item) != none
sees: {looks: looks(item)}
sets:
  weight: {about: What it weighs in grams.}
  belongs: {about: Where it belongs.}
"""
    b = judged_by(tmp_path, values, answer(weight=80, belongs="pantry"), node=ONCE)
    see(b, "looks", pepper="a green one")
    b.settle()
    assert (b.fact("weight", "pepper"), b.fact("belongs", "pepper")) == (80, "pantry")
    fields = b.requests[0].schema["properties"]
    assert fields["belongs"]["enum"] == ["pantry", "table"]  # type: ignore[index]
    assert seen(b) == ["item: pepper"]


def test_a_resumed_run_keeps_what_was_judged_and_asks_again_at_its_age(tmp_path: Path) -> None:
    then = "sequence: [{wait: 1s}, {judge: %, keep_running_until_failure: true}]"
    b = judged_by(tmp_path, UNSAFE, answer(unsafe=0.9), answer(unsafe=0.1), node=then,
                  more="again: 10s\n")  # fmt: skip
    see(b, "gap", **GAPS)
    b.pass_time(5)
    records = tuple(record for record in b.journal.records if record.t <= 5)
    clock = VirtualClock(5.0)
    sent = ScriptedTransport({"Unsafe": [answer(unsafe=0.6), answer(unsafe=0.3)]}, clock=clock)
    journal = Journal(io.BytesIO(), records[-1])
    run = Run(b.run.view, clock, journal, b.run.spec, records=records, transport=sent)
    while run.loop.step() or run.inbox.ready():
        pass
    assert not sent.requests
    assert run.world.facts.get("unsafe", ["R1"]).value == 0.9  # type: ignore[union-attr]
    assert clock.next_due() == 11.0
    clock.advance(11.0)
    while run.loop.step() or run.inbox.ready():
        pass
    assert len(sent.requests) == 2
    assert run.world.facts.get("unsafe", ["R1"]).value == 0.6  # type: ignore[union-attr]


def test_a_run_becomes_a_case_about_the_same_thing(tmp_path: Path) -> None:
    then = "sequence: [{judge: %}, {wait: 1h}]"
    b = unsafe(tmp_path, answer(unsafe=0.9), answer(unsafe=0.1), node=then)
    moments = [*find_moments(b.journal.records)]
    assert [(moment.node, moment.path, moment.decision) for moment in moments] == [
        ("Unsafe", "main/Unsafe#R1", {"unsafe": 0.9}),
        ("Unsafe", "main/Unsafe#R2", {"unsafe": 0.1}),
    ]
    run = RecordedRun("run", "test", b.journal.records, tuple(moments))
    decided = run_sync(situation_at(run, moments[1], b.run.view).decide())
    assert (decided.decision, decided.by) == ({"unsafe": 0.0}, "offline")


def test_the_answer_of_a_moment_is_the_one_that_counts_then(tmp_path: Path) -> None:
    always = "sequence: [{judge: %, keep_running_until_failure: true}]"
    b = unsafe(tmp_path, *(answer(unsafe=p) for p in (0.9, 0.1, 0.4)), node=always)
    b.pass_time(4)
    see(b, "gap", R2=0.8)
    b.settle()
    moments = tuple(find_moments(b.journal.records))
    run = RecordedRun("run", "test", b.journal.records, moments)
    first = ["main/Unsafe#R1", "main/Unsafe#R2"]
    assert [moment.path for moment in run.at("t=3.5", "Unsafe")] == first
    assert [moment.decision for moment in run.at("t=9", "Unsafe")] == [{"unsafe": 0.4}]
