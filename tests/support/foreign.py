"""Code of others that does everything wrong: workers, node classes, parsers."""

from __future__ import annotations

import itertools
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.nodes.python import NodePorts
from treec.nodes.worker import Effect, Host, Outcome, WorkOrder
from treec.world.failures import Failure, Reported

NAN = float("nan")


def boom() -> None:
    """Raise, on a line that tests look for."""
    raise RuntimeError("boom")


class Unreadable(Exception):
    """An exception whose message raises."""

    def __str__(self) -> str:
        raise RuntimeError("no message")


class NoException(BaseException):
    """As asyncio.CancelledError: what `except Exception` does not catch."""


def boom_unreadable() -> None:
    """Raise something that cannot be put into words."""
    raise Unreadable


def boom_beside() -> None:
    """Raise something that is no Exception."""
    raise NoException("cancelled")


def leave() -> None:
    """Call exit()."""
    sys.exit()


def recurse() -> None:
    """Call itself without end."""
    recurse()


def interrupt() -> None:
    """Raise KeyboardInterrupt, and nobody has pressed Ctrl-C."""
    raise KeyboardInterrupt


def leave_on_the_way(*items: object) -> Iterator[object]:
    """Give some items, then call exit()."""
    yield from items
    sys.exit(0)


class EvilText(str):
    """A text that raises when it is compared, and ends the process when it is printed."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("compared")

    __hash__ = str.__hash__

    def __str__(self) -> str:
        sys.exit(3)

    def __repr__(self) -> str:
        sys.exit(3)


class EvilDict(dict[str, Any]):
    """A mapping whose `get` ends the process."""

    def get(self, *args: object) -> Any:
        """End the process."""
        sys.exit(3)


class OwnFailure(Failure):
    """A failure that has no words."""


LONG = "x" * 50_000_000


class Wrong:
    """A worker whose methods are what a test says."""

    MAKE: ClassVar[Callable[[], object]] = lambda: None
    START: ClassVar[Callable[[WorkOrder, Host], object]] = lambda order, host: None
    CANCEL: ClassVar[Callable[[], Any]] = lambda: Outcome(False)

    def __init__(self) -> None:
        type(self).MAKE()

    def start(self, order: WorkOrder, host: Host) -> None:
        """Do as the test says."""
        type(self).START(order, host)

    def cancel(self) -> Outcome:
        """Do as the test says."""
        return type(self).CANCEL()  # type: ignore[no-any-return]


class NoMethods:
    """Is no worker at all."""


def in_thread(order: WorkOrder, host: Host) -> None:
    """Raise in an announced thread."""
    work = host.begin_external("the arm")

    def run() -> None:
        with work:
            boom()

    threading.Thread(target=run).start()


STARTS: dict[str, Callable[[WorkOrder, Host], object]] = {
    "raises": lambda order, host: boom(),
    "exits": lambda order, host: sys.exit(3),
    "raises what has no message": lambda order, host: boom_unreadable(),
    "raises what is no Exception": lambda order, host: boom_beside(),
    "recurses": lambda order, host: recurse(),
    "finishes with None": lambda order, host: host.finish(order.id, None),  # type: ignore[arg-type]
    "finishes with text": lambda order, host: host.finish(order.id, "done"),  # type: ignore[arg-type]
    "finishes with a class": lambda order, host: host.finish(order.id, Outcome),  # type: ignore[arg-type]
    "ok is text": lambda order, host: host.finish(order.id, Outcome("yes")),  # type: ignore[arg-type]
    "failure is text": lambda order, host: host.finish(
        order.id,
        Outcome(False, "slipped"),  # type: ignore[arg-type]
    ),
    "effects are None": lambda order, host: host.finish(
        order.id,
        Outcome(True, effects=None),  # type: ignore[arg-type]
    ),
    "an effect is text": lambda order, host: host.finish(
        order.id,
        Outcome(True, effects=("near",)),  # type: ignore[arg-type]
    ),
    "an effect is NaN": lambda order, host: host.finish(
        order.id, Outcome(True, effects=(Effect("near", ("R1",), NAN),))
    ),
    "an effect is an object": lambda order, host: host.finish(
        order.id, Outcome(True, effects=(Effect("near", ("R1",), object()),))
    ),
    "an effect has text for arguments": lambda order, host: host.finish(
        order.id,
        Outcome(True, effects=(Effect("near", "R1", "pantry"),)),  # type: ignore[arg-type]
    ),
    "an effect has a source of its own": lambda order, host: host.finish(
        order.id,
        Outcome(True, effects=(Effect("near", ("R1",), "pantry", "guessed"),)),  # type: ignore[arg-type]
    ),
    "an effect on no fact": lambda order, host: host.finish(
        order.id, Outcome(True, effects=(Effect("colour", ("R1",), "red"),))
    ),
    "interrupts itself": lambda order, host: interrupt(),
    "an argument has no repr": lambda order, host: host.finish(
        order.id,
        Outcome(True, effects=(Effect("near", [EvilText("R1")], "pantry"),)),  # type: ignore[arg-type]
    ),
    "effects without end": lambda order, host: host.finish(
        order.id, Outcome(True, effects=(Effect("near", ("R1",), "pantry"),) * 1_000_000)
    ),
    "a value without end": lambda order, host: host.finish(
        order.id, Outcome(True, effects=(Effect("near", ("R1",), [0] * 1_000_000),))
    ),
    "a failure without words": lambda order, host: host.finish(
        order.id, Outcome(False, OwnFailure())
    ),
    "a failure of no text": lambda order, host: host.finish(
        order.id,
        Outcome(False, Reported(7)),  # type: ignore[arg-type]
    ),
    "finishes another order": lambda order, host: host.finish("s99", Outcome(True)),
    "senses None": lambda order, host: host.sense(order.id, None),  # type: ignore[arg-type]
    "senses for another order": lambda order, host: host.sense("s99", ()),
    "a timer raises": lambda order, host: host.clock.call_at(host.clock.now() + 1, boom),
    "a timer exits": lambda order, host: host.clock.call_at(host.clock.now() + 1, leave),
    "a timer raises what is no Exception": lambda order, host: host.clock.call_at(1.0, boom_beside),
    "a timer raises what has no message": lambda order, host: host.clock.call_at(
        1.0, boom_unreadable
    ),
    "a timer at NaN": lambda order, host: host.clock.call_at(NAN, boom),
    "a thread raises": in_thread,
}

CANCELS: dict[str, Callable[[], Any]] = {
    "raises": boom,
    "interrupts itself": interrupt,
    "exits": sys.exit,
    "raises what is no Exception": boom_beside,
    "returns None": lambda: None,
    "returns text": lambda: "cancelled",
    "returns NaN": lambda: Outcome(False, effects=(Effect("near", ("R1",), NAN),)),
}


class WrongNode(Behaviour):
    """A node whose methods are what a test says."""

    ports: ClassVar[dict[str, str]] = {}
    MAKE: ClassVar[Callable[[], object]] = lambda: None
    SETUP: ClassVar[Callable[[WrongNode], object]] = lambda node: None
    INITIALISE: ClassVar[Callable[[WrongNode], object]] = lambda node: None
    UPDATE: ClassVar[Callable[[WrongNode], Any]] = lambda node: Status.SUCCESS
    TERMINATE: ClassVar[Callable[[WrongNode], object]] = lambda node: None

    def __init__(self, name: str, ports: NodePorts) -> None:
        super().__init__(name)
        type(self).MAKE()
        self.io = ports
        self.ended: list[Status] = []

    def setup(self, **values: Any) -> None:
        """Do as the test says."""
        type(self).SETUP(self)

    def initialise(self) -> None:
        """Do as the test says."""
        type(self).INITIALISE(self)

    def update(self) -> Status:
        """Do as the test says."""
        return type(self).UPDATE(self)  # type: ignore[no-any-return]

    def terminate(self, new_status: Status) -> None:
        """Do as the test says."""
        self.ended.append(new_status)
        type(self).TERMINATE(self)


def timer_raises(node: WrongNode) -> Status:
    """Set a timer that raises, and wait."""
    node.io.clock.call_at(node.io.clock.now() + 1, boom)
    return Status.RUNNING


def thread_raises(node: WrongNode) -> Status:
    """Announce a thread that raises, and wait."""
    work = node.io.begin_external("the scale")

    def run() -> None:
        with work:
            boom()

    threading.Thread(target=run).start()
    return Status.RUNNING


METHODS: dict[str, tuple[str, Callable[[WrongNode], Any]]] = {
    "initialise raises": ("INITIALISE", lambda node: boom()),
    "initialise exits": ("INITIALISE", lambda node: sys.exit()),
    "update raises": ("UPDATE", lambda node: boom()),
    "update exits": ("UPDATE", lambda node: sys.exit()),
    "update raises what has no message": ("UPDATE", lambda node: boom_unreadable()),
    "update raises what is no Exception": ("UPDATE", lambda node: boom_beside()),
    "terminate raises what is no Exception": ("TERMINATE", lambda node: boom_beside()),
    "update recurses": ("UPDATE", lambda node: recurse()),
    "update interrupts itself": ("UPDATE", lambda node: interrupt()),
    "terminate exits": ("TERMINATE", lambda node: sys.exit(0)),
    "update gives None": ("UPDATE", lambda node: None),
    "update gives text": ("UPDATE", lambda node: "SUCCESS"),
    "update gives a list": ("UPDATE", lambda node: [Status.SUCCESS]),
    "update gives INVALID": ("UPDATE", lambda node: Status.INVALID),
    "update writes a port that is none": ("UPDATE", lambda node: node.io.set("x", 1)),
    "terminate raises": ("TERMINATE", lambda node: boom()),
    "a timer raises": ("UPDATE", timer_raises),
    "a thread raises": ("UPDATE", thread_raises),
}


PARSES: dict[str, Callable[..., Any]] = {
    "raises": lambda text, context: boom(),
    "exits": lambda text, context: sys.exit(),
    "raises what has no message": lambda text, context: boom_unreadable(),
    "raises what is no Exception": lambda text, context: boom_beside(),
    "interrupts itself": lambda text, context: interrupt(),
    "exits on the way": lambda text, context: leave_on_the_way({"kind": "yes", "quote": text}),
    "gives acts without end": lambda text, context: itertools.repeat({"kind": "yes"}),
    "gives None": lambda text, context: None,
    "gives text": lambda text, context: "yes",
    "gives numbers": lambda text, context: [1, 2],
    "gives acts of no kind": lambda text, context: [{"quote": text}],
    "gives NaN": lambda text, context: [{"kind": "yes", "quote": text, "sure": NAN}],
    "gives an object": lambda text, context: [{"kind": object(), "quote": text}],
    "gives a quote of its own": lambda text, context: [{"kind": "yes", "quote": "never said"}],
    "raises on the way": lambda text, context: (boom() for _ in range(2)),
}


def parse(text: str, context: object) -> Any:
    """The parser of a test's own; see ``PARSE``."""
    return PARSE["now"](text, context)


PARSE: dict[str, Callable[..., Any]] = {"now": lambda text, context: []}
