"""What the page may do to the run of its process: talk to it, stop its robots; and nothing else."""

from __future__ import annotations

import asyncio
import json
import random
import threading
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from tests.run.test_stop_button import BOTH
from tests.serve.client import HOST, OWN, TOKEN, Get, sender
from tests.support.bench import Bench
from tests.support.files import tree
from tests.support.tiers import many
from treec.run.live_run import MAX_WORDS, MOST, WITHIN, LiveRun, TooMuch
from treec_serve.app import MAX_BODY, MAX_QUEUE, READERS, make_app
from treec_serve.runs import RunArchive


class Live:
    """A run of two robots, a page over it, and a time that only tests move."""

    def __init__(self, folder: Path) -> None:
        self.bench = Bench(folder, tree(BOTH))
        self.bench.pass_time(1)
        self.time = 0.0
        self.run = LiveRun("here", self.bench.run, monotonic=lambda: self.time)
        self.app = make_app(folder, TOKEN, (HOST,), lambda: self.run)
        self.send: Get = sender(self.app)

    def post(self, what: str, body: object = None, **headers: str) -> httpx.Response:
        content = json.dumps(body if body is not None else {}).encode()
        return self.send(f"/{TOKEN}/live/{what}", "POST", content, **{**OWN, **headers})


@pytest.fixture
def live(tmp_path: Path) -> Live:
    """The run and its page."""
    return Live(tmp_path)


def test_words_are_heard_as_the_persons(live: Live) -> None:
    assert live.post("say", {"text": " <b>hello</b> \n you "}).status_code == 200
    live.bench.tick()
    (said,) = live.bench.told("said")
    assert (said.data["who"], said.data["text"]) == ("user", "<b>hello</b> you")


def test_one_click_stops_all_robots_and_another_lets_them_go_on(live: Live) -> None:
    assert live.post("stop").status_code == 200
    live.bench.tick()
    told = live.send(f"/{TOKEN}/live").json()
    assert (told["run"], told["over"], told["stopped"]) == ("here", False, ["R1", "R2"])
    assert [e.data["cancelled"] for e in live.bench.told("skill.ended")] == [True, True]
    assert live.post("go_on").status_code == 200
    live.bench.pass_time(20)
    assert live.send(f"/{TOKEN}/live").json()["stopped"] == []


def test_a_stop_does_not_wait_for_readers(live: Live) -> None:
    """More is read at once than the server does at once; a stop goes past all of it."""

    async def ask() -> tuple[int, list[int]]:
        transport = httpx.ASGITransport(app=cast("Any", live.app))
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:
            reads = [
                asyncio.create_task(client.get(f"/{TOKEN}/runs")) for _ in range(MAX_QUEUE + 10)
            ]
            await asyncio.sleep(0)
            stop = await client.post(f"/{TOKEN}/live/stop", headers=OWN, content=b"{}")
            return stop.status_code, [answer.status_code for answer in await asyncio.gather(*reads)]

    stop, reads = asyncio.run(ask())
    assert stop == 200
    assert reads[0] == reads[-1] == 200
    assert set(reads) == {200, 503}


def test_of_too_many_readers_the_newest_is_answered(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was refused while those waited whose clients had long gone: pages stayed empty."""
    begun, go_on = threading.Semaphore(0), threading.Event()
    original = RunArchive.listing

    def read_slowly(self: RunArchive) -> object:
        begun.release()
        assert go_on.wait(60)
        return original(self)

    monkeypatch.setattr(RunArchive, "listing", read_slowly)

    async def ask() -> list[int]:
        transport = httpx.ASGITransport(app=cast("Any", live.app))
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:

            async def get() -> int:
                return (await client.get(f"/{TOKEN}/runs")).status_code

            async with asyncio.TaskGroup() as group:
                reads = [group.create_task(get()) for _ in range(READERS)]
                for _ in reads:
                    await asyncio.to_thread(begun.acquire, timeout=60)
                reads += [group.create_task(get()) for _ in range(MAX_QUEUE + 2)]
                refused = reads[READERS : READERS + 2]
                await asyncio.wait(refused)
                go_on.set()
            return [task.result() for task in reads]

    assert asyncio.run(ask()) == READERS * [200] + 2 * [503] + MAX_QUEUE * [200]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": ""}, 403),
        ({"host": "evil.example"}, 403),
        ({"content-type": "text/plain"}, 415),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
        ({"content-type": ""}, 415),
    ],
)
@pytest.mark.parametrize("what", ["say", "stop"])
def test_only_the_page_gives_orders(
    what: str, headers: dict[str, str], status: int, live: Live
) -> None:
    body = {"text": "hello", "did": "pause"}
    assert live.post(what, body, **headers).status_code == status
    assert not live.bench.run.inbox.ready()


def test_the_token_is_needed(live: Live) -> None:
    assert live.send("/wrong/live/stop", "POST", b"{}", **OWN).status_code == 403
    assert live.send(f"/{TOKEN}/live/stop").status_code == 405
    assert not live.bench.run.inbox.ready()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{}", 400),
        (b"[]", 400),
        (b"null", 400),
        (b'{"text": 1}', 400),
        (b'{"text": "  "}', 400),
        (b'{"text": ["a"]}', 400),
        (b"\xff", 400),
        (b"[" * 5000, 400),
        (json.dumps({"text": "a" * (MAX_WORDS + 1)}).encode(), 429),
        (json.dumps({"text": "a" * MAX_BODY}).encode(), 413),
    ],
)
def test_what_is_no_utterance_is_not_said(body: bytes, status: int, live: Live) -> None:
    answer = live.send(f"/{TOKEN}/live/say", "POST", body, **OWN)
    assert answer.status_code == status
    assert not live.bench.run.inbox.ready()


def test_half_a_pair_of_characters_does_not_break_the_journal(live: Live) -> None:
    assert live.send(f"/{TOKEN}/live/say", "POST", b'{"text": "a \\ud800 b"}', **OWN).is_success
    live.bench.tick()
    (said,) = live.bench.told("said")
    assert said.data["text"] == "a ? b"
    refused = live.post("debug", {"did": "inject", "about": "fail \ud800"})
    assert (refused.status_code, "unknown skill '?'" in refused.text) == (400, True)


def test_more_words_than_anybody_types_are_not_heard(live: Live) -> None:
    for _ in range(MOST):
        live.run.say("a")
    with pytest.raises(
        TooMuch, match=f"^more than {MOST} utterances in {WITHIN:g} s are not heard$"
    ):
        live.run.say("a")
    with pytest.raises(TooMuch, match=f"^more than {MAX_WORDS} characters cannot be said at once$"):
        live.run.say("a" * (MAX_WORDS + 1))
    assert live.post("stop").status_code == 200  # a stop always is
    live.time += WITHIN
    live.run.say("a")


def test_a_run_that_has_ended_takes_nothing(live: Live) -> None:
    live.run.end()
    orders = [("say", {"text": "hello"}), ("stop", {}), ("go_on", {}), ("debug", {"did": "pause"})]
    assert [live.post(*order).status_code for order in orders] == [409, 409, 409, 409]
    assert not live.bench.run.inbox.ready()


def test_without_a_run_of_its_own_the_page_only_reads(tmp_path: Path) -> None:
    send = sender(make_app(tmp_path, TOKEN, (HOST,)))
    assert send(f"/{TOKEN}/live").json() is None
    assert send(f"/{TOKEN}/live/stop", "POST", b"{}", **OWN).status_code == 409


def test_whoever_debugs_gives_orders_in_words(live: Live) -> None:
    assert live.post("debug", {"did": "inject", "about": "unknown at(pepper)"}).status_code == 200
    assert live.post("debug", {"did": "inject", "about": "mock */go_to=R"}).status_code == 200
    live.bench.pass_time(20)
    assert [event.by for event in live.bench.told("injected")] == ["page", "page"]
    assert live.bench.fact("at", "pepper") == "unknown"
    assert live.send(f"/{TOKEN}/live").json()["debug"]["mocks"] == ["*/go_to=R"]
    ended = [(e.data["agent"], "cancelled" in e.data) for e in live.bench.told("skill.ended")]
    assert ended == [("R1", True), ("R2", False)]  # whose node is go_to#2
    assert "fail go_to" in live.send(f"/{TOKEN}/live/faults").json()


@pytest.mark.parametrize(
    ("body", "status", "problem"),
    [
        ({}, 400, "an order is sent as"),
        ({"did": 1}, 400, "an order is sent as"),
        ({"did": "pause", "about": None}, 400, "an order is sent as"),
        ({"did": "explode"}, 400, "unknown order 'explode'"),
        ({"did": "inject", "about": "fail go_too"}, 400, "did you mean 'go_to'?"),
        ({"did": "pause at", "about": "go_too"}, 400, "did you mean 'go_to'"),
        ({"did": "inject", "about": "x" * (MAX_WORDS + 1)}, 429, "at most"),
    ],
)
def test_what_is_no_order_changes_nothing(
    body: dict[str, object], status: int, problem: str, live: Live
) -> None:
    answer = live.post("debug", body)
    assert (answer.status_code, problem in answer.text) == (status, True), answer.text
    assert not live.bench.run.inbox.ready()


def test_more_orders_than_anybody_gives_are_not_taken(live: Live) -> None:
    for _ in range(MOST):
        live.run.debug("go on", "")
    with pytest.raises(TooMuch, match=f"^more than {MOST} orders in {WITHIN:g} s are not heard$"):
        live.run.debug("go on", "")
    with pytest.raises(TooMuch, match=f"^an order has at most {MAX_WORDS} characters$"):
        live.run.debug("pause at", "a" * (MAX_WORDS + 1))
    live.run.say("a")
    live.run.stop()


def hostile(rng: random.Random) -> tuple[str, str, bytes, dict[str, str]]:
    """A request with something wrong about it."""
    names = ("<img src=x onerror=alert(1)>", "../../etc/passwd", "%00", "a" * 3000, "\u202e", "'--")
    good = f"/{TOKEN}/live/{rng.choice(['say', 'stop', 'go_on', 'debug'])}"
    name = str(httpx.QueryParams(path=rng.choice(names)))
    origin = {"origin": rng.choice(["http://evil.example", "null", "file://", HOST])}
    big = b'{"text":"' + b"a" * rng.randrange(MAX_BODY, 4 * MAX_BODY) + b'"}'
    junk = rng.randbytes(rng.randrange(200))
    return rng.choice(
        [
            (good, "POST", b'{"text": "stop"}', {**OWN, **origin}),
            (good, "POST", b'{"text": "stop"}', {**OWN, "host": "evil.example"}),
            (good.replace(TOKEN, "guess"), "POST", b'{"text": "stop"}', OWN),
            (good, "POST", b"text=stop", {**OWN, "content-type": "text/plain"}),
            (good, rng.choice(["GET", "PUT", "DELETE", "PATCH", "OPTIONS"]), b"{}", OWN),
            (f"/{TOKEN}/live/say", "POST", big, OWN),
            (f"/{TOKEN}/live/say", "POST", junk, OWN),
            (f"/{TOKEN}/live/debug", "POST", junk, OWN),
            (f"/{TOKEN}/live/debug", "POST", b'{"did": "inject", "about": "mock <i>=S"}', OWN),
            (f"/{TOKEN}/runs/{name}/at", "GET", b"", {}),
            (f"/{TOKEN}/runs/here/node?{name}", "GET", b"", {}),
            (f"/{TOKEN}/runs/here/prompt?{name}&n=99999999999999999999", "GET", b"", {}),
            (f"/{TOKEN}/compare?one={name}", "GET", b"", {}),
            (f"/{TOKEN}/{name}", "GET", b"", {}),
        ]
    )


def test_hostile_requests_leave_the_run_as_it_was(live: Live) -> None:
    rng = random.Random(7)
    before = live.bench.journal.text()

    async def ask() -> set[int]:
        transport = httpx.ASGITransport(app=cast("Any", live.app))
        found = set()
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:
            for _ in range(many(1000, 200)):
                path, method, body, headers = hostile(rng)
                answer = await client.request(method, path, content=body, headers=headers)
                found.add(answer.status_code)
        return found

    statuses = asyncio.run(ask())
    assert statuses <= {400, 403, 404, 405, 413, 414, 415}
    assert not live.bench.run.inbox.ready()
    assert live.bench.journal.text() == before
    assert live.bench.run.runtime.arbiter.holds_all is False
