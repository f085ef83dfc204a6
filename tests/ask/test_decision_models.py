"""Decision models over real HTTP: what is sent, what is read, and `sparrow-decider` itself."""

from __future__ import annotations

import asyncio
import json
import queue
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

import treec
from tests.ask.questions import GUARD
from tests.support.library import ROOT
from treec.ask.transport import Answer, Message, Request, TransportError
from treec.nodes.events import Decided
from treec_models.decision_models import BASE, LiteLLMDecisions, SystemOne
from treec_models.model_client import FORMS, ModelError, NotReady, NoUse
from treec_models.models import ModelClients
from treec_models.typed_answers import NoTypedAnswer, typed_answer

CRITERIA = {"Cook": "There is work.", "Rest_Now": "There is none."}
CHOICE = {"type": "choice", "instructions": "What to do.", "criteria": CRITERIA}


def question(node: str = "Execution", seen: str = "available: pepper", **typed: Any) -> Request:
    asked = {"questions": typed or {"choose": CHOICE}}
    message = Message("user", f"<data>\n{seen}\n</data>")
    return Request(node, "decision", (message,), asked, {}, asker="run")


@contextmanager
def server(*answers: object, status: int = 200) -> Iterator[tuple[str, list[Any]]]:
    """A server that sends these bodies in turn, the last one again; its address, what it got."""
    got: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            text = self.rfile.read(int(self.headers["content-length"]))
            got.append((self.path, json.loads(text)))
            sent = answers[min(len(got), len(answers)) - 1]
            raw = (sent if isinstance(sent, str) else json.dumps(sent)).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=httpd.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{httpd.server_port}", got
    finally:
        httpd.shutdown()
        thread.join(GUARD)
        httpd.server_close()


def ask(client: Any, *requests: Request, model: str = "systemone/nano") -> list[Any]:
    """The answers to requests that are asked at one moment; errors as they are."""

    async def together() -> Sequence[Any]:
        asked = (client.send(model, one, FORMS[0]) for one in requests)
        found = asyncio.gather(*asked, return_exceptions=True)
        return await asyncio.wait_for(found, GUARD)

    return list(asyncio.run(together()))


def sent(answers: object, **more: Any) -> dict[str, Any]:
    usage = {"input_tokens": 41, "output_tokens": 0}
    return {"model": "nano-1.1", "answers": answers, "usage": usage, **more}


COOK = {"type": "choice", "choice": "Cook", "probabilities": {"Cook": 0.9, "Rest_Now": 0.1}}
SURE = {**COOK, "confidence": 0.8}
READ = {"choice": "Cook", "probabilities": {"Cook": 0.9, "Rest_Now": 0.1}, "confidence": 0.8}


def test_one_question_in_the_form_of_system_one() -> None:
    with server(sent({"choose": SURE})) as (url, got):
        (answer,) = ask(SystemOne("systemone/nano", url), question())
    body = {"model": "nano", "state": "available: pepper", "questions": {"choose": CHOICE}}
    assert got == [("/v1/systemone", body)]
    assert json.loads(answer.text) == {"choose": READ}
    assert (answer.by, answer.input_tokens) == ("systemone/nano@nano-1.1", 41)


def test_what_is_asked_at_one_moment_leaves_in_one_request() -> None:
    answers = {"Decision.choose": SURE, "Recipe.choose": {**SURE, "choice": "Rest_Now"}}
    with server(sent(answers)) as (url, got):
        client = SystemOne("systemone/nano", f"{url}/v1")
        found = ask(client, question("Decision"), question("Recipe", "dish: none"))
    ((_, body),) = got
    assert body["state"] == {"Decision": "available: pepper", "Recipe": "dish: none"}
    assert body["questions"]["Recipe.choose"]["instructions"] == "As 'Recipe' sees it: What to do."
    assert [json.loads(one.text)["choose"]["choice"] for one in found] == ["Cook", "Rest_Now"]
    assert [one.input_tokens for one in found] == [41, None]  # counted once
    assert found[1].tries == ("asked in one request with Decision",)


def test_samples_are_asked_each_alone() -> None:
    with server(sent({"choose": SURE})) as (url, got):
        samples = (replace(question(node), asker=None) for node in ("A", "B"))
        found = ask(SystemOne("systemone/nano", url), *samples)
    assert [one.tries for one in found] == [(), ()]
    assert [list(body["questions"]) for _, body in got] == [["choose"], ["choose"]]


def test_one_state_is_sent_once() -> None:
    with server(sent({"A.choose": SURE, "B.choose": SURE})) as (url, got):
        ask(SystemOne("systemone/nano", url), question("A"), question("B"))
    ((_, body),) = got
    assert body["state"] == "available: pepper"
    assert body["questions"]["A.choose"] == CHOICE


NOUL = {"type": "noul", "instructions": "Is there an act?"}
SCORE = {"type": "score", "instructions": "How safe?", "criteria": ["not", "fairly", "very"]}
PAIRS = [{"value": "Cook", "probability": 0.9}, {"value": "Rest_Now", "probability": 0.1}]
LEVELS = {"0": 0.1, "1": 0.2, "2": 0.7}
GRADE = {"type": "score", "score": 1.6, "legend": {}, "probabilities": LEVELS, "confidence": 0.6}
ANSWERS: dict[str, tuple[Any, Any]] = {
    "Jev, OpenRouter, vLLM": (sent({"choose": SURE}), {"choose": READ}),
    "without a confidence": (sent({"choose": COOK}), {"choose": READ}),
    "an option in another case": (
        sent({"choose": {**SURE, "choice": "rest now", "probabilities": {"rest-now": 1}}}),
        {"choose": {"choice": "Rest_Now", "probabilities": {"Rest_Now": 1}, "confidence": 0.8}},
    ),
    "OpenAI: a list": (
        sent([{"name": "choose", **SURE, "probabilities": PAIRS}]),
        {"choose": READ},
    ),
    "below one more key": ({"result": sent({"choose": SURE})}, {"choose": READ}),
    "numbers as texts": (sent({"choose": {**SURE, "confidence": "0.8"}}), {"choose": READ}),
    "a percentage": (sent({"choose": {**SURE, "confidence": "80%"}}), {"choose": READ}),
    "keys that nobody knows": (sent({"choose": {**SURE, "why": 1}}, id=3), {"choose": READ}),
    "a stream": (f"data: {json.dumps(sent({'choose': SURE}))}\n\n", {"choose": READ}),
    "negative tokens": (sent({"choose": SURE}, usage={"input_tokens": -1}), {"choose": READ}),
}


@pytest.mark.parametrize("form", ANSWERS)
def test_forms_of_an_answer(form: str) -> None:
    body, read = ANSWERS[form]
    with server(body) as (url, _):
        (answer,) = ask(SystemOne("systemone/nano", url), question())
    assert isinstance(answer, Answer)
    assert json.loads(answer.text) == read
    assert form[:4] != "nega" or answer.input_tokens is None


def test_yes_or_no_and_scores() -> None:
    answers = {"stop": {"type": "noul", "noul": 0.93}, "safe": GRADE}
    openai = [{"type": "predicate", "name": "stop", "probability": 0.93}, {**GRADE, "name": "safe"}]
    with server(sent(answers), sent(openai)) as (url, got):
        client = SystemOne("systemone/nano", url)
        found = [ask(client, question(stop=NOUL, safe=SCORE))[0] for _ in range(2)]
    read = {
        "stop": {"noul": 0.93},
        "safe": {"score": 1.6, "probabilities": LEVELS, "confidence": 0.6},
    }
    assert [json.loads(one.text) for one in found] == [read, read]
    assert got[0][1]["questions"] == {"stop": NOUL, "safe": SCORE}


def test_a_score_by_the_name_of_its_level_and_without_a_confidence() -> None:
    named = typed_answer(SCORE, {"score": "Fairly", "probabilities": {"fairly": 0.8}})
    assert named == {
        "score": 1.0,
        "probabilities": {"fairly": 0.8},
        "confidence": pytest.approx(0.7),
    }
    for wrong in ("quite", None, 2.5, -0.1, "nan"):
        with pytest.raises(NoTypedAnswer, match=f"^the score {wrong!r} is not from 0 to 2$"):
            typed_answer(SCORE, {"score": wrong, "confidence": 1})


@pytest.mark.parametrize(
    ("asked", "answer", "why"),
    [
        (CHOICE, None, "there is none"),
        (CHOICE, "Cook", "it is 'Cook'"),
        (SCORE, 2, "it is 2"),
        (CHOICE, {"type": "refusal"}, "the model refuses to answer"),
        (CHOICE, {}, "it names no option"),
        (CHOICE, {"probabilities": {"Fly": 1}}, "it names no option"),
        (CHOICE, {"choice": "Cok"}, "unknown option 'Cok'; did you mean 'Cook'?"),
        (CHOICE, {"probabilities": {"Cook": 2}}, "the probability of Cook is 2"),
        (CHOICE, {**SURE, "confidence": "101 %"}, "the probability of its confidence is '101 %'"),
        (SCORE, {**GRADE, "probabilities": {"1": -1}}, "the probability of 1 is -1"),
        (NOUL, {"noul": 1.5}, "the probability of a yes is 1.5"),
        (NOUL, None, "the probability of a yes is None"),
    ],
)
def test_why_a_typed_answer_is_none(asked: dict[str, Any], answer: object, why: str) -> None:
    with pytest.raises(NoTypedAnswer) as error:
        typed_answer(asked, answer)
    assert str(error.value) == why


REFUSED: dict[str, tuple[Any, type[TransportError], str]] = {
    "a refusal": (sent({"choose": {"type": "refusal"}}), NoUse, "the model refuses to answer"),
    "no answer to it": (sent({}), NoUse, "no answer to 'choose': there is none"),
    "an unknown option": (
        sent({"choose": {**SURE, "choice": "Fly"}}),
        NoUse,
        "unknown option 'Fly'",
    ),
    "no share": (sent({"choose": {**SURE, "confidence": 1.5}}), NoUse, "its confidence is 1.5"),
    "a chat completion": ({"choices": []}, ModelError, "without answers to typed questions"),
    "an error": ({"error": {"message": "no such model"}}, ModelError, "no such model"),
    "half of it": (json.dumps(sent({"choose": SURE}))[:-9], ModelError, "not JSON"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_no_answer(what: str) -> None:
    body, kind, words = REFUSED[what]
    with server(body) as (url, _):
        (error,) = ask(SystemOne("systemone/nano", url), question())
    assert isinstance(error, kind)
    assert words in str(error)


def test_one_answer_that_is_missing_costs_the_others_nothing() -> None:
    with server(sent({"A.choose": SURE, "B.choose": {"type": "refusal"}})) as (url, _):
        good, bad = ask(SystemOne("systemone/nano", url), question("A"), question("B"))
    assert isinstance(good, Answer)
    assert isinstance(bad, NoUse)


def test_a_server_that_knows_the_form_not_says_so_to_all() -> None:
    with server({"error": "bad state"}, status=422) as (url, got):
        found = ask(SystemOne("systemone/nano", url), question("A"), question("B"))
    assert [str(one) for one in found] == ['the server answered 422: {"error": "bad state"}'] * 2
    assert len(got) == 1


def test_an_action_has_no_typed_question() -> None:
    request = Request("Say", "action", (Message("user", "hello"),), {"type": "object"}, {})
    (error,) = ask(SystemOne("systemone/nano", "http://127.0.0.1:9"), request)
    assert str(error) == "systemone/nano answers typed questions only, and an action has none"


def test_it_needs_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(BASE, raising=False)
    with pytest.raises(
        NotReady, match=f"needs the address of its server: .*{BASE} in the environment"
    ):
        ModelClients("systemone/nano").prepare("systemone/nano")


@pytest.mark.thorough
def test_openais_decisions_through_litellm() -> None:
    raw = [
        {"type": "choice", "name": "choose", "choice": "Cook", "confidence": 0.8}
        | {"probabilities": PAIRS},
        {"type": "predicate", "name": "stop", "probability": 0.25},
    ]
    whole = {"id": "d1", "object": "decision", "created": 1, "model": "gpt-d", "answers": raw}
    usage = {"input_tokens": 30, "output_tokens": 2, "total_tokens": 32}
    details = {"input_tokens_details": {}, "output_tokens_details": {}}
    with server({**whole, "usage": {**usage, **details}}) as (url, got):
        client = LiteLLMDecisions("decisions/openai/gpt-d", url)
        client.prepare("decisions/openai/gpt-d")
        asked = question(choose=CHOICE, stop=NOUL)
        (answer,) = ask(client, asked, model="decisions/openai/gpt-d")
    assert isinstance(answer, Answer), answer
    assert json.loads(answer.text) == {"choose": READ, "stop": {"noul": 0.25}}
    ((path, body),) = got
    assert path == "/v1/decisions"
    assert [one["type"] for one in body["questions"]] == ["choice", "predicate"]


@pytest.fixture(scope="module")
def sparrow() -> Iterator[str]:
    """The address of `sparrow-decider serve`, an untrained decision model, on loopback."""
    cli = pytest.importorskip("sparrow_decider.cli")
    made: queue.Queue[ThreadingHTTPServer] = queue.Queue()

    class Served(ThreadingHTTPServer):
        def serve_forever(self, poll_interval: float = 0.01) -> None:
            made.put(self)
            super().serve_forever(poll_interval)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cli, "ThreadingHTTPServer", Served)
        serve = threading.Thread(target=cli.main, args=(["serve", "--port", "0"],), daemon=True)
        serve.start()
        httpd = made.get(timeout=GUARD)
    try:
        yield f"http://127.0.0.1:{httpd.server_port}"
    finally:
        httpd.shutdown()
        serve.join(GUARD)
        httpd.server_close()


@pytest.mark.thorough
def test_a_real_decision_model_answers(sparrow: str) -> None:
    asked = question(choose=CHOICE, stop=NOUL, safe=SCORE)
    (answer,) = ask(SystemOne("systemone/any", sparrow), asked)
    read = json.loads(answer.text)
    assert read["choose"]["choice"] in CRITERIA
    assert sum(read["choose"]["probabilities"].values()) == pytest.approx(1, abs=0.01)
    assert 0 <= read["stop"]["noul"] <= 1
    assert 0 <= read["safe"]["score"] <= 2
    assert answer.by.startswith("systemone/nano@sparrow-nano")


@pytest.mark.thorough
def test_a_kitchen_is_decided_by_a_real_decision_model(sparrow: str) -> None:
    library = treec.open(ROOT)
    run = library.run("mosaic", scenario="impatient_user", model="systemone/any", api_base=sparrow)
    decided = [one.event for one in run.events if isinstance(one.event, Decided)]
    by_model = [one for one in decided if one.by.startswith("systemone/any@")]
    assert by_model
    assert all(one.confidence is not None and one.probabilities for one in by_model)
    assert run.ok  # the rules overrule what leads nowhere
