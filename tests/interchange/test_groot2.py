"""Monitors of BehaviorTree.CPP attach to a run: `btview`, and a client that asks for everything."""

from __future__ import annotations

import json
import random
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.support.bench import Bench

zmq = pytest.importorskip("zmq")
pytest.importorskip("msgpack")
btview = pytest.importorskip("btview.client")

from py_trees.common import Status  # noqa: E402

from treec.run.events import Ticked, TreeBegun  # noqa: E402
from treec.run.status_recorder import path_of  # noqa: E402
from treec.world.journal import Record  # noqa: E402
from treec_interchange.groot2 import MAX_TRANSITIONS, SILENT, Groot2Publisher  # noqa: E402

BOUND = 30
"""Seconds after which what hangs fails."""

ROOT = """\
root:
  sequence:
    - {name: count, set: {count: "= count + 1"}}
    - {name: power, check: mood == 'calm'}
    - {tree: fetch, name: first, with: {item: pepper, times: $count}}
    - {name: nap, wait: 100s, timeout: 50s}
vars: {count: number = 0, best: Item}
"""
FETCH = """\
tree: fetch
ports: {item: in Item, times: in number}
vars: {seen: list of number}
root:
  selector:
    - {name: seen, check: times > 100}
    - {name: note, set: {seen: [1, 2]}}
"""


class Watched:
    """A run, its publisher, and a client of its own that speaks the protocol by hand."""

    def __init__(self, folder: Path, root: str = ROOT) -> None:
        self.time = 0.0
        main = {"pack/main.tree.yaml": f"tree: main\n{root}", "pack/fetch.tree.yaml": FETCH}
        self.bench = Bench(folder, main)
        self.publisher = Groot2Publisher(self.bench.run, 0, monotonic=lambda: self.time)
        self.context = zmq.Context()
        self.socket = self._socket(zmq.REQ, self.publisher.port)
        self.told = self._socket(zmq.SUB, self.publisher.port + 1)
        self.told.subscribe(b"")
        self.monitor = btview.Groot2Client(port=self.publisher.port, timeout_ms=1000 * BOUND)
        self._thread: threading.Thread | None = None

    def _socket(self, kind: int, port: int) -> Any:
        made = self.context.socket(kind)
        made.linger, made.rcvtimeo, made.sndtimeo = 0, 1000 * BOUND, 1000 * BOUND
        made.connect(f"tcp://127.0.0.1:{port}")
        return made

    def close(self) -> None:
        self.bench.run.loop.stop()
        self.join()
        self.publisher.stop()
        self.monitor.close()
        self.context.destroy(linger=0)

    def ask(self, kind: str, *body: bytes) -> bytes:
        """Ask, and return the second part of the answer; b"" if it has one part."""
        head, *rest = self.send(struct.pack("<BBI", 2, ord(kind), 77), *body)
        assert head[:6] == struct.pack("<BBI", 2, ord(kind), 77)
        assert len(head) == 22
        return rest[0] if rest else b""

    def send(self, *parts: bytes) -> list[bytes]:
        self.socket.send_multipart(parts)
        answer: list[bytes] = self.socket.recv_multipart()
        return answer

    def refused(self, *parts: bytes) -> str:
        head, why = self.send(*parts)
        assert head == b"error"
        return why.decode()

    def head(self, kind: str) -> bytes:
        return struct.pack("<BBI", 2, ord(kind), 1)

    def uid(self, name: str) -> int:
        """The number of a node by its name: of several, the inner one."""
        nodes = [node for node in self.monitor.fetch_tree().walk() if node.name == name]
        uid = nodes[-1].uid
        assert uid is not None
        return int(uid)

    def raw(self, name: str) -> int:
        return int(self.monitor.poll().statuses[self.uid(name)].raw)

    # Breakpoints

    def insert(self, name: str, **values: object) -> None:
        hook = {"enabled": True, "uid": self.uid(name), "mode": 0, "once": False}
        hook |= {"desired_status": "SKIPPED", "position": 0, **values}
        self.ask("I", json.dumps(hook).encode())

    def unlock(self, name: str, status: str = "SKIPPED", after: bool = False) -> None:
        data = {"uid": self.uid(name), "desired_status": status, "position": int(after)}
        self.ask("U", json.dumps({**data, "remove_when_done": False}).encode())

    def remove(self, name: str, after: bool = False) -> None:
        self.ask("R", json.dumps({"uid": self.uid(name), "position": int(after)}).encode())

    def hear(self) -> None:
        """Wait until announcements arrive: whoever has subscribed late misses some."""
        self.insert("count", mode=1)
        for _ in range(1000):
            self.bench.tick()
            if self.told.poll(20):
                break
        self.remove("count")
        while self.told.poll(0):
            self.told.recv_multipart()

    def reached(self) -> int:
        """Wait for the announcement of a breakpoint; the number of its node."""
        head, uid = self.told.recv_multipart()
        assert (head[:2], len(head)) == (bytes([2, ord("N")]), 6)
        return int(uid)

    def start_tick(self) -> None:
        """Tick in a thread, which may be held."""

        def tick() -> None:
            self.bench.world.claim()
            self.bench.tick()

        self._thread = threading.Thread(target=tick, daemon=True)
        self._thread.start()

    def join(self) -> None:
        if self._thread is not None:
            self._thread.join(BOUND)
            assert not self._thread.is_alive()
            self._thread = None
            self.bench.world.claim()

    def did(self) -> list[tuple[str, str, str]]:
        told = self.bench.told("debugged")
        return [(str(e.data["did"]), str(e.data.get("about", "")), e.by) for e in told]


@pytest.fixture
def watch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Watched]]:
    monkeypatch.setattr("treec_interchange.groot2.LOOK", 5)  # it ends sooner
    made: list[Watched] = []

    def make(root: str = ROOT) -> Watched:
        made.append(Watched(tmp_path / str(len(made)), root))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def watched(watch: Callable[..., Watched]) -> Watched:
    return watch()


# btview as the client


def test_a_monitor_shows_the_tree_with_its_subtrees(watched: Watched) -> None:
    shown = watched.monitor.fetch_tree()
    assert [(node.name, node.registration, node.kind.name) for node in shown.walk()] == [
        ("main", "Sequence", "CONTROL"),
        ("count", "Script", "ACTION"),
        ("power", "ScriptCondition", "CONDITION"),
        ("first", "SubTree", "SUBTREE"),
        ("first", "Fallback", "CONTROL"),
        ("seen", "ScriptCondition", "CONDITION"),
        ("note", "TreecSet", "ACTION"),
        ("nap", "Timeout", "DECORATOR"),
        ("nap", "Sleep", "ACTION"),
    ]
    assert [node.uid for node in shown.walk()] == [*range(1, 10)]
    (subtree,) = [node for node in shown.walk() if node.registration == "SubTree"]
    assert (subtree.subtree_id, subtree.path) == ("fetch", "main/first")
    assert subtree.ports == {"item": "pepper", "times": "{count}"}


def test_a_monitor_shows_statuses_and_where_idle_nodes_come_from(watched: Watched) -> None:
    names = ("main", "count", "power", "seen", "note", "nap")
    assert [watched.raw(name) for name in names] == [0] * 6
    watched.bench.tick()
    assert [watched.raw(name) for name in names] == [1, 2, 2, 3, 2, 1]
    subtree = watched.uid("first")
    assert watched.monitor.poll().statuses[subtree - 1].raw == 2
    watched.bench.run.root.stop(Status.INVALID)
    watched.bench.run.loop.after()
    assert [watched.raw(name) for name in names] == [11, 12, 12, 13, 12, 11]


def test_a_monitor_reads_variables_and_ports_by_tree(watched: Watched) -> None:
    empty = {"main": {"count": None, "best": None}}
    assert watched.monitor.fetch_blackboard(["main"]) == empty
    watched.bench.tick()
    whole = {"count": 1, "best": None}
    first = {"item": "pepper", "times": 1, "seen": [1, 2]}
    assert watched.monitor.fetch_blackboard() == {"main": whole, "main/first": first}
    assert watched.monitor.fetch_blackboard(["main/first", "other"]) == {"main/first": first}


def test_what_a_run_shows_is_what_its_journal_has(watched: Watched) -> None:
    statuses = follow(watched.bench)
    for _ in range(5):
        watched.bench.pass_time(30)
        shown = watched.monitor.poll().statuses
        nodes = watched.publisher.tree.nodes
        assert {path_of(node): shown[uid].status.name for uid, node in enumerate(nodes, 1)} == {
            path: {"INVALID": "IDLE"}.get(status, status) for path, status in statuses.items()
        }
    assert {*statuses.values()} == {"RUNNING", "SUCCESS", "FAILURE"}


# Every request by hand


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ([b""], "wrong request header"),
        ([b"T"], "wrong request header"),
        ([b"\x02T\x00\x00\x00\x00\x00"], "wrong request header"),
        (["?"], "Request not recognized"),
        (["N"], "Request not recognized"),
        (["B"], "must be 2 parts message"),
        (["B", b"", b""], "must be 2 parts message"),
        (["B", b"\xff\xfe"], "UnicodeDecodeError"),
        (["I", b"{"], "JSONDecodeError"),
        (["I", b"[" * 100_000], "Recursion"),
        (["I", b"[1]"], "TypeError"),
        (["I", b"{}"], "KeyError: 'desired_status'"),
        (["U", b"[]"], "TypeError"),
        (["R", b'{"uid": 1, "position": 0}'], "Node ID not found"),
        (["R", b'{"uid": 0, "position": 0}'], "Node ID not found"),
        (["R", b'{"uid": "1", "position": 0}'], "Node ID not found"),
        (["R", b'{"uid": 1, "position": 7}'], "position is 0 or 1"),
        (
            ["U", b'{"uid": 1, "position": 0, "desired_status": {}, "remove_when_done": false}'],
            "TypeError",
        ),
        (
            ["U", b'{"uid": 1, "position": 0, "desired_status": "", "remove_when_done": false}'],
            "Node ID not found",
        ),
    ],
)
def test_what_is_no_request_is_refused_and_the_next_one_answered(
    watched: Watched, parts: list[str | bytes], why: str
) -> None:
    sent = [watched.head(part) if isinstance(part, str) else part for part in parts]
    assert why in watched.refused(*sent)
    assert len(watched.ask("S")) == 27


def test_rubbish_on_the_ports_hurts_nobody(watched: Watched) -> None:
    rng = random.Random(1)
    for port in (watched.publisher.port, watched.publisher.port + 1) * 10:
        with socket.create_connection(("127.0.0.1", port), BOUND) as connection, suppress(OSError):
            connection.sendall(b"GET / HTTP/1.1\r\n\r\n" + rng.randbytes(3000))
    watched.bench.tick()
    assert len(watched.ask("S")) == 27


def test_the_answers_name_the_tree_by_an_id(watched: Watched) -> None:
    one = watched.send(watched.head("T"))[0][6:]
    assert one == watched.send(watched.head("S"))[0][6:]
    assert len(one) == 16
    watched.bench.run.loop.replace_tree(watched.bench.run.root)
    watched.bench.tick()
    assert watched.send(watched.head("S"))[0][6:] != one


def test_transitions_are_recorded_while_that_is_wanted(watched: Watched) -> None:
    watched.bench.tick()
    assert watched.ask("t") == b""
    assert int(watched.ask("r", b"start")) > 1_700_000_000_000_000
    watched.time = 1.5
    watched.bench.pass_time(60)
    data = watched.ask("t")
    rows = [data[at : at + 9] for at in range(0, len(data), 9)]
    read = [(int.from_bytes(row[:6], "little"), *struct.unpack("<HB", row[6:])) for row in rows]
    assert {t for t, _, _ in read} == {1_500_000}
    nap = watched.uid("nap")
    assert (1_500_000, nap - 1, 3) in read
    assert (1_500_000, nap, 0) in read
    assert watched.ask("t") == b""
    assert watched.ask("r", b"stop") == b""
    watched.bench.run.root.stop(Status.INVALID)
    watched.bench.tick()
    assert watched.ask("t") == b""


def test_transitions_are_kept_within_bounds(watched: Watched) -> None:
    watched.ask("r", b"start")
    for _ in range(MAX_TRANSITIONS):
        watched.bench.run.root.stop(Status.INVALID)
        watched.bench.run.loop.after()
        watched.bench.tick()
    assert len(watched.ask("t")) == 9 * MAX_TRANSITIONS


# Breakpoints


def test_a_node_is_held_before_it_begins_and_goes_on(watched: Watched) -> None:
    watched.hear()
    watched.bench.run.root.stop(Status.INVALID)
    watched.insert("note")
    watched.start_tick()
    assert watched.reached() == watched.uid("note")
    assert [watched.raw(name) for name in ("count", "seen", "note")] == [2, 3, 12]
    watched.unlock("note")
    watched.join()
    assert watched.raw("note") == 2
    assert watched.did()[-2:] == [
        ("paused", "main/first/note", "debugger"),
        ("go on", "main/first/note", "groot2"),
    ]


@pytest.mark.parametrize(("status", "raw"), [("SUCCESS", 2), ("FAILURE", 3)])
@pytest.mark.parametrize("after", [False, True])
def test_a_node_gets_the_status_that_is_wanted_in_place_of_its_own(
    watched: Watched, status: str, raw: int, after: bool
) -> None:
    watched.hear()
    watched.bench.run.root.stop(Status.INVALID)
    watched.insert("power", position=int(after))
    watched.start_tick()
    watched.reached()
    watched.unlock("power", status, after)
    watched.join()
    assert watched.raw("power") == raw
    assert watched.raw("main") == (1 if status == "SUCCESS" else 3)
    assert watched.did()[-1] == ("go on", f"main/power {status}", "groot2")


def test_a_running_node_that_is_replaced_is_halted(watched: Watched) -> None:
    watched.bench.tick()
    watched.insert("nap", mode=1, desired_status="FAILURE")
    watched.bench.tick()
    assert [watched.raw(name) for name in ("nap", "main")] == [3, 3]
    watched.remove("nap")
    watched.insert("main", mode=1, desired_status="SUCCESS", once=True)
    watched.bench.tick()
    assert [watched.raw(name) for name in ("nap", "main")] == [3, 2]
    assert json.loads(watched.ask("D")) == []
    assert watched.did() == [
        ("replaced", "main/nap FAILURE", "groot2"),
        ("replaced", "main SUCCESS", "groot2"),
    ]
    watched.bench.tick()
    assert watched.raw("main") == 1


def test_breakpoints_are_listed_changed_and_taken_out(watched: Watched) -> None:
    watched.insert("nap")
    watched.insert("nap", mode=1, desired_status="SUCCESS", position=1, once=True)
    watched.insert("nap", enabled=False)
    first = {"enabled": False, "uid": watched.uid("nap"), "mode": 0, "once": False}
    first |= {"desired_status": "SKIPPED", "position": 0}
    second = {**first, "enabled": True, "mode": 1, "once": True, "desired_status": "SUCCESS"}
    assert json.loads(watched.ask("D")) == [first, {**second, "position": 1}]
    watched.ask("X")
    assert [one["enabled"] for one in json.loads(watched.ask("D"))] == [False, False]
    watched.remove("nap")
    assert len(json.loads(watched.ask("D"))) == 1
    watched.ask("A")
    assert json.loads(watched.ask("D")) == []
    assert "tick" not in vars(watched.bench.nodes["main/nap"])


def test_several_breakpoints_come_in_one_request(watched: Watched) -> None:
    hook = {"enabled": True, "mode": 0, "once": False, "desired_status": "SKIPPED", "position": 0}
    watched.ask("I", json.dumps([{**hook, "uid": 2}, {**hook, "uid": 3}]).encode())
    assert [one["uid"] for one in json.loads(watched.ask("D"))] == [2, 3]


LET_GO: dict[str, Callable[[Watched], object]] = {
    "removed": lambda w: w.remove("power"),
    "all removed": lambda w: w.ask("A"),
    "disabled": lambda w: w.ask("X"),
    "made another": lambda w: w.insert("power", mode=1),
    "let go by the page": lambda w: order(w, "go on"),
}


@pytest.mark.parametrize("how", LET_GO)
def test_a_held_run_goes_on_when_its_breakpoint_is(watched: Watched, how: str) -> None:
    watched.hear()
    watched.bench.run.root.stop(Status.INVALID)
    watched.insert("power")
    watched.start_tick()
    watched.reached()
    LET_GO[how](watched)
    watched.join()
    assert watched.raw("power") == 2


def test_a_stop_ends_a_held_run_and_nothing_begins(watched: Watched) -> None:
    watched.hear()
    watched.bench.run.root.stop(Status.INVALID)
    watched.insert("note")
    watched.start_tick()
    watched.reached()
    watched.bench.run.loop.stop()
    watched.join()
    assert watched.bench.nodes["main/first/note"].status is Status.RUNNING
    assert watched.bench.nodes["main/nap"].status is Status.INVALID


def test_who_falls_silent_holds_nobody_until_they_are_back(watched: Watched) -> None:
    watched.hear()
    watched.bench.run.root.stop(Status.INVALID)
    watched.insert("power", desired_status="FAILURE")
    watched.start_tick()
    watched.reached()
    watched.time += SILENT + 1
    watched.join()
    assert watched.bench.nodes["main/power"].status is Status.SUCCESS
    watched.bench.run.root.stop(Status.INVALID)
    watched.bench.tick()  # nobody is there: it is not held
    watched.bench.run.root.stop(Status.INVALID)
    watched.ask("S")
    watched.start_tick()
    assert watched.reached() == watched.uid("power")
    watched.unlock("power")
    watched.join()


def test_breakpoints_stay_where_they_are_when_the_tree_is_replaced(watched: Watched) -> None:
    watched.insert("power", mode=1, desired_status="FAILURE")
    watched.bench.run.loop.replace_tree(watched.bench.run.root)
    watched.bench.tick()
    watched.bench.run.root.stop(Status.INVALID)
    watched.bench.tick()
    assert watched.raw("power") == 3


# The server


def test_a_port_that_is_taken_is_an_error(watched: Watched) -> None:
    with pytest.raises(OSError, match="in use"):
        Groot2Publisher(watched.bench.run, watched.publisher.port)
    with pytest.raises(OSError, match="in use"):
        Groot2Publisher(watched.bench.run, watched.publisher.port - 1)


def test_it_leaves_nothing_behind(watched: Watched) -> None:
    hooks = len(watched.bench.run.loop.after_tick)
    with Groot2Publisher(watched.bench.run, 0):
        assert len(watched.bench.run.loop.after_tick) == hooks + 1
    assert len(watched.bench.run.loop.after_tick) == hooks
    assert "treec groot2" in [thread.name for thread in threading.enumerate()]
    watched.publisher.stop()
    assert "treec groot2" not in [thread.name for thread in threading.enumerate()]


def follow(bench: Bench) -> dict[str, str]:
    """The statuses of a run's nodes by their paths, from its journal alone, as it goes on."""
    paths: list[str] = []
    statuses: dict[str, str] = {}

    def take(record: Record) -> None:
        match record.event:
            case TreeBegun(nodes):
                paths[:] = [node.path for node in nodes]
                statuses.update(dict.fromkeys(paths, "INVALID"))
            case Ticked(_, to):
                for status, numbers in to.items():
                    statuses.update(dict.fromkeys((paths[n] for n in numbers), status))

    bench.world.subscribe(take, traces=True)
    return statuses


def order(watched: Watched, did: str) -> None:
    debugger = watched.bench.run.debugger
    debugger.post(debugger.read(did, "", "page"))
