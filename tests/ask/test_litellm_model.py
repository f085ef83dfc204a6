"""Providers that only LiteLLM speaks to, by its documented `acompletion`, against a fake one."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.ask.questions import QUESTION, SCHEMA, ask, script
from treec.ask.limits import Limits
from treec.ask.transport import Message, TooLarge, TransportError, Unavailable
from treec_asking.extract import find_object
from treec_fake_model.thread import FakeModelThread
from treec_models import litellm_model, prices
from treec_models.litellm_model import LiteLLMModel, load_litellm
from treec_models.model_client import ModelError, NotReady
from treec_models.models import CannotAsk, ModelChoice, ModelClients, open_model
from treec_models.openai_chat import OpenAIChat

CANARY = "sk-canary-0123456789abcdef"
COOK = {"reasoning": "so", "choose": "Cook"}
CLAUDE = "anthropic/claude-sonnet-4-5"


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", CANARY)


def root(server: FakeModelThread) -> str:
    """The server's address for Anthropic's interface."""
    return server.url.removesuffix("/v1")


@pytest.mark.thorough
def test_an_answer_by_schema_says_who_gave_it_and_what_it_took() -> None:
    with FakeModelThread(script({"answer": COOK, "tokens": (100, 20)})) as server:
        (answer,) = ask(root(server), model=CLAUDE)
        (asked,) = server.model.asked
    assert find_object(answer.text) == COOK
    assert answer.by.startswith(f"{CLAUDE}@")
    assert (answer.input_tokens, answer.output_tokens) == (100, 20)
    assert answer.cost == pytest.approx(100 * 3e-6 + 20 * 15e-6)
    assert asked.dialect == "anthropic"
    assert asked.schema is not None
    assert asked.schema["properties"].keys() == SCHEMA["properties"].keys()  # type: ignore[attr-defined]
    assert asked.headers["x-api-key"] == CANARY


@pytest.mark.thorough
def test_a_busy_server_is_asked_once_and_may_be_asked_again() -> None:
    with FakeModelThread(script({"status": 429, "retry_after": 7})) as server:
        with pytest.raises(Unavailable) as busy:
            ask(root(server), model=CLAUDE)
        assert len(server.model.asked) == 1  # nobody below has tried again
    assert busy.value.retry_after == 7


@pytest.mark.thorough
def test_an_answer_that_is_too_large_is_refused() -> None:
    with FakeModelThread(script({"size": "2MB"})) as server, pytest.raises(TooLarge):
        ask(root(server), model=CLAUDE)


@pytest.mark.few(2)
@pytest.mark.parametrize("raw", ["", "garbage", '{"a": ', "{}", "[]", "<html>"])
def test_garbage_is_a_short_error_and_no_crash(raw: str) -> None:
    with FakeModelThread(script({"raw": raw})) as server, pytest.raises(TransportError) as error:
        ask(root(server), model=CLAUDE)
    assert len(str(error.value)) < 600
    assert "Traceback" not in str(error.value)
    assert "litellm." not in str(error.value)


def test_cancelled_it_closes_the_connection() -> None:
    async def go(server: FakeModelThread) -> None:
        asking = asyncio.ensure_future(ModelClients(CLAUDE, root(server)).ask(QUESTION))
        while server.model.waiting < 1:
            await asyncio.sleep(0)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)

    with FakeModelThread(script({"hold": True})) as server:
        asyncio.run(go(server))
        assert server.wait_for(lambda model: len(model.dropped) == 1)


def test_nothing_is_logged_or_told(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    refusal = json.dumps({"error": {"message": f"Incorrect API key provided: {CANARY}"}})
    with FakeModelThread(script({"times": 1}, {"status": 401, "raw": refusal})) as server:
        with caplog.at_level(logging.DEBUG):
            ask(root(server), model=CLAUDE)
            with pytest.raises(ModelError):
                ask(root(server), model=CLAUDE)
        printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "")
    assert CANARY not in caplog.text


@pytest.mark.slow
def test_its_import_reads_no_env_file_and_fetches_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a process without the network: any look-up or connection is an error."""
    code = """
import os, socket
def refuse(*args, **kwargs): raise SystemExit("it went to the network")
socket.getaddrinfo = socket.create_connection = refuse
from treec_models.litellm_model import load_litellm
load_litellm()
print(os.environ.get("FROM_ENV_FILE"))
"""
    (tmp_path / ".env").write_text("FROM_ENV_FILE=read\n")
    monkeypatch.setenv("LITELLM_MODE", "DEV")
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.stderr) == ("None", "")


def client_of(model: str) -> type[Any]:
    clients = ModelClients(model)
    clients.prepare(model)
    return type(clients._by_model[model])


def test_openais_interface_has_its_own_client_and_all_else_goes_through_litellm() -> None:
    assert client_of("openai/gpt-4o-mini") is OpenAIChat
    assert client_of("ollama/llama3.1") is OpenAIChat
    assert client_of("openai/o1-pro") is LiteLLMModel  # served by the responses interface only
    assert client_of(CLAUDE) is LiteLLMModel


def test_a_node_with_a_model_of_its_own_is_asked_at_that_models_provider() -> None:
    with FakeModelThread({"model": "m-7", **script({"answer": COOK})}) as server:
        own = replace(QUESTION, model="openai/other")
        answers = ask(server.url, QUESTION, own)
        assert [one.model for one in server.model.asked] == ["fake", "other"]
        assert server.model.connections == 1  # the models of a provider share connections
    assert [one.by for one in answers] == ["openai/fake@m-7", "openai/other@m-7"]


def test_what_nodes_ask_for_themselves_is_made_ready_before_the_first_deadline(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    prepared: list[str] = []
    prepare = ModelClients.prepare

    def listen(clients: ModelClients, model: str) -> None:
        prepared.append(model)
        prepare(clients, model)

    monkeypatch.setattr(ModelClients, "prepare", listen)
    open_model(ModelChoice("ollama/x"), ["openai/y", "nobody/z"])  # the last says so when asked
    assert prepared == ["ollama/x", "openai/y", "nobody/z"]


def test_without_the_package_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    load_litellm.cache_clear()
    monkeypatch.setattr(litellm_model, "find_spec", lambda name: None)
    monkeypatch.setattr(prices, "_read_list", dict)
    with pytest.raises(NotReady, match=r"litellm.*pip install 'treec\[models\]'"):
        load_litellm()
    with pytest.raises(CannotAsk, match="litellm"):
        open_model(ModelChoice(CLAUDE))
    open_model(ModelChoice("openai/gpt-4o-mini"))  # needs none, and has no price
    with pytest.raises(CannotAsk, match="no price of openai/gpt-4o-mini is known"):
        open_model(ModelChoice("openai/gpt-4o-mini", limits=Limits(cost=1.0)))


def test_a_provider_that_nobody_knows_is_refused() -> None:
    with pytest.raises(NotReady, match="'nobody/x': unknown provider 'nobody'"):
        LiteLLMModel("nobody/x").prepare("nobody/x")


def test_what_stays_the_same_is_marked_for_a_cache_that_wants_marks() -> None:
    roles = ("system", "user", "assistant", "user")
    messages = [Message(role, role) for role in roles]  # type: ignore[arg-type]
    marked = litellm_model._messages(CLAUDE, messages)
    assert ["cache_control" in str(one["content"]) for one in marked] == [True, False, True, False]
    plain = litellm_model._messages("gemini/gemini-flash", messages)
    assert [one["content"] for one in plain] == list(roles)
    assert litellm_model._messages(CLAUDE, [Message("user", "hi")])[0]["role"] == "user"
