"""A stubborn model always gives the same wrong answer: the conversation ends all the same."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.support.tiers import first_fast
from tests.systems.mosaic.table import Table
from treec.ask.transport import Answer, Request, TransportError
from treec.team.state import FINISHED
from treec_asking.override_policy import REST

Answers = Callable[[Request], Mapping[str, Any] | None]

DISH = "Let's make fruit salad."
UTTERANCES = 40
"""How much a person may have to say; without a model they say 8 things."""

DECISIONS = {
    "Decision": ["Recipe", "Overall_Clarify", "Execution", "Interrupt_Subtask"],
    "Recipe": ["Clarify_Recipe", "Suggest_Alternative_Recipe"],
    "Execution": [
        "Modify_Subtask",
        "Overall_Clarify",
        "Confirm_Subtask",
        "No_op",
        "Ask_Again",
        "Interrupt_Subtask",
    ],
}
CHOICES = [(node, choice) for node, choices in DECISIONS.items() for choice in choices]

HM = {"actions": [{"say": {"claims": [{"is": "unclear"}]}}]}
WORDS = {"actions": [{"say": {"message": "Hm."}}]}
NOTHING: Mapping[str, Any] = {"actions": []}
AGAIN = {"actions": [{"propose": {"agent": "R2", "subtask": "get yoghurt"}}]}
UNASKED = {"actions": [{"assign": {"agent": "R2", "subtasks": ["get yoghurt"], "because": None}}]}
ACTIONS = [
    ("Say_Finished", HM),
    ("Confirm_Subtask", AGAIN),
    ("Modify_Subtask", HM),
    ("Modify_Subtask", WORDS),
    ("Set_Recipe", HM),
    ("Confirm_Subtask", NOTHING),
    ("Modify_Subtask", NOTHING),
    ("Modify_Subtask", UNASKED),
    ("Modify_Subtask", AGAIN),
    ("Confirm_Subtask", HM),
    ("No_op", AGAIN),
]


class Stubborn:
    """Answers by ``answers``; where that gives None, the model is down and the rules answer."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self.asked = 0

    async def ask(self, request: Request) -> Answer:
        """The answer. Raises TransportError where there is none."""
        self.asked += 1
        answer = self.answers(request)
        if answer is None:
            raise TransportError("the model is down")
        return Answer(json.dumps({"reasoning": "", **answer}), by="stubborn")


def options(request: Request) -> list[str]:
    schema: Any = request.schema
    return list(schema["properties"]["choose"]["enum"])


def cook(answers: Answers, asks: str | None = None) -> Table:
    """Somebody cooks, says yes to all that is proposed, and does their part, until it is done."""
    table = Table(transport=Stubborn(answers), asks=asks)
    for _ in range(UTTERANCES):
        now = table.run.team.now
        if not table.run.world.state["recipe"]:
            table.say(DISH)
        elif table.proposed():
            table.say("Yes.")
        elif own := [s.words for s in now.agents["user"].queue if s.ready or s.agent]:
            table.say(f"I have done this: {own[0]}.")
        elif all(s.status in FINISHED for s in now.subtasks.values()):
            table.pass_time(REST)
            return table
        elif any(agent.current for agent in now.agents.values()):
            table.pass_time(10)
        else:
            table.say("What is next?")
    raise AssertionError(table.told())


@pytest.mark.thorough
def test_without_a_model_it_is_cooked() -> None:
    table = cook(lambda request: None)
    assert "The Fruit Salad is ready" in table.told()[-1]
    assert not table.happened("overruled")


@pytest.mark.parametrize("always", first_fast(CHOICES, 1), ids=str)
def test_a_decision_that_is_always_the_same_comes_to_an_end(always: tuple[str, str]) -> None:
    node, choice = always

    def answer(request: Request) -> Mapping[str, Any] | None:
        insists = request.node == node and choice in options(request)
        return {"choose": choice} if insists else None

    table = cook(answer, asks="always")
    assert "The Fruit Salad is ready" in table.told()[-1]
    by = [one["by"] for one in table.happened("decided") if one["node"].endswith(f"/{node}")]
    assert "stubborn" in by


@pytest.mark.thorough
@pytest.mark.parametrize("node", sorted(DECISIONS))
def test_a_decision_whose_answers_are_all_refused_is_made_by_the_rules(node: str) -> None:
    table = cook(lambda request: {"choose": "Dance"} if request.node == node else None)
    assert table.told() == cook(lambda request: None).told()


@pytest.mark.parametrize("always", first_fast(ACTIONS, 1), ids=str)
def test_an_action_that_is_always_the_same_comes_to_an_end(
    always: tuple[str, Mapping[str, Any]],
) -> None:
    node, answer = always
    table = cook(lambda request: answer if request.node == node else None)
    assert "The Fruit Salad is ready" in table.told()[-1]


@pytest.mark.thorough
def test_a_reading_that_hears_nothing_but_remarks_is_overruled() -> None:
    def answer(request: Request) -> Mapping[str, Any] | None:
        if request.kind != "reading":
            return None
        said = request.messages[-1].content.partition("now they said:")[2].strip()
        quote = re.sub(r"</?data[^>]*>", "", said.splitlines()[0]).strip()
        return {"acts": [{"kind": "remark", "quote": quote}]}

    assert "The Fruit Salad is ready" in cook(answer).told()[-1]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.few(1, thorough=3)
def test_a_model_that_answers_at_random_comes_to_an_end(seed: int) -> None:
    rng = random.Random(seed)

    def answer(request: Request) -> Mapping[str, Any] | None:
        if request.kind == "decision":
            return {"choose": rng.choice(options(request))}
        if request.kind == "action":
            return rng.choice([HM, NOTHING, AGAIN, UNASKED, {"x": 1}])
        return None

    assert "The Fruit Salad is ready" in " ".join(cook(answer).told())


def test_people_are_told_once_that_rules_decide() -> None:
    table = cook(lambda request: HM if request.node == "Modify_Subtask" else None)
    told = [text for text in table.told() if "standard rules" in text]
    assert told == ["I am getting nowhere like this, so I will follow my standard rules."]
    first = next(one for one in table.happened("overruled"))
    assert (first["by"], first["answer"]) == ("stubborn", "say(message=Sorry, I did not get that.)")
