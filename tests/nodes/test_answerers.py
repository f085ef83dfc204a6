"""Who answers a decision, in order, and what is recorded of those who pass on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from py_trees.common import Status

from tests.nodes.test_decide import bench, choose, steps
from tests.support.bench import Answers, Bench
from treec.ask.transport import Answer, TransportError
from treec.team.language import shipped_language
from treec_asking.answerers import named_option

RULES = """\
offline:
  - {when: level == 1, choose: A}
"""


def decision(answers: str, more: str = RULES) -> str:
    return (
        "decision: D\nabout: What to do.\nsees: [level]\nrecalls: [chat]\n"
        f"options: {{A: The first., B: The second.}}\nfallback: B\nanswers: {answers}\n{more}"
    )


def typed(choice: str, confidence: float) -> str:
    chances = {"A": 0.1, "B": 0.1, choice: 0.9}
    return json.dumps(
        {"choose": {"choice": choice, "probabilities": chances, "confidence": confidence}}
    )


def ordered(folder: Path, order: str, *sent: object, level: int = 3) -> Bench:
    answers: Answers = {"D": sent}  # type: ignore[dict-item]
    b = bench(folder, decision=decision(order), answers=answers)
    b.set(level=level)
    b.settle()
    return b


def passed(b: Bench) -> list[str]:
    return [f"{e.data['by']}: {e.data['why']}" for e in b.told("answer.passed_on")]


def who(b: Bench) -> list[str]:
    return [f"{e.data['choose']} by {e.data['by']}" for e in b.told("decided")]


MIXED = "[rules, {decision_model: nano, sure: 0.9}, {model: big/one}]"


def test_rules_answer_first_and_nobody_is_asked(tmp_path: Path) -> None:
    b = ordered(tmp_path, MIXED, level=1)
    assert who(b) == ["A by offline"]
    assert not b.requests
    assert not passed(b)


def test_a_decision_model_is_asked_typed_questions_about_what_the_node_sees(
    tmp_path: Path,
) -> None:
    b = ordered(tmp_path, MIXED, typed("B", 0.95))
    (request,) = b.requests
    question = {"type": "choice", "instructions": "What to do."}
    criteria = {"A": "The first.", "B": "The second."}
    assert request.schema == {"questions": {"choose": {**question, "criteria": criteria}}}
    assert request.model == "systemone/nano"
    assert [message.role for message in request.messages] == ["user"]
    (made,) = b.told("decided")
    assert made.data["confidence"] == 0.95
    assert made.data["probabilities"] == {"A": 0.1, "B": 0.9}
    assert b.told("answered")[0].data["probabilities"] == {"A": 0.1, "B": 0.9}
    assert passed(b) == ["rules: no rule holds"]


def test_who_is_not_sure_passes_on_to_the_next(tmp_path: Path) -> None:
    b = ordered(tmp_path, MIXED, typed("B", 0.4), choose("A"))
    assert [request.model for request in b.requests] == ["systemone/nano", "big/one"]
    assert passed(b)[1:] == ["systemone/nano: its confidence 0.40 is below 0.9"]
    assert who(b) == ["A by scripted"]
    assert b.told("answered")[0].data["refused"] == "its confidence 0.40 is below 0.9"


def test_the_next_is_asked_where_one_fails_and_the_rules_where_all_do(tmp_path: Path) -> None:
    b = ordered(tmp_path, MIXED, TransportError("down"), TransportError("away"))
    assert passed(b)[1:] == ["systemone/nano: down", "big/one: away"]
    assert who(b) == ["B by fallback"]
    assert [e.data["model"] for e in b.told("model.lost")] == ["systemone/nano", "big/one"]


def test_a_chat_model_is_asked_no_typed_question(tmp_path: Path) -> None:
    b = bench(
        tmp_path,
        decision=decision("[decision_model, {model: a/b}]"),
        answers={"D": [choose("A")]},
    )
    b.run.runtime.model = "openai/x"
    b.set(level=3)
    b.settle()
    assert passed(b) == ["decision_model: no decision model is chosen"]
    assert who(b) == ["A by scripted"]


def test_a_typed_answer_that_is_none_is_not_asked_for_again(tmp_path: Path) -> None:
    b = ordered(tmp_path, MIXED, typed("C", 0.99), choose("B"))
    assert "which is no option" in passed(b)[1]
    assert who(b) == ["B by scripted"]


def test_a_model_that_says_nothing_of_its_confidence_is_not_sure(tmp_path: Path) -> None:
    b = ordered(tmp_path, "[{model: big/one, sure: 0.5}]", choose("A"))
    assert passed(b) == ["big/one: it says nothing of its confidence, which must be 0.5"]


def test_a_second_model_answers_where_the_first_has_no_valid_answer(tmp_path: Path) -> None:
    wrong = choose("Nobody")
    b = ordered(tmp_path, "[{model: a/b}, {model: c/d}]", wrong, wrong, wrong, choose("B"))
    assert [request.model for request in b.requests] == ["a/b"] * 3 + ["c/d"]
    assert who(b) == ["B by scripted"]


def asked_person(folder: Path, *words: str) -> Bench:
    b = bench(folder, decision=decision("[rules, {person: 30s}]"))
    b.set(level=3)
    b.settle()
    assert b.said() == ["What to do: 1 a (The first), 2 b (The second)?"]
    assert b.run.root.status is Status.RUNNING
    for text in words:
        b.say(text)
    b.settle()
    return b


def test_a_person_chooses_by_number(tmp_path: Path) -> None:
    assert who(asked_person(tmp_path, "the second one")) == ["B by person"]


def test_words_that_name_no_option_are_no_answer(tmp_path: Path) -> None:
    b = asked_person(tmp_path, "What a lovely day")
    assert passed(b)[1:] == ["person: 'What a lovely day' names no option"]
    assert who(b) == ["B by fallback"]


def test_a_stop_is_no_answer_and_stays_to_be_heard(tmp_path: Path) -> None:
    b = asked_person(tmp_path)
    person = next(agent.name for agent in b.team.now.agents.values() if agent.person)
    b.emit("said", who=person, text="Stop, the second", id="u9")
    stop = {"id": "u9.1", "kind": "stop", "quote": "Stop", "utterance": "u9"}
    b.emit("acts.read", utterances=["u9"], acts=[stop])
    b.settle()
    assert passed(b)[1:] == ["person: 'Stop, the second' is a stop, and no answer"]
    assert [act.kind for act in b.team.now.acts] == ["stop"]


@pytest.mark.parametrize(
    ("text", "answers"), [("fetch crate 2", False), ("the second to the shelf", False), ("B", True)]
)
def test_an_order_is_no_answer_unless_it_is_an_option(
    tmp_path: Path, text: str, answers: bool
) -> None:
    b = asked_person(tmp_path)
    person = next(agent.name for agent in b.team.now.agents.values() if agent.person)
    b.emit("said", who=person, text=text, id="u9")
    order = {"id": "u9.1", "kind": "request", "quote": text, "utterance": "u9", "task": "get"}
    b.emit("acts.read", utterances=["u9"], acts=[order])
    b.settle()
    no = f"person: {text!r} is an order, and no answer"
    assert passed(b)[1:] == ([] if answers else [no])
    assert [act.kind for act in b.team.now.acts] == ([] if answers else ["request"])


def two_questions(folder: Path, drive: str = "person", lift: str = "person") -> Bench:
    one = (
        "decision: {0}\nabout: {0}.\nsees: []\nrecalls: [chat]\n"
        "options: {{{1}: One., {2}: Two.}}\nfallback: {1}\nanswers: [{3}]\n"
    )
    b = bench(
        folder,
        root="parallel: [{ask: Drive}, {ask: Lift}]",
        more={
            "pack/Drive.decision.yaml": one.format("Drive", "Go", "Wait", drive),
            "pack/Lift.decision.yaml": one.format("Lift", "Raise", "Leave", lift),
            **{f"pack/{n}.tree.yaml": steps(n, "S") for n in ("Go", "Wait", "Raise", "Leave")},
        },
    )
    b.settle()
    return b


@pytest.mark.parametrize(
    ("words", "first"),
    [("2", "Lift: 2"), ("the second", "Lift: 2"), ("Wait", "Drive: 2"), ("drive 1", "Drive: 1")],
)
def test_words_answer_one_of_two_questions_and_the_other_is_asked_again(
    tmp_path: Path, words: str, first: str
) -> None:
    b = two_questions(tmp_path)
    drive, lift = b.said()
    b.say(words)
    b.settle()
    options = {"Drive": ("Go", "Wait"), "Lift": ("Raise", "Leave")}
    decision, number = first.split(": ")
    assert who(b) == [f"{options[decision][int(number) - 1]} by person"]
    assert b.said() == [drive, lift, drive if decision == "Lift" else lift]
    b.say("2")
    b.settle()
    assert len(who(b)) == 2
    assert b.run.root.status is Status.SUCCESS


def test_a_question_that_was_not_answered_in_time_takes_no_words(tmp_path: Path) -> None:
    b = two_questions(tmp_path, "{person: 10s}", "{person: 30s}")
    b.pass_time(20)
    assert who(b) == ["Go by fallback"]
    asked = b.said()
    b.say("wait")
    b.settle()
    assert b.said() == asked
    assert passed(b)[1:] == ["person: 'wait' names no option"]


def test_a_person_who_says_nothing_passes_on(tmp_path: Path) -> None:
    b = asked_person(tmp_path)
    b.pass_time(31.0)
    assert passed(b)[1:] == ["person: nobody has answered within 30 s"]


def test_a_halted_question_to_a_person_is_over(tmp_path: Path) -> None:
    b = asked_person(tmp_path)
    b.nodes["main"].stop(Status.INVALID)
    b.settle()
    assert len(b.said()) == 2  # asked anew
    b.say("2")
    b.settle()
    assert who(b) == ["B by person"]


@pytest.mark.parametrize("words", ["not the second", "What is 2?", "first or second", "3"])
def test_denials_questions_and_several_options_are_no_answer(words: str) -> None:
    assert named_option(words, ("Dock_Robot", "Go_On"), shipped_language()) is None


@pytest.mark.parametrize(
    "words", ["dock robot", "Please dock robot now", "1", "the first", "No. 1"]
)
def test_an_option_is_named(words: str) -> None:
    assert named_option(words, ("Dock_Robot", "No"), shipped_language()) == "Dock_Robot"


def test_an_answer_of_a_model_may_be_sure(tmp_path: Path) -> None:
    class Local:
        async def ask(self, request: object) -> Answer:
            return Answer(json.dumps(choose("A")), "local@1", confidence=0.8)

    b = bench(tmp_path, decision=decision("[{model: local/x, sure: 0.7}]"), answers={})
    b.transport.ask = Local().ask  # type: ignore[union-attr, method-assign]
    b.set(level=3)
    b.settle()
    assert b.told("decided")[0].data["confidence"] == 0.8
