"""Shows a run to Groot2 and other monitors of BehaviorTree.CPP, by the protocol of its publisher.

A socket answers requests on a port: the tree as XML, the statuses of its nodes, the variables
and ports of its trees, breakpoints, recorded transitions. A PUB socket on the next port says which
breakpoint was reached. Each message begins with a header: the protocol, the type of the request
and its number; an answer repeats it, with an id of the tree.

The loop writes the statuses down after each tick, and while a breakpoint holds it; a thread of its
own answers. Whoever is silent for some seconds holds nobody by a breakpoint any more.
"""

from __future__ import annotations

import json
import struct
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgpack
import zmq
from py_trees.common import Status

from treec.run.events import Ticked
from treec.run.status_recorder import path_of
from treec.source.diagnostics import unknown
from treec_interchange.breakpoints import Breakpoint, Breakpoints
from treec_interchange.running_tree import ShownTree

if TYPE_CHECKING:
    from treec.run.run import Run
    from treec.world.journal import Record

PORT = 1667
"""Where Groot2 looks for a tree; breakpoints are announced on the next one."""

PROTOCOL = 2

BY = "groot2"
"""Who lets a run go on from a breakpoint, in its journal."""

SILENT = 5.0
"""Seconds without a request after which breakpoints do not act."""

LOOK = 100
"""Milliseconds between two looks whether somebody has fallen silent, or the server is to end."""

MAX_REQUEST = 1 << 20
"""Bytes of a part of a request."""

MAX_TRANSITIONS = 1000
"""How many transitions are kept for whoever records them; the oldest go first."""

_HEADER = struct.Struct("<BBI")
_RECORD = struct.Struct("<HB")
_STATUS = {Status.INVALID: 0, Status.RUNNING: 1, Status.SUCCESS: 2, Status.FAILURE: 3}
_NAMES = {"SUCCESS": Status.SUCCESS, "FAILURE": Status.FAILURE}
_ALL_STATUSES = ("IDLE", "RUNNING", "SUCCESS", "FAILURE", "SKIPPED")
_IDLE_FROM = 10


def open_monitor(run: Run, address: str) -> Groot2Publisher:
    """Show a run at ``[HOST:]PORT``, by default at Groot2's. Raises OSError, ValueError."""
    host, _, port = address.rpartition(":")
    if address and not (port.isascii() and port.isdecimal() and int(port) < 65535):
        raise ValueError("write [HOST:]PORT, such as 1667 or 0.0.0.0:1667")
    return Groot2Publisher(run, int(port or PORT), host or "127.0.0.1")


class BadRequest(Exception):
    """A request that cannot be answered; the message goes back."""


class Groot2Publisher:
    """Answers monitors of a run on ``host``, from the beginning until it is left."""

    def __init__(
        self,
        run: Run,
        port: int = PORT,
        host: str = "127.0.0.1",
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """``port`` 0 takes two free ones. Raises OSError if they cannot be used."""
        self._run = run
        self._monotonic = monotonic
        self._heard = monotonic()
        self._lock = threading.Lock()
        """Held while what is answered is read or written."""
        self._values: dict[str, dict[str, object]] = {}
        self._recording: float | None = None
        self._transitions: deque[bytes] = deque(maxlen=MAX_TRANSITIONS)
        self.breakpoints = Breakpoints(run, BY, self._announce)
        self._asked: dict[str, int] = {}
        """The numbers under which nodes with breakpoints were named: a node may have two."""
        self._take_tree()
        self._context = zmq.Context()
        self._answers = self._context.socket(zmq.ROUTER)  # REP: half a request holds it for good
        self._announced = self._context.socket(zmq.PUB)
        for socket in (self._answers, self._announced):
            socket.linger = 0
            socket.maxmsgsize = MAX_REQUEST
            socket.rcvtimeo = socket.sndtimeo = LOOK
        try:
            self.port = self._bind(host, port)
            self.address = f"{host}:{self.port}"
        except zmq.ZMQError as error:
            self._context.destroy(linger=0)
            why = f"the ports {port} and {port + 1} cannot be used: {error.strerror}"
            raise OSError(error.errno, why) from None
        self._leave = run.world.subscribe(self._take, traces=True)
        run.loop.after_tick.append(self._look)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="treec groot2", daemon=True)
        self._thread.start()

    def __enter__(self) -> Groot2Publisher:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def __str__(self) -> str:
        return f"Groot2 can attach to {self.address}"

    def stop(self) -> None:
        """End it."""
        self._ended.set()
        self._leave()
        with suppress(ValueError):
            self._run.loop.after_tick.remove(self._look)
        self.breakpoints.clear()
        self._thread.join()
        self._context.destroy(linger=0)

    def _bind(self, host: str, port: int) -> int:
        """Take a port and the next one. Raises ZMQError."""
        for left in reversed(range(1 if port else 20)):
            self._answers.bind(f"tcp://{host}:{port or '*'}")
            address = str(self._answers.getsockopt_string(zmq.LAST_ENDPOINT)).rstrip("\0")
            taken = int(address.rpartition(":")[2])
            try:
                self._announced.bind(f"tcp://{host}:{taken + 1}")
                return taken
            except zmq.ZMQError:
                if not left:
                    raise
                self._answers.unbind(address)
        raise AssertionError

    # In the loop's thread

    def _take_tree(self) -> None:
        """Show the tree that is ticked from now on."""
        run = self._run
        tree = ShownTree(run.loop.root, run.frames)
        with self._lock:
            self._trees = run.loop.trees
            self.tree = tree
            self._asked.clear()
            self._id = uuid.uuid4().bytes
            self._before = [Status.INVALID] * len(tree.nodes)
            self._statuses = bytearray(
                b"".join(_RECORD.pack(uid, 0) for uid in range(1, len(tree.nodes) + 1))
            )
            for path, (_, frame) in run.frames.items():
                known = self._values.get(path, {})
                self._values[path] = {name: known.get(name) for name in frame.cells}
        self.breakpoints.use(run.loop.root.iterate())

    def _look(self) -> None:
        """Write down which statuses have changed."""
        if self._trees != self._run.loop.trees:
            self._take_tree()
        now = [node.status for node in self.tree.nodes]
        if now == self._before:
            return
        with self._lock:
            for index, (status, before) in enumerate(zip(now, self._before, strict=True)):
                if status is before:
                    continue
                is_idle = status is Status.INVALID
                shown = _STATUS[status] + (_IDLE_FROM + _STATUS[before] if is_idle else 0)
                self._statuses[3 * index + 2] = shown
                if self._recording is not None:
                    passed = int((self._monotonic() - self._recording) * 1e6)
                    record = _RECORD.pack(index + 1, _STATUS[status])
                    self._transitions.append(passed.to_bytes(6, "little") + record)
            self._before = now

    def _take(self, record: Record) -> None:
        """Write down which variables and ports have changed."""
        if record.kind != "ticked":
            return
        event = record.event
        assert isinstance(event, Ticked)
        with self._lock:
            for changed in (event.variables, event.ports):
                for path, values in (changed or {}).items():
                    self._values.setdefault(path, {}).update(values)

    def _announce(self, breakpoint: Breakpoint) -> None:
        """Say that a breakpoint was reached, and show the tree as it is there."""
        self._look()
        uid = self._uid(breakpoint.path)
        header = _HEADER.pack(PROTOCOL, ord("N"), uuid.uuid4().fields[0])
        with suppress(zmq.ZMQError):
            self._announced.send_multipart([header, b"%d" % uid], zmq.NOBLOCK)

    def _uid(self, path: str) -> int:
        """The number of a node; 0 if it has none."""
        with self._lock:
            if path not in self._asked:
                numbers = enumerate(self.tree.nodes, 1)
                self._asked[path] = next((n for n, node in numbers if path_of(node) == path), 0)
            return self._asked[path]

    # In its own thread

    def _serve(self) -> None:
        while not self._ended.is_set():
            with suppress(zmq.ZMQError):
                parts = self._answers.recv_multipart() if self._answers.poll(LOOK) else []
                is_asked = len(parts) > 2 and parts[1] == b""  # who asks, nothing, what is asked
                now = self._monotonic()
                self._heard = now if is_asked else self._heard
                is_silent = now - self._heard > SILENT
                if is_silent is self.breakpoints.is_watched:
                    self.breakpoints.is_watched = not is_silent
                if is_asked:
                    self._answers.send_multipart([*parts[:2], *self._reply(parts[2:])])

    def _reply(self, parts: list[bytes]) -> list[bytes]:
        try:
            return self._answer(parts)
        except BadRequest as error:
            return [b"error", str(error).encode("utf-8", "replace")]

    def _answer(self, parts: list[bytes]) -> list[bytes]:
        """The parts of an answer. Raises BadRequest."""
        if len(parts[0]) != _HEADER.size:
            raise BadRequest("wrong request header")
        _, kind, number = _HEADER.unpack(parts[0])
        answer = _ANSWERS.get(chr(kind))
        if answer is None:
            raise BadRequest("Request not recognized")
        needs, method = answer
        if needs and len(parts) != 2:
            raise BadRequest("must be 2 parts message")
        with self._lock:
            head = _HEADER.pack(PROTOCOL, kind, number) + self._id
        try:
            body = method(self, parts[1] if needs else b"")
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise BadRequest(f"{type(error).__name__}: {error}") from None
        return [head] if body is None else [head, body]

    def _send_tree(self, _: bytes) -> bytes:
        with self._lock:
            return self.tree.xml.encode()

    def _send_statuses(self, _: bytes) -> bytes:
        with self._lock:
            return bytes(self._statuses)

    def _send_values(self, names: bytes) -> bytes:
        """The variables and ports of trees by the names of their instances; of all for none."""
        with self._lock:
            boards = self.tree.boards
            wanted = [name for name in names.decode().split(";") if name] or list(boards)
            values = {
                name: {key: _plain(value) for key, value in self._values[boards[name]].items()}
                for name in wanted
                if name in boards and boards[name] in self._values
            }
        packed: bytes = msgpack.packb(values or None)
        return packed

    def _insert(self, body: bytes) -> None:
        data = json.loads(body)
        for one in data if isinstance(data, list) else [data]:
            status = one["desired_status"]
            if status not in _ALL_STATUSES:
                raise BadRequest(unknown("status", str(status), _ALL_STATUSES))
            path, after = self._place(one)
            self.breakpoints.put(
                Breakpoint(
                    path,
                    after,
                    waits=one["mode"] == 0,
                    status=_NAMES.get(status),
                    once=bool(one["once"]),
                    enabled=bool(one["enabled"]),
                )
            )

    def _remove(self, body: bytes) -> None:
        if not self.breakpoints.remove(*self._place(json.loads(body))):
            raise BadRequest("Node ID not found")

    def _unlock(self, body: bytes) -> None:
        data = json.loads(body)
        status, once = _NAMES.get(data["desired_status"]), bool(data["remove_when_done"])
        if not self.breakpoints.unlock(*self._place(data), status, once):
            raise BadRequest("Node ID not found")

    def _send_breakpoints(self, _: bytes) -> bytes:
        data = [
            {
                "enabled": one.enabled,
                "uid": self._uid(one.path),
                "mode": 0 if one.waits else 1,
                "once": one.once,
                "desired_status": "SKIPPED" if one.status is None else one.status.name,
                "position": int(one.after),
            }
            for one in self.breakpoints.all
            if self._uid(one.path)
        ]
        return json.dumps(data).encode()

    def _clear(self, _: bytes) -> None:
        self.breakpoints.clear()

    def _disable(self, _: bytes) -> None:
        self.breakpoints.disable()

    def _record(self, body: bytes) -> bytes | None:
        with self._lock:
            if body != b"start":
                self._recording = None
                return None
            self._recording = self._monotonic()
            self._transitions.clear()
        return str(time.time_ns() // 1000).encode()

    def _send_transitions(self, _: bytes) -> bytes:
        with self._lock:
            found = b"".join(self._transitions)
            self._transitions.clear()
        return found

    def _place(self, data: Mapping[str, Any]) -> tuple[str, bool]:
        """The path of the node that a breakpoint is at, and whether it is after it."""
        uid, position = data["uid"], data["position"]
        with self._lock:
            nodes = self.tree.nodes
        if type(uid) is not int or not 0 < uid <= len(nodes):
            raise BadRequest("Node ID not found")
        if position not in (0, 1):
            raise BadRequest("position is 0 or 1")
        path = path_of(nodes[uid - 1])
        with self._lock:
            self._asked[path] = uid
        return path, position == 1


_ANSWERS: dict[str, tuple[bool, Callable[[Groot2Publisher, bytes], bytes | None]]] = {
    "T": (False, Groot2Publisher._send_tree),
    "S": (False, Groot2Publisher._send_statuses),
    "B": (True, Groot2Publisher._send_values),
    "I": (True, Groot2Publisher._insert),
    "R": (True, Groot2Publisher._remove),
    "U": (True, Groot2Publisher._unlock),
    "D": (False, Groot2Publisher._send_breakpoints),
    "A": (False, Groot2Publisher._clear),
    "X": (False, Groot2Publisher._disable),
    "r": (True, Groot2Publisher._record),
    "t": (False, Groot2Publisher._send_transitions),
}
"""The requests by their types: whether they have a second part, and what answers them."""


def _plain(value: object) -> object:
    """A recorded value for others: an entity is its name, a number of more than 64 bits a text."""
    if isinstance(value, Mapping):
        if list(value) == ["entity"]:
            return value["entity"][1] or None
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    is_large = isinstance(value, int) and not -(2**63) <= value < 2**64
    return str(value) if is_large else value
