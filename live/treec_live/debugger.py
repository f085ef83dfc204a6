"""Holds a run for somebody who looks for a mistake from elsewhere, and does to it what they say.

Orders come through the inbox: pause, step, go on, pause at a node, answer a question, inject a
fault. What was done is in the journal (`debugged`, `injected`). While a run is held it
ticks nothing and its own clock stands still; robots, models and other threads outside it go on, and
what they report waits. The stop button works as ever: its messages are taken at once.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast, get_args

from py_trees.common import Status

from treec.nodes.approval import ApprovalQuestion, Approved, NotAnswered
from treec.program.faults import Fault, InvalidFault, read_faults
from treec.run.live_run import InvalidOrder
from treec.run.node_patterns import fits, no_node
from treec.run.status_recorder import path_of, walk
from treec.run.stop_button import SOURCE as STOP
from treec.source.diagnostics import unknown
from treec.world.clock import RealClock
from treec.world.inbox import InboxMessage
from treec_live.events import Debugged
from treec_live.node_changes import NodeChange, NodeChanges

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treec.run.run import Run

SOURCE = "debugger"

LOOK = 0.2
"""Real seconds between two looks whether a run that is held is to end."""

MOST_CHANGES = 200
"""How many of the nodes that a tick has changed are named."""

Did = Literal["pause", "step", "go on", "pause at", "approve", "yes", "no", "inject"]
"""What can be ordered."""

NOW: tuple[Did, ...] = ("pause", "step", "go on", "pause at", "approve", "yes", "no")
"""What can be done within a tick; the rest waits until it is over."""


@dataclass(frozen=True, slots=True)
class DebugOrder:
    """What is to be done, to what, and by whom."""

    did: Did
    about: str
    by: str = SOURCE
    fault: Fault | None = None


class Debugger:
    """Holds a run and lets it go on."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._changes = NodeChanges(run.loop)
        self._stepping = False
        self._pausing = False
        self._held = False
        self._in_tick = False
        self._at: tuple[str, ...] = ()
        self._approve: frozenset[Approved] = frozenset()
        self._asked: ApprovalQuestion | None = None
        self._answer: bool | None = None
        self._number = 0
        self._seen: tuple[NodeChange, ...] = ()
        self._later: list[InboxMessage] = []

        run.loop.handlers[SOURCE] = self.take
        run.loop.after_tick.append(self.look)

    # From any thread

    def read(self, did: str, about: str, by: str) -> DebugOrder:
        """An order in words. Raises InvalidOrder."""
        if did not in get_args(Did):
            raise InvalidOrder(unknown("order", did, get_args(Did)))
        order = DebugOrder(cast(Did, did), about.strip(), by)
        match did:
            case "pause at" if about.strip():
                self._find(about.strip())
            case "approve":
                read_approved(about)
            case "yes" | "no" if not about.strip().isdigit():
                raise InvalidOrder("an answer names the number of its question")
            case "inject":
                return DebugOrder("inject", about, by, self._read_fault(about))
        return order

    def post(self, order: DebugOrder) -> None:
        """Give an order; it is carried out at once if the run is held, else with the next tick."""
        self._run.inbox.post(SOURCE, order)

    def data(self) -> dict[str, object]:
        """What it does, as plain data."""
        asked, number = self._asked, self._number
        return {
            "held": self._held,
            "question": None if asked is None else {"number": number, "words": asked.words},
            "stepping": self._stepping,
            "pause_at": list(self._at),
            "approve": sorted(self._approve),
            "failing": list(self._run.runtime.faults.waiting),
            "mocks": [f"{mock.name}={mock.script}" for mock in self._run.mocks],
            "changed": [
                {"path": one.path, "status": one.status.name, "reached": one.reached}
                for one in self._seen[:MOST_CHANGES]
            ],
        }

    # In the loop's thread

    def take(self, message: InboxMessage) -> None:
        """Carry out an order; the loop's message handler."""
        order = cast(DebugOrder, message.payload)
        if self._in_tick and order.did not in NOW:
            self._later.append(message)
            return
        match order.did:
            case "yes" | "no":
                if self._asked is None or order.about != str(self._number):
                    return  # to a question that is no more
                self._answer = order.did == "yes"
                self.note(order.did, self._asked.words, order.by)
                return
            case "inject":
                assert order.fault is not None
                self._run.injector.inject(order.fault, order.by)
                return
        self.note(order.did, order.about, order.by)
        match order.did:
            case "pause" if not self._held or self._in_tick:
                self._pausing = True
                self._changes.forget()
            case "step":
                self._stepping, self._held = True, False
                self._changes.forget()
            case "go on":
                self._stepping = self._pausing = self._held = False
            case "pause at":
                self._at = (order.about,) if order.about else ()
                self._changes.forget()
            case "approve":
                self._approve = read_approved(order.about)
                self._run.runtime.approve = self.approve if self._approve else None
                if self._asked is not None and self._asked.what not in self._approve:
                    self._answer = True  # nobody wants to be asked about it any more

    def look(self) -> None:
        """Hold the run where that is wanted; called after each tick."""
        if not self._stepping and not self._pausing and not self._at:
            return
        changes = self._changes.look(self._at)
        reached = [one.path for one in changes if one.reached]
        if not reached and not self._pausing and not (changes and self._stepping):
            return
        self._pausing = False
        self._seen = (*(c for c in changes if c.reached), *(c for c in changes if not c.reached))
        self.note("paused", ", ".join(reached), SOURCE)
        self._hold(lambda: self._held)

    def hold_at(self, path: str, status: Status) -> None:
        """Hold the run within a tick, at a node, until somebody lets it go on."""
        self._seen = (NodeChange(path, status, reached=True),)
        self.note("paused", path, SOURCE)
        with self._ticking():
            self._hold(lambda: self._held)

    def approve(self, asked: ApprovalQuestion) -> bool:
        """Ask whether something may happen, and hold the run meanwhile. Raises NotAnswered."""
        if asked.what not in self._approve:
            return True
        self._number += 1
        self._asked, self._answer = asked, None
        try:
            with self._ticking():
                self._hold(lambda: self._answer is None)
        finally:
            self._asked = None
        if self._answer is None:
            raise NotAnswered
        return self._answer

    def _hold(self, is_wanted: Callable[[], bool]) -> None:
        run = self._run
        self._held, run.loop.turn_began = True, None  # nobody is late who is held
        if isinstance(run.clock, RealClock):
            run.clock.hold()
        try:
            while is_wanted() and not run.loop.is_stopping:
                run.loop.beats += 1
                if not self._in_tick:
                    run.world.journal.commit()
                for message in run.inbox.take((STOP, SOURCE), LOOK):
                    run.loop.handlers[message.source](message)
        finally:
            self._held = False
            self._seen = ()
            if isinstance(run.clock, RealClock):
                run.clock.release()

    @contextmanager
    def _ticking(self) -> Iterator[None]:
        """Within a tick the tree and the facts stay as they are."""
        self._in_tick = True
        try:
            yield
        finally:
            self._in_tick = False
            later, self._later = self._later, []
            for message in later:
                self._run.inbox.post(SOURCE, message.payload)

    def _read_fault(self, text: str) -> Fault:
        """A fault that happens at once. Raises InvalidOrder."""
        try:
            (fault,) = read_faults([text], self._run.view)
        except InvalidFault as error:
            raise InvalidOrder(str(error)) from None
        mocked = [mock.name for mock in self._run.mocks]
        if not fault.is_standing:
            raise InvalidOrder(f"'{text}': leave the time out, a fault happens at once")
        if fault.word == "mock":
            self._find(fault.name)
        elif fault.word == "unmock" and fault.name not in mocked:
            raise InvalidOrder(f"unknown mock '{fault.name}'; there are: {', '.join(mocked)}")
        return fault

    def _find(self, pattern: str) -> None:
        """Raise InvalidOrder if no node fits a pattern."""
        root = self._run.loop.root
        if not any(fits(pattern, path_of(node)) for node, _ in walk(root)):
            raise InvalidOrder(no_node(pattern, root))

    def note(self, did: str, about: str, by: str) -> None:
        """Record what was done; in the loop's thread."""
        self._run.world.trace(Debugged(did, about), by)


def read_approved(text: str) -> frozenset[Approved]:
    """What is asked about: `skills`, `actions`, both, or nothing. Raises InvalidOrder."""
    try:
        return frozenset(map(Approved, text.split()))
    except ValueError:
        known = " ".join(Approved)
        raise InvalidOrder(f"unknown approvals '{text}'; write {known}, or nothing") from None
