"""The world: typed state and facts, changed only by events, which are journalled first.

There is one writer, the loop's thread. An event is tried on a draft of the state. If it is refused,
nothing is written and nothing changes; otherwise it is appended to the journal and the draft is
adopted. Replaying the journal gives the same state.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from treec.foreign import ForeignError, guard, is_foreign
from treec.world.clock import Clock
from treec.world.events import Event, EventRefused, UnknownEvent, flat
from treec.world.facts import FactKind, Facts
from treec.world.journal import Journal, Record
from treec.world.state import State, StateBase, StateView
from treec.world.values import freeze
from treec.world.watch import DependencyWatch

Subscriber = Callable[[Record], None]


class WorldError(Exception):
    """A programming error, not a refused event: a wrong thread, an unknown kind."""


class World:
    """State and facts, the events that change them, and the subscribers to those events.

    ``state`` are the variables declared by the domain with their defaults, which only ``state.set``
    changes. ``slots`` are changed by other events.
    """

    def __init__(
        self,
        clock: Clock,
        journal: Journal,
        *,
        facts: Iterable[FactKind] = (),
        state: Mapping[str, object] = MappingProxyType({}),
        slots: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        if both := sorted(state.keys() & slots.keys()):
            raise WorldError(f"{', '.join(both)}: declared as state and kept as slots")
        self.clock = clock
        self.journal = journal
        declared = {name: freeze(value) for name, value in state.items()}
        self._base = StateBase(facts, {**declared, **slots}, frozenset(declared))
        self.watch = DependencyWatch(clock)
        """What the present tick has read."""
        self._version = 0
        self._restored: float | None = None
        self._writer = threading.get_ident()
        self._changing = False
        self._subscribers: list[Subscriber] = []
        self._trace_subscribers: list[Subscriber] = []
        self._unpublished: deque[Record] = deque()
        self._publishing = False

    # Reading

    def now(self) -> float:
        """The time; while a run is restored, that of its last record."""
        return self.clock.now() if self._restored is None else self._restored

    @property
    def version(self) -> int:
        """The number of the last record that may have changed the state."""
        return self._version

    @property
    def state(self) -> StateView:
        """The current state: a read-only live view, not a copy."""
        return self._base.view

    @property
    def facts(self) -> Facts:
        """The facts, read-only."""
        return self._base.view.facts

    def subscribe(self, subscriber: Subscriber, *, traces: bool = False) -> Callable[[], None]:
        """Call ``subscriber`` with each record after it is written; returns how to unsubscribe.

        With ``traces``, records written by :meth:`trace` are included.
        """
        lists = [self._subscribers, *([self._trace_subscribers] if traces else [])]
        for subscribers in lists:
            subscribers.append(subscriber)

        def unsubscribe() -> None:
            for subscribers in lists:
                if subscriber in subscribers:
                    subscribers.remove(subscriber)

        return unsubscribe

    # Writing

    def claim(self) -> None:
        """Make the current thread the writer."""
        self._writer = threading.get_ident()

    def emit(self, event: Event, by: str) -> Record:
        """Apply an event, or all events of a commit. Raises EventRefused; then nothing changed."""
        if threading.get_ident() != self._writer:
            raise WorldError(f"{event.kind!r} by {by}: only the loop's thread changes the world")
        if self._changing:
            raise WorldError(f"{event.kind!r} by {by}: an event cannot emit another one")
        if isinstance(event, UnknownEvent):
            raise WorldError(f"{event.name!r} by {by}: {event.problem}")
        record = self.journal.record(event, by, self.clock.now())
        draft = self._base.draft()
        self._change(draft, record)
        self.journal.write(record)
        draft.adopt()
        self._version = record.n
        self._publish(record)
        return record

    def trace(self, event: Event, by: str) -> None:
        """Record an event that changes no state, such as the statuses of nodes.

        The version stays the same and only subscribers to traces are called, so no node is woken.
        """
        if threading.get_ident() != self._writer:
            raise WorldError(f"{event.kind!r} by {by}: only the loop's thread writes the journal")
        if type(event).change is not Event.change:
            raise WorldError(f"{event.kind!r} by {by}: a trace is of a kind that changes nothing")
        record = self.journal.append(event, by, self.clock.now())
        for subscriber in tuple(self._trace_subscribers):
            subscriber(record)

    def restore(self, records: Iterable[Record]) -> None:
        """Apply records without writing them or calling subscribers.

        For resume, where the world's journal continues after ``records``.
        """
        if self._version:
            raise WorldError("a world is restored before its first event")
        state = self._base.in_place()
        for record in records:
            self._version, self._restored = record.n, record.t
            if type(record.event).change is Event.change:
                continue
            try:
                self._change(state, record)
            except EventRefused as error:
                raise WorldError(
                    f"record {record.n} ({record.kind}) cannot be replayed: {error.reason}"
                ) from error
        self._restored = None

    def _change(self, state: State, record: Record) -> None:
        self._changing = True
        module = next(filter(is_foreign, (type(it).__module__ for it in flat(record.event))), None)
        try:
            if module is None:
                record.event.change(state, record)
            else:
                with guard(module, Exception):  # a wrong event is a bug of its package
                    record.event.change(state, record)
        except ForeignError as error:
            raise EventRefused(f"the event '{record.kind}': {error}") from error
        finally:
            self._changing = False

    def _publish(self, record: Record) -> None:
        # A subscriber may emit events itself: they are published after this one.
        self._unpublished.append(record)
        if self._publishing:
            return
        self._publishing = True
        try:
            while self._unpublished:
                next_record = self._unpublished.popleft()
                for subscriber in tuple(self._subscribers):
                    subscriber(next_record)
        finally:
            self._publishing = False
