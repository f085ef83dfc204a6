"""OpenAI's chat interface against a server on loopback: every way in which an answer comes."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from tests.ask.questions import GUARD, QUESTION, SCHEMA, ask, script
from treec.ask.asker import deliver_answer
from treec.ask.transport import Answer, TooLarge, TransportError, Unavailable
from treec.world.clock import RealClock
from treec.world.inbox import Inbox
from treec_asking.driver import ThreadedAsker
from treec_asking.extract import find_object
from treec_fake_model.thread import FakeModelThread
from treec_models import http_client
from treec_models.http_client import HttpClient
from treec_models.model_client import ModelError, NotReady
from treec_models.openai_chat import OpenAIChat

ROOT = Path(__file__).resolve().parents[2]
CANARY = "sk-canary-0123456789abcdef"
COOK = {"reasoning": "so", "choose": "Cook"}


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", CANARY)


class Threaded:
    """Asks as a run does: in a thread, the answer through the inbox."""

    def __init__(self, url: str, **options: object) -> None:
        self.inbox = Inbox(RealClock())
        self.asker = ThreadedAsker(OpenAIChat("openai/fake", url), self.inbox, **options)  # type: ignore[arg-type]
        self.got: list[Answer | Exception] = []

    def start(self, deadline: float | None = None) -> object:
        return self.asker.start(QUESTION, self.got.append, deadline)

    def drain(self) -> None:
        for message in self.inbox.drain():
            deliver_answer(message)


@pytest.fixture
def threaded() -> Iterator[type[Threaded]]:
    made: list[Threaded] = []

    class Kept(Threaded):
        def __init__(self, url: str, **options: object) -> None:
            super().__init__(url, **options)
            made.append(self)

    yield Kept
    for one in made:
        one.asker.close()


def test_an_answer_by_schema_says_who_gave_it_and_what_it_took() -> None:
    spoken = {"answer": COOK, "tokens": (100, 20)}
    with FakeModelThread({"model": "gpt-4o-mini-2024", **script(spoken)}) as server:
        (answer,) = ask(server.url, model="openai/gpt-4o-mini")
        (asked,) = server.model.asked
    assert json.loads(answer.text) == COOK
    assert answer.by == "openai/gpt-4o-mini@gpt-4o-mini-2024"
    assert (answer.input_tokens, answer.output_tokens) == (100, 20)
    assert answer.cost == pytest.approx(100 * 0.15e-6 + 20 * 0.6e-6)
    assert answer.seconds is not None
    assert answer.seconds > 0
    assert (asked.node, asked.schema, asked.brings_schema) == ("Execution", SCHEMA, True)
    assert asked.body["response_format"]["json_schema"]["strict"] is True
    assert asked.headers["authorization"] == f"Bearer {CANARY}"
    assert [m["role"] for m in asked.body["messages"]] == ["system", "user"]


def test_what_is_sent_is_openais_request_and_nothing_else() -> None:
    with FakeModelThread() as server:
        ask(server.url, replace(QUESTION, temperature=0.5))
        (asked,) = server.model.asked
    form = {"name": "Execution", "schema": SCHEMA, "strict": True}
    assert asked.body == {
        "model": "fake",
        "messages": [
            {"role": "system", "content": "You help in a kitchen."},
            {"role": "user", "content": "available: get pepper"},
        ],
        "response_format": {"type": "json_schema", "json_schema": form},
        "temperature": 0.5,
    }
    assert set(asked.headers) == {
        *("host", "accept", "accept-encoding", "content-type", "content-length"),
        *("user-agent", "authorization"),
    }


def test_a_price_that_nobody_knows_is_not_made_up() -> None:
    with FakeModelThread() as server:
        assert ask(server.url)[0].cost is None


@pytest.mark.parametrize("wrap", ["fence", "prose", "markup"])
def test_a_server_that_takes_no_schema_is_told_it_in_words_from_then_on(wrap: str) -> None:
    cases = script({"no_schema": True}, {"answer": COOK, "wrap": wrap})
    with FakeModelThread(cases) as server:
        answers = ask(server.url, QUESTION, QUESTION)
        asked = server.model.asked
    assert [find_object(one.text) for one in answers] == [COOK, COOK]
    assert [one.brings_schema for one in asked] == [True, False, False]
    assert asked[1].schema is not None
    assert asked[1].schema["properties"] == SCHEMA["properties"]
    assert asked[1].body["messages"][0]["content"].startswith("You help in a kitchen.\n\nAnswer")


def test_a_server_that_refuses_a_temperature_is_asked_without() -> None:
    refusal = '{"error": {"message": "temperature is not supported"}}'
    cases = script({"status": 400, "raw": refusal, "times": 2}, {"answer": COOK})
    with FakeModelThread(cases) as server:
        ask(server.url, replace(QUESTION, temperature=0.0))
        asked = server.model.asked
    assert [one.body.get("temperature") for one in asked] == [0.0, 0.0, None]
    assert asked[2].brings_schema


def test_what_is_refused_in_any_form_is_an_error_with_the_servers_words() -> None:
    with FakeModelThread(script({"status": 400, "raw": '{"error": {"message": "no"}}'})) as server:
        with pytest.raises(ModelError, match="the server answered 400: no"):
            ask(server.url)
        assert len(server.model.asked) == 2


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ("", "the server answered 200 with an empty body"),
        ("garbage", "the server answered 200 with a body that is not JSON: garbage"),
        ('{"a": ', 'the server answered 200 with a body that is not JSON: {"a":'),
        ("{}", "the server answered 200 without a chat completion: {}"),
        ('{"choices": []}', "the server answered 200 without a chat completion"),
        (
            '{"choices": [{"message": {"content": [1]}}]}',
            "the server answered 200 without a chat completion",
        ),
        ("[" * 300, "the server answered 200 with a body that is not JSON: [[["),
    ],
)
def test_what_is_no_answer_is_told_as_it_came_and_no_parser_speaks(raw: str, told: str) -> None:
    with FakeModelThread(script({"raw": raw})) as server, pytest.raises(TransportError) as error:
        ask(server.url)
    assert str(error.value).startswith(told)
    assert len(str(error.value)) < 250
    for inside in ("Traceback", "Expecting value", "httpx", "char 0"):
        assert inside not in str(error.value)


@pytest.mark.parametrize(
    "model", ["ollama/llama3", "ollama_chat/llama3", "hosted_vllm/x", "lm_studio/x", "openai/x"]
)
def test_each_provider_with_this_interface_is_asked_by_schema_and_bounded(model: str) -> None:
    cases = script({"answer": COOK, "times": 1}, {"status": 429, "retry_after": 7, "times": 1})
    with FakeModelThread({"cases": [*cases["cases"], {"size": "100MB"}]}) as server:
        url = server.url.removesuffix("/v1") if model.startswith("ollama") else server.url
        (answer,) = ask(url, model=model)
        assert find_object(answer.text) == COOK
        assert answer.by.startswith(f"{model}@")
        with pytest.raises(Unavailable) as busy:
            ask(url, model=model)
        assert busy.value.retry_after == 7
        with pytest.raises(TooLarge):
            ask(url, model=model)
        assert server.model.asked[0].schema is not None


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_once_and_may_be_asked_again(status: int) -> None:
    with FakeModelThread(script({"status": status, "retry_after": 3})) as server:
        with pytest.raises(Unavailable, match=f"the server answered {status}") as error:
            ask(server.url)
        assert len(server.model.asked) == 1  # nobody below has tried again
    assert error.value.retry_after == 3


@pytest.mark.parametrize("cut", [0, 60])
def test_an_answer_that_is_cut_off_may_be_asked_for_again(cut: int) -> None:
    with FakeModelThread(script({"cut_off": cut})) as server:
        with pytest.raises(Unavailable, match=r"closed the connection|broke"):
            ask(server.url)
        assert len(server.model.asked) == 1


def test_a_server_that_is_not_there_may_come_back() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: connections are refused
        with pytest.raises(Unavailable) as error:
            ask(f"http://127.0.0.1:{taken.getsockname()[1]}/v1")
    assert str(error.value) == "the server cannot be reached: Connection refused"


@contextmanager
def answering(raw: bytes) -> Iterator[str]:
    """A server that says these bytes to one peer, whatever it asks; its host and port."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with server.accept()[0] as peer:
                peer.recv(65536)
                peer.sendall(raw)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        thread.join(GUARD)


def test_a_server_without_tls_is_told_without_the_insides_of_libraries() -> None:
    raw = b"HTTP/1.1 400 Bad Request\r\n\r\n"
    with answering(raw) as address, pytest.raises(Unavailable) as error:
        ask(f"https://{address}/v1")
    assert str(error.value).startswith("the server cannot be ")
    assert "ssl" not in str(error.value)
    assert "127.0.0.1" not in str(error.value)


def test_a_server_that_speaks_no_http_is_told_so() -> None:
    raw = b"220 mail.example ESMTP\r\n\r\n"
    with (
        answering(raw) as address,
        pytest.raises(Unavailable, match="the server does not speak HTTP"),
    ):
        ask(f"http://{address}/v1")


@pytest.mark.parametrize("raw", ["\x00\u00ffgarbage", "", "{}", "[]", '{"choices": []}', "<html>"])
def test_garbage_is_an_error_and_no_crash(raw: str) -> None:
    with FakeModelThread(script({"raw": raw})) as server, pytest.raises(TransportError):
        ask(server.url)


def test_an_empty_answer_is_an_answer() -> None:
    with FakeModelThread(script({"answer": ""})) as server:
        assert ask(server.url)[0].text == ""


def test_a_hundred_megabytes_are_refused_while_they_come() -> None:
    with FakeModelThread(script({"answer": COOK, "times": 1}, {"size": "100MB"})) as server:
        ask(server.url)  # what is loaded at the first request is not the answer's doing
        tracemalloc.start()
        try:
            with pytest.raises(TooLarge, match="at most 4,000,000"):
                ask(server.url)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert server.wait_for(lambda model: len(model.dropped) == 1)  # the connection is closed
    assert peak < 40_000_000


def test_forty_requests_wait_at_once(threaded: type[Threaded]) -> None:
    with FakeModelThread(script({"hold": True, "answer": COOK})) as server:
        one = threaded(server.url)
        for _ in range(40):
            one.start()
        assert server.wait_for(lambda model: model.waiting == 40)
        server.let_go()
        while len(one.got) < 40:
            assert one.inbox.wait(GUARD)
            one.drain()
    assert all(isinstance(answer, Answer) for answer in one.got)


def test_a_late_answer_is_a_timeout_and_its_connection_is_closed(threaded: type[Threaded]) -> None:
    expire: list[object] = []

    class ByHand:
        def __init__(self, seconds: float, action: object) -> None:
            assert seconds == 5.0
            expire.append(action)

        def cancel(self) -> None: ...

    with FakeModelThread(script({"hold": True})) as server:
        one = threaded(server.url, watchdog=ByHand)
        one.start(5.0)
        assert server.wait_for(lambda model: model.waiting == 1)
        expire[0]()  # type: ignore[operator]
        one.drain()
        assert [str(error) for error in one.got] == ["no answer within 5 s"]
        assert server.wait_for(lambda model: len(model.dropped) == 1)


@pytest.mark.thorough
def test_its_own_deadline_holds_where_no_driver_keeps_one() -> None:
    async def late(url: str) -> None:
        await OpenAIChat("openai/fake", url).ask(replace(QUESTION, timeout=1.0))

    with FakeModelThread(script({"hold": True})) as server:
        with pytest.raises(TimeoutError, match="no answer within 1 s"):
            asyncio.run(late(server.url))
        assert server.wait_for(lambda model: len(model.dropped) == 1)


def test_cancelled_it_closes_the_connection_and_stays_silent(threaded: type[Threaded]) -> None:
    with FakeModelThread(script({"hold": True})) as server:
        one = threaded(server.url)
        handle = one.start()
        assert server.wait_for(lambda model: model.waiting == 1)
        handle.cancel()  # type: ignore[attr-defined]
        assert server.wait_for(lambda model: len(model.dropped) == 1)
        server.let_go()
        assert not one.asker.busy
        assert not one.inbox.ready()
    assert one.got == []


def test_nothing_is_logged_or_told_or_left_behind(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    threads = threading.active_count()
    refusal = f'{{"error": {{"message": "Incorrect API key provided: {CANARY}"}}}}'
    with FakeModelThread(script({"times": 1}, {"status": 401, "raw": refusal})) as server:
        with caplog.at_level(logging.DEBUG):
            ask(server.url)
            with pytest.raises(ModelError):
                ask(server.url)
        printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "")
    assert CANARY not in caplog.text
    assert threading.active_count() <= threads + 1  # asyncio's pool for looking up names


def test_openai_is_asked_at_its_own_address_on_the_account_that_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No network: the wire ends in the test."""
    seen: list[httpx.Request] = []

    async def body() -> AsyncIterator[bytes]:
        yield b'{"model": "m", "choices": [{"message": {"content": "{}"}}]}'

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, content=body())

    wire = httpx.MockTransport(answer)
    monkeypatch.setenv("OPENAI_ORG_ID", "org-7")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    http = HttpClient(lambda: wire)
    asyncio.run(OpenAIChat("openai/gpt-4o-mini", http=http).ask(QUESTION))
    (request,) = seen
    assert str(request.url) == "https://api.openai.com/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {CANARY}"
    assert request.headers["openai-organization"] == "org-7"
    assert "openai-project" not in request.headers


def test_a_proxy_that_the_environment_names_is_gone_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with FakeModelThread(script({"answer": COOK})) as server:
        monkeypatch.setenv("http_proxy", server.url.removesuffix("/v1"))
        monkeypatch.delenv("no_proxy", raising=False)
        (answer,) = ask("http://model.invalid/v1")  # a name that nobody can look up
    assert find_object(answer.text) == COOK


@pytest.mark.parametrize("driven", ["asyncio", "thread"])
def test_its_connections_close_with_the_loop_and_nothing_is_left_to_complain(driven: str) -> None:
    code = """
import asyncio, sys, threading
from treec_asking.driver import ThreadedAsker
from treec_models.openai_chat import OpenAIChat
from treec.world.clock import RealClock
from treec.world.inbox import Inbox
from tests.ask.questions import QUESTION
url, driven = sys.argv[1:]
model = OpenAIChat("openai/fake", url)
if driven == "asyncio":
    print(asyncio.run(model.ask(QUESTION)).by)
else:
    inbox = Inbox(RealClock())
    asker = ThreadedAsker(model, inbox)
    asker.start(QUESTION, lambda answer: print(answer.by), 30.0)
    inbox.wait(30.0)
    inbox.drain()[0].payload()
    asker.close()
    assert threading.active_count() <= 2, threading.enumerate()
assert "litellm" not in sys.modules, "165 MB that nobody needs"
"""
    with FakeModelThread() as server:
        done = subprocess.run(
            [sys.executable, "-X", "dev", "-c", code, server.url, driven],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
    assert done.stdout.strip() == "openai/fake@fake", done.stderr
    assert "nclosed" not in done.stderr
    assert done.returncode == 0, done.stderr


def test_requests_share_a_connection_one_after_another_and_none_at_once() -> None:
    with FakeModelThread(script({"times": 3}, {"hold": True})) as server:
        model = OpenAIChat("openai/fake", server.url)

        async def go() -> None:
            for _ in range(3):
                await model.ask(QUESTION)
            assert server.model.connections == 1
            both = asyncio.gather(model.ask(QUESTION), model.ask(QUESTION))
            while server.model.waiting < 2:
                await asyncio.sleep(0)
            server.let_go()
            await both

        asyncio.run(asyncio.wait_for(go(), GUARD))
        assert server.model.connections == 2


def test_one_client_asks_in_one_loop_after_another() -> None:
    with FakeModelThread() as server:
        model = OpenAIChat("openai/fake", server.url)
        for _ in range(2):
            assert asyncio.run(model.ask(QUESTION)).by == "openai/fake@fake"


@pytest.mark.parametrize(
    ("model", "address", "says"),
    [
        ("openai/x", "127.0.0.1:8000", "http://HOST:PORT/v1"),
        ("openai/x", "ftp://127.0.0.1", "http://HOST:PORT/v1"),
        ("openai/x", "http://host:port/v1", "http://HOST:PORT/v1"),
        ("openai/x", "http://me:hunter2@host/v1", "http://HOST:PORT/v1"),
        (
            "openai/x",
            None,
            "asking openai/x needs OPENAI_API_KEY in the environment, or --api-base",
        ),
        (
            "hosted_vllm/x",
            None,
            "asking hosted_vllm/x needs --api-base, or HOSTED_VLLM_API_BASE in the environment",
        ),
    ],
)
def test_what_is_missing_or_wrong_is_said_before_anything_is_sent(
    model: str, address: str | None, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HOSTED_VLLM_API_BASE"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(NotReady, match=re.escape(says)) as error:
        OpenAIChat(model, address).prepare(model)
    assert "hunter2" not in str(error.value)


def test_a_key_that_no_header_may_hold_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-one\nsk-two")
    with pytest.raises(NotReady) as error:
        OpenAIChat("openai/x").prepare("openai/x")
    assert str(error.value) == "OPENAI_API_KEY holds a character that no HTTP header may hold"


def test_without_the_package_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_client, "find_spec", lambda name: None)
    with pytest.raises(NotReady, match=r"httpx.*pip install 'treec\[models\]'"):
        OpenAIChat("openai/x").prepare("openai/x")
