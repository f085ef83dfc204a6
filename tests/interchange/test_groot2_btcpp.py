"""BehaviorTree.CPP's own publisher is asked the same: its answers are the measure of ours."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.support.bench import Bench

zmq = pytest.importorskip("zmq")
msgpack = pytest.importorskip("msgpack")
bt = pytest.importorskip("behaviortreepy")
parser = pytest.importorskip("btview.parser")

from treec_interchange.groot2 import Groot2Publisher  # noqa: E402

XML = """\
<root BTCPP_format="4">
<BehaviorTree ID="main">
  <Sequence name="main">
    <Script name="count" code="count := count + 1"/>
    <SubTree ID="fetch" times="{count}"/>
    <Inverter name="not"><ScriptCondition name="not" code="count > 100"/></Inverter>
    <Fallback name="either"><Fails name="no"/><Waits name="later"/></Fallback>
    <AlwaysSuccess name="never"/>
  </Sequence>
</BehaviorTree>
<BehaviorTree ID="fetch">
  <Fallback name="fetch">
    <ScriptCondition name="often" code="times > 100"/>
    <Script name="note" code="seen := 7"/>
  </Fallback>
</BehaviorTree>
</root>
"""
MAIN = """\
tree: main
vars: {count: number = 0}
root:
  sequence:
    - {name: count, set: {count: "= count + 1"}}
    - {tree: fetch, name: fetch, with: {times: $count}}
    - {name: "not", invert: true, check: count > 100}
    - {name: either, selector: [{name: "no", check: count < 0}, {name: later, wait: 5s}]}
    - {name: never, check: true}
"""
FETCH = """\
tree: fetch
ports: {times: in number}
vars: {seen: number}
root:
  selector: [{name: often, check: times > 100}, {name: note, set: {seen: 7}}]
"""
BOUND = 30_000
"""Milliseconds after which an answer that does not come fails."""


class Asked:
    """A client of a publisher."""

    def __init__(self, port: int) -> None:
        self.context = zmq.Context()
        self.socket = self.context.socket(zmq.REQ)
        self.socket.linger, self.socket.rcvtimeo, self.socket.sndtimeo = 0, BOUND, BOUND
        self.socket.connect(f"tcp://127.0.0.1:{port}")

    def send(self, *parts: bytes) -> list[bytes]:
        self.socket.send_multipart(parts)
        answer: list[bytes] = self.socket.recv_multipart()
        return answer

    def ask(self, kind: str, body: bytes | None = None) -> Any:
        head = struct.pack("<BBI", 2, ord(kind), 3)
        return self.send(head, *([] if body is None else [body]))[1]

    def nodes(self) -> dict[int, Any]:
        model = parser.parse_bt_xml(self.ask("T").decode())
        return {node.uid: node for node in model.walk()}

    def statuses(self) -> dict[int, int]:
        """The statuses of nodes by their numbers; an idle one's is that from which it comes."""
        data = self.ask("S")
        rows = [struct.unpack("<HB", data[at : at + 3]) for at in range(0, len(data), 3)]
        return {uid: status % 10 for uid, status in rows}


class Both:
    """One tree there and here, each with its publisher and a client."""

    def __init__(self, folder: Path) -> None:
        factory, status = bt.BehaviorTreeFactory(), bt.NodeStatus
        factory.register_simple_action("Fails", lambda _: status.FAILURE)
        factory.register_simple_stateful_action(
            "Waits", lambda _: status.RUNNING, lambda _: status.RUNNING, lambda _: None
        )
        factory.register_behavior_tree_from_text(XML)
        self.board = bt.Blackboard.create()
        self.board.set_int("count", 0)
        self.tree = factory.create_tree("main", self.board)
        self.their_publisher, port = _their_publisher(self.tree)
        self.bench = Bench(folder, {"pack/main.tree.yaml": MAIN, "pack/fetch.tree.yaml": FETCH})
        self.publisher = Groot2Publisher(self.bench.run, 0)
        self.there, self.here = Asked(port), Asked(self.publisher.port)

    def tick(self) -> None:
        self.tree.tick_exactly_once()
        self.bench.tick()


def _their_publisher(tree: Any) -> tuple[Any, int]:
    """Their publisher at two free ports, of which it wants to be told the first."""
    for _ in range(50):
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            port: int = found.getsockname()[1]
        with suppress(RuntimeError):
            return bt.Groot2Publisher(tree, port), port
    raise AssertionError("no two free ports")


@pytest.fixture
def both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Both]:
    monkeypatch.setattr("treec_interchange.groot2.LOOK", 5)  # it ends sooner
    made = Both(tmp_path)
    yield made
    made.publisher.stop()
    for client in (made.there, made.here):
        client.context.destroy(linger=0)


def test_the_tree_has_the_same_elements_and_numbers(both: Both) -> None:
    there, here = both.there.nodes(), both.here.nodes()
    assert there.keys() == here.keys()
    own = {"Fails": "ScriptCondition", "Waits": "Sleep"}  # leaves of these tests
    for uid, node in there.items():
        other = here[uid]
        name = other.name if node.registration == "SubTree" else node.name  # it writes none
        assert (own.get(node.registration, node.registration), name) == (
            other.registration,
            other.name,
        )
        assert [child.uid for child in node.children] == [child.uid for child in other.children]
        if node.registration not in own and node.registration != "Script":
            assert node.ports == other.ports, node.name


def test_statuses_are_the_same_tick_by_tick(both: Both) -> None:
    assert set(both.here.statuses().values()) == {0}
    for _ in range(3):
        both.tick()
        assert both.there.statuses() == both.here.statuses()
    assert set(both.here.statuses().values()) == {0, 1, 2, 3}


def test_the_blackboard_is_read_alike(both: Both) -> None:
    both.tick()
    there, here = both.there, both.here
    assert msgpack.unpackb(there.ask("B", b"main")) == msgpack.unpackb(here.ask("B", b"main"))
    for client in (there, here):
        assert msgpack.unpackb(client.ask("B", b"nowhere")) is None
        (path,) = [node.path for node in client.nodes().values() if node.registration == "SubTree"]
        (board,) = msgpack.unpackb(client.ask("B", path.encode())).values()
        assert board["seen"] == 7


HOOK = {"enabled": True, "mode": 1, "once": False, "desired_status": "SKIPPED", "position": 0}
REQUESTS: list[tuple[str, bytes | None]] = [
    *((kind, None) for kind in "BIRUr?N"),
    ("R", b'{"uid": 1, "position": 0}'),
    ("U", b'{"uid": 1, "position": 0, "desired_status": "", "remove_when_done": true}'),
    ("D", None),
    ("I", json.dumps({**HOOK, "uid": 2}).encode()),
    ("D", None),
    ("I", json.dumps([{**HOOK, "uid": 2, "once": True}]).encode()),
    ("I", json.dumps({**HOOK, "uid": 3, "desired_status": "FAILURE", "position": 1}).encode()),
    ("X", None),
    ("D", None),
    ("R", b'{"uid": 2, "position": 0}'),
    ("D", None),
    ("A", None),
    ("D", None),
    ("t", None),
    ("r", b"stop"),
]


def test_requests_are_answered_alike(both: Both) -> None:
    for number, (kind, body) in enumerate(REQUESTS):
        parts = [struct.pack("<BBI", 2, ord(kind), number), *([] if body is None else [body])]
        there, here = both.there.send(*parts), both.here.send(*parts)
        assert [len(there[0]), there[0][:6]] == [len(here[0]), here[0][:6]], kind
        if kind == "D":
            hooks = [
                sorted(json.loads(one), key=lambda hook: hook["uid"]) for one in (there[1], here[1])
            ]
            assert hooks[0] == hooks[1]
        else:
            assert there[1:] == here[1:], kind
    for parts in ([b""], [b"S"], [b"S" * 7]):
        assert both.there.send(*parts) == both.here.send(*parts)


@pytest.mark.few(15, thorough=1000)
@pytest.mark.parametrize("uid", [1, 2, 3, 4, 6, 7, 8, 9, 10])
@pytest.mark.parametrize("status", ["SUCCESS", "FAILURE", "SKIPPED"])
@pytest.mark.parametrize("position", [0, 1])
def test_a_status_in_place_of_a_nodes_own_does_the_same(
    both: Both, uid: int, status: str, position: int
) -> None:
    hook = {**HOOK, "uid": uid, "desired_status": status, "position": position}
    for client in (both.there, both.here):
        client.send(struct.pack("<BBI", 2, ord("I"), 3), json.dumps(hook).encode())
    both.tick()
    there, here = both.there.statuses(), both.here.statuses()
    assert there[1] == here[1]
    shown = {uid: status for uid, status in there.items() if status}  # 0: reset, unsaid
    assert shown == {uid: here[uid] for uid in shown}
