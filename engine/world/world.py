"""The world: typed state and facts that events change, each of which goes to the journal first.

There is one writer, the loop's thread. An event is tried on a draft of the state; when a reducer
refuses it, nothing is written and nothing changes; otherwise it is appended to the journal and
then stands. Replaying the journal gives the same state.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from treec.world.clock import Clock, VirtualClock
from treec.world.facts import FactError, FactKind, Facts
from treec.world.journal import FORMAT, Journal, Record, events, read_journal
from treec.world.state import Base, State, View
from treec.world.values import Value, freeze

Reducer = Callable[[State, Record], None]
"""Changes the state as an event says; raises :class:`Refused` when the event cannot be."""

Subscriber = Callable[[Record], None]


class Refused(Exception):
    """An event that cannot happen in today's world; ``reason`` says why, in plain words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class WorldError(Exception):
    """A mistake in the program, not in an event: a wrong thread, a kind nobody knows."""


class World:
    """State and facts, the events that made them, and who wants to hear of the next one.

    ``state`` are the variables a domain declares, with their defaults: ``state.set`` sets them and
    nothing else. ``slots`` are those that other reducers keep.
    """

    def __init__(
        self,
        clock: Clock,
        journal: Journal,
        reducers: Mapping[str, Reducer] = MappingProxyType({}),
        *,
        facts: Iterable[FactKind] = (),
        state: Mapping[str, object] = MappingProxyType({}),
        slots: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        if both := sorted(state.keys() & slots.keys()):
            raise WorldError(f"{', '.join(both)}: declared as state and kept by reducers")
        self.clock = clock
        self.journal = journal
        self._reducers = _all_reducers(reducers, frozenset(state))
        declared = {name: freeze(value) for name, value in state.items()}
        self._base = Base(facts, {**declared, **slots})
        self._version = 0
        self._writer = threading.get_ident()
        self._reducing = False
        self._subscribers: list[Subscriber] = []
        self._untold: deque[Record] = deque()
        self._telling = False

    # Reading

    @property
    def version(self) -> int:
        """The number of the last record that could change something: it grows with every change."""
        return self._version

    @property
    def state(self) -> View:
        """The state as it is now, and always: a read-only view, not a copy."""
        return self._base.view

    @property
    def facts(self) -> Facts:
        """The facts, read-only."""
        return self._base.view.facts

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Hear of every record once it stands, in order; call what is returned to hear no more."""
        self._subscribers.append(subscriber)

        def leave() -> None:
            if subscriber in self._subscribers:
                self._subscribers.remove(subscriber)

        return leave

    # Writing

    def claim(self) -> None:
        """Make the current thread the one that may write."""
        self._writer = threading.get_ident()

    def begin(self, data: Mapping[str, object], by: str = "run") -> Record:
        """The first record of a run: what it runs, its seed, and the journal's format."""
        return self.emit("run.begin", {**data, "format": FORMAT}, by)

    def emit(self, kind: str, data: Mapping[str, object], by: str) -> Record:
        """Let one event happen. Raises :class:`Refused`: then it did not."""
        if kind == "commit":
            raise WorldError("a commit is made by World.commit")
        return self._happen(kind, data, by)

    def commit(
        self,
        by: str,
        data: Mapping[str, object],
        events: Sequence[tuple[str, Mapping[str, object]]],
    ) -> Record:
        """Let several events happen as one record, or none of them.

        ``data`` says what the record is for. Each event sees what those before it did.
        """
        if "events" in data:
            raise WorldError("'events' in a commit's data are the events themselves")
        inner = [{"kind": kind, "data": event} for kind, event in events]
        return self._happen("commit", {**data, "events": inner}, by)

    def trace(self, kind: str, data: Mapping[str, object], by: str) -> None:
        """Write down what changes nothing, such as nodes' statuses: nobody is told, and the
        version stays, so that nobody looks at the world again because of it."""
        if threading.get_ident() != self._writer:
            raise WorldError(f"{kind!r} by {by}: only the loop's thread writes the journal")
        if self._reducers.get(kind) is not _no_effect:
            raise WorldError(f"{kind!r} by {by}: a trace is of a kind that changes nothing")
        self.journal.append(kind, by, data, self.clock.now())

    def restore(self, records: Iterable[Record]) -> None:
        """Bring the world to where a journal ends, writing and telling nothing.

        For resume: the journal given to the world is the one that goes on behind ``records``.
        """
        if self._version:
            raise WorldError("a world is restored before its first event")
        for record in records:
            draft = self._base.draft()
            try:
                self._reduce(draft, record)
            except Refused as error:
                raise WorldError(
                    f"record {record.n} ({record.kind}) cannot be replayed: {error.reason}"
                ) from error
            draft.adopt()
            self._version = record.n

    def _happen(self, kind: str, data: Mapping[str, object], by: str) -> Record:
        if threading.get_ident() != self._writer:
            raise WorldError(f"{kind!r} by {by}: only the loop's thread changes the world")
        if self._reducing:
            raise WorldError(f"{kind!r} by {by}: a reducer makes no events")
        record = self.journal.record(kind, by, data, self.clock.now())
        draft = self._base.draft()
        self._reduce(draft, record)
        self.journal.write(record)
        draft.adopt()
        self._version = record.n
        self._tell(record)
        return record

    def _reduce(self, state: State, record: Record) -> None:
        self._reducing = True
        try:
            for event in events(record):
                reducer = self._reducers.get(event.kind)
                if reducer is None:
                    raise WorldError(f"record {record.n}: nothing knows the event {event.kind!r}")
                reducer(state, event)
        finally:
            self._reducing = False

    def _tell(self, record: Record) -> None:
        # A subscriber may itself let something happen: that is told when all have heard of this.
        self._untold.append(record)
        if self._telling:
            return
        self._telling = True
        try:
            while self._untold:
                told = self._untold.popleft()
                for subscriber in tuple(self._subscribers):
                    subscriber(told)
        finally:
            self._telling = False


def replay(
    source: Path | Iterable[Record],
    reducers: Mapping[str, Reducer] = MappingProxyType({}),
    *,
    facts: Iterable[FactKind] = (),
    state: Mapping[str, object] = MappingProxyType({}),
    slots: Mapping[str, object] = MappingProxyType({}),
) -> View:
    """The state that a journal, or its records, lead to: equal to that of the run that wrote it."""
    records = read_journal(source) if isinstance(source, Path) else source
    unused = (VirtualClock(), Journal.in_memory())  # nothing new happens while replaying
    world = World(*unused, reducers, facts=facts, state=state, slots=slots)
    world.restore(records)
    return world.state


def _all_reducers(reducers: Mapping[str, Reducer], declared: frozenset[str]) -> dict[str, Reducer]:
    def state_set(state: State, record: Record) -> None:
        name = _text(record, "name")
        if name not in declared:
            known = ", ".join(sorted(declared)) or "none"
            raise Refused(f"no state is called {name!r} (there is: {known})")
        state[name] = _field(record, "value")

    own: dict[str, Reducer] = {
        "run.begin": _no_effect,
        "run.end": _no_effect,
        "note": _no_effect,
        "tree": _no_effect,
        "ticked": _no_effect,
        "node.raised": _no_effect,
        "fact.set": _fact_set,
        "fact.unknown": _fact_unknown,
        "fact.forget": _fact_forget,
        "state.set": state_set,
    }
    if both := sorted(own.keys() & reducers.keys()):
        raise WorldError(f"{', '.join(both)}: the world has reducers for these itself")
    if "commit" in reducers:
        raise WorldError("commit: its events have the reducers, not it")
    return {**own, **reducers}


def _no_effect(state: State, record: Record) -> None:
    """For events that are only told: the journal is their effect."""


def _fact_set(state: State, record: Record) -> None:
    """``{fact, args, value, source}``; a fact that is true or false may leave the value out."""
    name, args = _fact(record)
    value = record.data.get("value", True)
    try:
        state.facts.set(
            name, args, value, source=_text(record, "source"), since=record.t, by=record.by
        )
    except FactError as error:
        raise Refused(str(error)) from error


def _fact_unknown(state: State, record: Record) -> None:
    """``{fact, args}``: nobody knows any more."""
    name, args = _fact(record)
    try:
        state.facts.unknown(name, args, since=record.t, by=record.by)
    except FactError as error:
        raise Refused(str(error)) from error


def _fact_forget(state: State, record: Record) -> None:
    """``{fact, args}``: as if nobody had ever said."""
    name, args = _fact(record)
    try:
        state.facts.forget(name, args)
    except FactError as error:
        raise Refused(str(error)) from error


def _fact(record: Record) -> tuple[str, tuple[str, ...]]:
    args = record.data.get("args", ())
    if not isinstance(args, tuple):
        raise Refused(f"{record.kind}: 'args' must be a list of names, not {args!r}")
    return _text(record, "fact"), tuple(str(arg) for arg in args)


def _text(record: Record, field: str) -> str:
    value = _field(record, field)
    if not isinstance(value, str):
        raise Refused(f"{record.kind}: {field!r} must be text, not {value!r}")
    return value


def _field(record: Record, field: str) -> Value:
    if field not in record.data:
        raise Refused(f"{record.kind}: {field!r} is missing")
    return record.data[field]
