"""Servers as they are: each kind of odd response over real HTTP, and what is done about it.

The table in docs/models.md is made of this one and of what really happens.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from tests.ask.questions import GUARD, QUESTION, SCHEMA
from tests.docs.pages import ROOT
from treec.ask.transport import Answer, TransportError
from treec_asking.extract import NoObject
from treec_asking.prompt import read_answer
from treec_fake_model.thread import FakeModelThread
from treec_models.model_client import AccountError, NoUse, RequestRefused
from treec_models.models import ModelClients
from treec_models.retry import RetryTransport
from treec_models.server_errors import status_error

COOK = {"reasoning": "so", "choose": "Cook"}
TEXT = json.dumps(COOK)
USED = "used"
PAGE = ROOT / "docs" / "models.md"
BEGIN, END = "<!-- odd servers: begin -->\n", "<!-- odd servers: end -->"


def said(
    message: Mapping[str, Any] | str, reason: str = "stop", stop_reason: str = "", **more: Any
) -> dict[str, Any]:
    """A case whose body is a chat completion with this message."""
    whole = {"content": message} if isinstance(message, str) else message
    ended = {"finish_reason": reason, "stop_reason": stop_reason}
    choice = {"index": 0, "message": {"role": "assistant", **whole}, **ended}
    return body({"model": "odd-1", "choices": [choice], "usage": PAID, **more})


def body(data: object, **more: Any) -> dict[str, Any]:
    return {"raw": data if isinstance(data, str) else json.dumps(data), **more}


def call(arguments: object) -> dict[str, Any]:
    return {"function": {"name": "Execution", "arguments": arguments}}


def stream(*deltas: Mapping[str, Any], end: str = "stop", done: str = "[DONE]") -> dict[str, Any]:
    pieces = [{"choices": [{"delta": one}]} for one in deltas]
    pieces.append({"choices": [{"delta": {}, "finish_reason": end or None}]})
    lines = [f"data: {json.dumps(one)}" for one in pieces] + ([f"data: {done}"] if done else [])
    return body(": ping\n\n" + "\n\n".join(lines) + "\n\n", content_type="text/event-stream")


def events(*pieces: Mapping[str, Any]) -> dict[str, Any]:
    """A stream whose pieces have types, as those of Anthropic and of OpenAI's responses."""
    lines = [f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in pieces]
    return body("".join(lines), content_type="text/event-stream")


HALF = TEXT[:-3]
PAID = {"prompt_tokens": 90, "completion_tokens": 7}
WRITTEN = {"type": "message", "content": [{"type": "output_text", "text": TEXT}]}
MIDDLE = [{"content": TEXT[:9]}, {"content": TEXT[9:]}]
RATE = {"error": {"message": "slow down", "code": 429}}
QUOTA = {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}
FILTER = {"error": {"message": "jailbreak found", "code": "content_filter"}}

KINDS: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("`content` is a list of parts", said({"content": [{"type": "text", "text": TEXT}]}), USED),
    (
        "… with a thought before the text",
        said({"content": [{"type": "thinking", "text": "{"}, {"type": "text", "text": TEXT}]}),
        USED,
    ),
    ("… of strings", said({"content": [TEXT[:5], TEXT[5:]]}), USED),
    ("`content` is an object", said({"content": COOK}), USED),
    ("no `choices`, one `message`", body({"message": {"content": TEXT}}), USED),
    ("Anthropic's form", body({"role": "assistant", "content": [{"text": TEXT}]}), USED),
    (
        "Gemini's",
        body({"candidates": [{"content": {"parts": [{"text": TEXT}]}, "finishReason": "STOP"}]}),
        USED,
    ),
    (
        "that of OpenAI's responses",
        body({"output": [WRITTEN]}),
        USED,
    ),
    (
        "Bedrock's",
        body({"output": {"message": {"content": [{"text": TEXT}]}}, "stopReason": "end_turn"}),
        USED,
    ),
    ("`generated_text`, `output_text`, …", body([{"generated_text": TEXT}]), USED),
    ("a completion below `data`, in a list", body([{"data": {"choices": [{"text": TEXT}]}}]), USED),
    ("`text` instead of `message`", body({"choices": [{"text": TEXT}]}), USED),
    (
        "JSON only in `reasoning_content`",
        said({"content": "", "reasoning_content": f"Well: {TEXT}"}),
        USED,
    ),
    ("JSON only in `reasoning`", said({"content": None, "reasoning": TEXT}), USED),
    ("… in parts that are thoughts", said({"content": [{"type": "thinking", "text": TEXT}]}), USED),
    ("… in `<think>`", said(f"<think>{TEXT}</think>"), USED),
    ("JSON in `tool_calls`", said({"content": None, "tool_calls": [call(TEXT)]}), USED),
    ("… as an object", said({"content": "", "tool_calls": [call(COOK)]}), USED),
    ("… beside words", said({"content": "I call it.", "tool_calls": [call(TEXT)]}), USED),
    ("… as a part", said({"content": [{"type": "tool_use", "input": COOK}]}), USED),
    (
        "two calls that differ",
        said({"tool_calls": [call('{"choose": "Rest"}'), call(TEXT)]}),
        "asked again: it must be a JSON object, not a list",
    ),
    ("JSON in `function_call`", said({"function_call": call(TEXT)["function"]}), USED),
    ("JSON within a string of JSON", said(json.dumps(TEXT)), USED),
    ("a list of one object", said(json.dumps([COOK])), USED),
    ("below one more key", said(json.dumps({"answer": COOK})), USED),
    (
        "as the arguments of a call, in words",
        said(json.dumps({"name": "Execution", "arguments": TEXT})),
        USED,
    ),
    ("trailing commas", said('{"reasoning": "so", "choose": "Cook",}'), USED),
    ("comments", said('{"reasoning": "so", // yes\n "choose": "Cook" /* or */}'), USED),
    ("Python's spelling", said("{'reasoning': None, 'choose': 'Cook'}"), USED),
    ("JavaScript's", said("{reasoning: null, choose: 'Cook'}"), USED),
    ("an escaped apostrophe", said('{"reasoning": "it\\\'s so", "choose": "Cook"}'), USED),
    ("typographic quotes", said(TEXT.replace('"', "\u201c")), USED),
    ("line breaks in strings", said('{"reasoning": "so\nit is", "choose": "Cook"}'), USED),
    ("an option in another case", said('{"choose": "COOK"}'), USED),
    ("… with blanks, `_`, `-`", said('{"choose": " co-ok_"}'), USED),
    ("… in quotes, with a full stop", said(json.dumps({"choose": '"Cook."'})), USED),
    ("… in a list of one", said('{"choose": ["Cook"]}'), USED),
    ("a field in another case", said('{"Reasoning": "so", "Choose": "Cook"}'), USED),
    ("fields that nobody knows", said(json.dumps({**COOK, "sure": 0.9})), USED),
    ("a `reasoning` that is no text", said('{"reasoning": ["so"], "choose": "Cook"}'), USED),
    ("a stream that was not requested", stream(*MIDDLE), USED),
    (
        "… of a call",
        stream(*({"tool_calls": [{"index": 0, **call(part)}]} for part in (TEXT[:9], TEXT[9:]))),
        USED,
    ),
    (
        "… of Anthropic's",
        events(
            *({"type": "content_block_delta", "delta": {"text": t}} for t in (TEXT[:9], TEXT[9:])),
            {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
        ),
        USED,
    ),
    (
        "… of OpenAI's responses",
        events(
            {"type": "response.output_text.delta", "delta": TEXT},
            {"type": "response.completed", "response": {"output": [WRITTEN]}},
        ),
        USED,
    ),
    ("… that breaks off", stream(*MIDDLE, end="", done=""), "3 requests: broke off"),
    (
        "lines before an answer",
        body(": wait\n\n" + json.dumps({"choices": [{"message": {"content": TEXT}}]}, indent=1)),
        USED,
    ),
    ("… with an error in it", body(f"data: {json.dumps(RATE)}\n\n"), "3 requests: slow down"),
    ("`refusal`", said({"content": None, "refusal": "I cannot."}), "refuses to answer: I cannot."),
    (
        "… as a part",
        said({"content": [{"type": "refusal", "refusal": "No."}]}),
        "refuses to answer: No.",
    ),
    (
        "… in words",
        said("I'm sorry, but I can't help with that."),
        "refuses to answer: I'm sorry, but I can't help with that.",
    ),
    ("`content_filter`", said("", "content_filter"), "filter holds the answer back"),
    (
        "… as `stop_reason: content-filter`",
        said("", "", stop_reason="content-filter"),
        "filter holds the answer back",
    ),
    ("… with a part of the answer", said(HALF, "content_filter"), "filter holds the answer back"),
    (
        "… as Gemini's `blockReason`",
        body({"promptFeedback": {"blockReason": "SAFETY"}, "usage": PAID}),
        "filter holds the answer back",
    ),
    ("… with status 400", body(FILTER, status=400), "400: jailbreak found"),
    ("`length`, and nothing", said({"content": ""}, "length"), "as many tokens as it may"),
    ("`length`, and half an object", said(HALF, "length"), "as many tokens as it may"),
    (
        "… as OpenAI's `incomplete_details`",
        body({"output": [], "incomplete_details": {"reason": "max_output_tokens"}, "usage": PAID}),
        "as many tokens as it may",
    ),
    ("`length`, and the whole object", said(TEXT, "length"), USED),
    ("… in a fence", said(f"```json\n{TEXT}\n```", "length"), USED),
    ("`error`, and half an object", said(HALF, "error"), "3 requests: broke the answer off"),
    ("half an object", said(HALF), "asked again: it ends in the middle: it was cut off."),
    (
        "half an object in `reasoning_content`",
        said({"content": "", "reasoning_content": HALF}),
        "asked again: it ends in the middle",
    ),
    (
        "an object in a broken one",
        said('{"old": {"choose": "Cook"}, "choose": Rest}'),
        "asked again: it is not JSON",
    ),
    ("two objects in a list", said(json.dumps([COOK, COOK])), "asked again: it must be a JSON"),
    ("a list that breaks off", said(f"[{TEXT}"), "asked again: it ends in the middle"),
    ("nothing", said(""), "asked again: it is empty."),
    ("200 with an error", body({"error": "model not loaded"}), "error: model not loaded"),
    ("… of a busy server", body(RATE), "3 requests: slow down"),
    ("… by name", body({"error": {"message": "no", "type": "server_error"}}), "3 requests: no"),
    ("… in words", body({"error": "Rate limit reached"}), "3 requests: Rate limit reached"),
    ("… beside it", body({"status": 503, "message": "not now"}), "3 requests: not now"),
    ("… as a page", body("<h1>502 Bad Gateway</h1>"), "3 requests: Bad Gateway</h1> (3 tries)"),
    (
        "… in a choice",
        body({"choices": [{"error": {"message": "down", "code": 502}}]}),
        "3 requests: down",
    ),
    ("… of an empty account", body(QUOTA), "error: You exceeded your quota"),
    ("429 of an empty account", body(QUOTA, status=429), "429: You exceeded your quota"),
    ("429", {"status": 429}, "3 requests: the server answered 429"),
    (
        "`retry-after-ms`",
        {"status": 429, "headers": {"retry-after-ms": "70"}},
        "3 requests: waits of 0.07 s",
    ),
    (
        "… or the like in the body",
        body({"error": {"details": [{"retryDelay": "0.03s"}]}}, status=429),
        "3 requests: waits of 0.03 s",
    ),
    (
        "a model that it has not",
        body({"error": "model 'o3.2' not found"}, status=404),
        "404: model",
    ),
    ("401", {"status": 401}, "the server answered 401"),
    (
        "negative numbers of tokens",
        said(TEXT, usage={"prompt_tokens": -5, "completion_tokens": -1}),
        "used, without a count",
    ),
)


def outcome(case: dict[str, Any]) -> str:
    """What comes of a question to a server that always answers so."""
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def ask(url: str) -> Answer:
        transport = RetryTransport(ModelClients("lm_studio/odd", url), sleep=sleep)
        return await transport.ask(replace(QUESTION, timeout=GUARD))

    with FakeModelThread({"cases": [case]}) as server:
        try:
            answer = asyncio.run(ask(server.url))
            data = read_answer(answer, SCHEMA)
        except NoObject as error:
            assert len(server.model.asked) == 1
            return f"asked again: {error}"
        except TransportError as error:
            requests = len(server.model.asked)
            if requests == 1:
                unpaid = isinstance(error, NoUse) and error.spent.input_tokens != 90
                return f"the rules decide{' unpaid' * unpaid}: {error}"
            told = f"waits of {waits[0]:g} s" if waits[0] != 0.5 else str(error)
            return f"{requests} requests: {told}"
    assert data["choose"] == "Cook"
    assert len(server.model.asked) == 1
    if "usage" not in case["raw"]:
        return USED
    return USED if answer.input_tokens == 90 else "used, without a count"


@pytest.mark.parametrize(("kind", "case", "told"), KINDS, ids=[one[0] for one in KINDS])
def test_a_kind(kind: str, case: dict[str, Any], told: str) -> None:
    came = outcome(case)
    assert (came == told) if told == USED else (told.split(": ")[-1] in came)
    assert came.split(": ")[0] == told.split(": ")[0] or came.startswith("the rules decide")
    rows = PAGE.read_text("utf-8").partition(BEGIN)[2].partition(END)[0]
    assert f"| {kind} | {words_of(came)} |" in rows or os.environ.get("TREEC_REWRITE") == "1"


def test_only_a_missing_model_is_one() -> None:
    """All else with these statuses is asked again in another form."""
    for told in ("The model `o-4.1` does not exist", "o/3 is not a valid model ID"):
        assert isinstance(status_error(404, told, None, ""), AccountError)
    told = "This model does not support tools: field 'x' not found"
    assert isinstance(status_error(400, told, None, ""), RequestRefused)


def words_of(came: str) -> str:
    how, _, why = came.partition(": ")
    requests = "asked three times in all, then the rules decide"
    how = {"asked again": "asked again with the reason", "3 requests": requests}.get(how, how)
    return f"{how}: *{why}*" if why else how


def test_the_page_has_the_table() -> None:
    if os.environ.get("TREEC_REWRITE") != "1":
        assert PAGE.read_text("utf-8").partition(BEGIN)[2].count("\n| ") >= len(KINDS)
        return
    rows = [f"| {kind} | {words_of(outcome(case))} |\n" for kind, case, _ in KINDS]
    table = "| the server sends | what is done |\n|---|---|\n" + "".join(rows)
    before, begin, rest = PAGE.read_text("utf-8").partition(BEGIN)
    PAGE.write_text(before + begin + table + END + rest.partition(END)[2], "utf-8")
