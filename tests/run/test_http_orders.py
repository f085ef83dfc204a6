"""Workers that call a real server and end at once: no tree makes a hundred calls at one instant."""

from __future__ import annotations

import http.client
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tests.support.bench import Bench
from tests.support.files import tree
from treec import Host, Outcome, Reported, WorkOrder
from treec.files.view import View
from treec.nodes.pace import MANY, MOST
from treec.run.run import Run
from treec.world.clock import RealClock
from treec.world.journal import Journal
from treec.world.spec import RunSpec


class Server:
    """A gripper behind HTTP: it refuses whatever path begins with `/no`, and counts."""

    def __init__(self) -> None:
        calls = self.calls = Counter[str]()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                calls[self.path] += 1
                self.send_response(503 if self.path.startswith("/no") else 200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None: ...

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True)
        self.thread.start()

    def close(self) -> None:
        """End it."""
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()


class Calls:
    """Calls the server in `start`, and ends with its answer."""

    PORT: ClassVar[int] = 0
    PATH: ClassVar[str] = "/no"

    def start(self, order: WorkOrder, host: Host) -> None:
        """Call, and report."""
        host.finish(order.id, self.ask(order))

    def ask(self, order: WorkOrder) -> Outcome:
        """What the server says."""
        call = http.client.HTTPConnection("127.0.0.1", self.PORT, timeout=10)
        call.request("GET", self.PATH)
        answer = call.getresponse()
        answer.read()
        call.close()
        if answer.status != 200:
            return Outcome(False, Reported(f"refused: {answer.status}"))
        return Outcome(True, None, effects=order.after)

    def cancel(self) -> Outcome:
        """It has ended."""
        return Outcome(False, Reported("cancelled"))


class CallsInThread(Calls):
    """The same in a thread that is announced."""

    def start(self, order: WorkOrder, host: Host) -> None:
        """Begin the thread."""
        work = host.begin_external("gripper")

        def run() -> None:
            with work:
                outcome = self.ask(order)
                work.deliver(lambda: host.finish(order.id, outcome))

        threading.Thread(target=run, daemon=True).start()


class CallsBlocking(Calls):
    """The same, and treec makes the thread."""

    blocks = 10.0


WORKERS = {"at once": Calls, "in a thread": CallsInThread, "blocking": CallsBlocking}

GRIP = """\
skill: grip
about: Close the gripper.
args: {{agent: Robot, level: number or none}}
again: true
after: [holding(agent) == none]
takes: 0s
timeout: 30s
runs: {{symbolic: '{0}:{1}'}}
"""

TREES = {
    "retry": "{GRIP, retry: -1}",
    "many retries": "{GRIP, retry: 90}",
    "repeat": "{GRIP, repeat: -1}",
    "repeat of what may fail": "{GRIP, force_success: true, repeat: -1}",
    "many repeats": "{repeat: 90, sequence: [GRIP_AND_GO_ON]}",
    "then": "{tree: worker}",
    "retry in a retry": "{retry: -1, sequence: [{GRIP, retry: 9}]}",
    "while": "{while: mood != 'tired', repeat: -1, sequence: [GRIP_AND_GO_ON]}",
    "for each": "{for_each: {item: n, in: 'range(90) | list', do: GRIP_AND_GO_ON}}",
    "reactive": "{retry: -1, reactive_sequence: [{check: true}, {GRIP}]}",
    "reactive selector": ("{repeat: -1, reactive_selector: [{GRIP}, {log: no}]}"),
    "a handler": ("{retry: -1, sequence: [{GRIP, on_failure: [{set: {level: 1}}]}]}"),
    "a world that it changes": "{retry: -1, sequence: [FLIP, {GRIP}]}",
    "a neighbour that changes it": (
        "{parallel: {until: never, children: [{repeat: -1, sequence: [FLIP]}, {GRIP, retry: -1}]}}"
    ),
    "never": "{parallel: {until: never, children: [{GRIP}]}}",
}
SHORT = {
    "GRIP_AND_GO_ON": "{GRIP, force_success: true}",
    "GRIP": "skill: grip, with: {agent: R1, level: null}",
    "FLIP": "{set: {level: 1}}, {set: {level: 0}}",
}
for name, text in TREES.items():
    for short, long in SHORT.items():
        text = text.replace(short, long)
    TREES[name] = text

WORKER = "tree: worker\nroot: {skill: grip, with: {agent: R1, level: null}}\nthen: repeat\n"
GOOD = "[{skill: go_to, with: {agent: R2, place: pantry}}, {set: {mood: happy}}, {wait: 1h}]"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server that counts calls."""
    made = Server()
    monkeypatch.setattr(Calls, "PORT", made.http.server_port)
    yield made
    made.close()


def bench(folder: Path, bad: str, worker: type[Calls], others: str = f", {GOOD}") -> Bench:
    """A branch whose worker calls the server, beside a robot that drives for 5 s."""
    files = {
        **tree(f"parallel: {{until: never, children: [{bad}{others}]}}"),
        "pack/worker.tree.yaml": WORKER,
        "pack/grip.skill.yaml": GRIP.format(__name__, worker.__name__),
    }
    for robot in ("R1", "R2"):
        own = "skills: {go_to: {}, pick: {}, place: {}, grip: {}}"
        files[f"pack/{robot}.agent.yaml"] = (
            f"agent: {robot}\nis: Robot\nabout: A robot.\ncan: [get]\n{own}\n"
            "starts: {near: table}\n"
        )
    return Bench(folder / "lib", files)


@pytest.mark.few(10, thorough=1000)
@pytest.mark.parametrize("path", ["/no", "/yes"])
@pytest.mark.parametrize("kind", TREES)
def test_at_one_instant_there_are_few(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch, kind: str, path: str
) -> None:
    monkeypatch.setattr(Calls, "PATH", path)
    b = bench(tmp_path, TREES[kind], Calls)
    b.run.loop.run(until=lambda: b.world.state["mood"] == "happy", deadline=60.0)
    assert b.world.state["mood"] == "happy"
    assert "go_to R2 ok" in b.skills()
    began = Counter(r.t for r in b.told("skill.started") if r.data["skill"] == "grip")
    assert max(began.values()) <= MOST
    assert 1 <= server.calls[path] == sum(began.values()) <= 5 * MOST  # of 4 s


def test_other_arguments_each_time(tmp_path: Path, server: Server) -> None:
    """A counter makes another order of each round; one robot does not do a hundred at once."""
    counted = "[{set: {level: = level + 1}}, {skill: grip, with: {agent: R1, level: $level}}]"
    b = bench(tmp_path, f"{{force_success: true, repeat: -1, sequence: {counted}}}", Calls)
    b.run.loop.run(until=lambda: b.world.state["mood"] == "happy", deadline=60.0)
    began = Counter(r.t for r in b.told("skill.started") if r.data["skill"] == "grip")
    assert max(began.values()) <= MANY
    assert b.world.state["mood"] == "happy"


@pytest.mark.parametrize("name", WORKERS)
def test_however_a_worker_calls(tmp_path: Path, server: Server, name: str) -> None:
    b = bench(tmp_path, TREES["retry"], WORKERS[name])
    b.run.loop.run(until=lambda: b.world.state["mood"] == "happy", deadline=60.0)
    assert 1 <= server.calls["/no"] <= 4
    assert [r.data["times"] for r in b.told("in_vain")] == [3] * (server.calls["/no"] >= 3)


def test_on_the_real_clock_too(tmp_path: Path, server: Server) -> None:
    b = bench(tmp_path, TREES["retry"], Calls)
    view = View(b.library, b.library.find("system", "test"))
    run = Run(view, RealClock(speed=20.0), Journal.in_memory(), RunSpec())
    run.loop.run(until=lambda: run.world.state["mood"] == "happy", deadline=60.0)
    assert run.world.state["mood"] == "happy"
    assert 1 <= server.calls["/no"] <= 5


def test_the_pause_grows_until_the_world_changes(tmp_path: Path, server: Server) -> None:
    b = bench(tmp_path, TREES["retry"], Calls, others="")
    b.run.loop.run(deadline=70.0)
    times = [r.t for r in b.told("skill.started") if r.data["skill"] == "grip"]
    assert times == [0.0, 1.0, 3.0, 7.0, 15.0, 31.0, 63.0]
    (alarm,) = b.told("in_vain")
    assert alarm.event.describe().line == (  # type: ignore[union-attr]
        "! R1's grip has failed 3 times in a row at once: refused: 503"
    )
