"""Monitors contracts with `eventually` during a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import cast

from treec.files.entry import Entry
from treec.files.systems import ContractFile, Eventually
from treec.run.condensed import LATE
from treec.run.events import ContractBroken, Ticked
from treec.run.users import evaluate_or_none
from treec.source.scope import MappingScope
from treec.team.entities import Utterance
from treec.team.names import WorldScope
from treec.world.clock import Clock
from treec.world.journal import Record
from treec.world.world import World


@dataclass
class Monitor:
    """Starts a deadline for each item of a contract and journals those that are missed."""

    contracts: Sequence[Entry[ContractFile]]
    scope: WorldScope
    world: World
    clock: Clock
    on_broken: Callable[[str, str, str], None] = lambda contract, each, id: None
    """Called with the name of a broken contract, what it is about, and the id of the item."""
    broken: list[tuple[str, str]] = field(default_factory=list)
    _open: dict[tuple[str, str], tuple[object, float]] = field(default_factory=dict)
    _seen: dict[str, set[str]] = field(default_factory=dict)
    _last_items: dict[str, Mapping[str, object]] = field(default_factory=dict)
    _recalled: float = 0.0

    def recall(self, records: Iterable[Record]) -> Iterator[Record]:
        """Yield the records of a run that is resumed, to be applied, and watch what they change.

        :meth:`take_up` sets the timers of the deadlines that are still open.
        """
        if not any(entry.model.eventually for entry in self.contracts):
            yield from records
            return
        for record in records:
            if record.t > self._recalled:
                self.look(at=self._recalled)
            self._recalled = record.t
            yield record
            if isinstance(record.event, ContractBroken):
                key = (record.event.contract, record.event.item)
                item, _ = self._open.pop(key, (key[1], 0.0))
                self.broken.append((key[0], str(item)))
            elif isinstance(record.event, Ticked):
                self.look(at=record.t)

    def take_up(self) -> None:
        """Set the timers of deadlines that were open when the run was cut off."""
        self.look(at=self._recalled)
        promises = {entry.name: entry.model.eventually for entry in self.contracts}
        for key, (_, due) in self._open.items():
            promise = promises[key[0]]
            assert promise is not None
            self.clock.call_at(due, self._due(key, promise, key[0]))

    def look(self, at: float | None = None) -> None:
        """Start deadlines for new items and drop those that hold; called after ticks.

        ``at`` is the time of a tick of a run that is resumed: what had not broken long after its
        deadline, had been met, though the records that show it may be left out.
        """
        if at is not None:
            self._open = {key: it for key, it in self._open.items() if it[1] > at - LATE}
        for entry in self.contracts:
            promise = entry.model.eventually
            if promise is None:
                continue
            items = self._items(promise)
            if self._last_items.get(entry.name) is not items:
                self._last_items[entry.name] = items
                self._watch(entry.name, promise, items, at)
            for key in [key for key in self._open if key[0] == entry.name]:
                if self._holds(promise, key[1]):
                    del self._open[key]

    def _watch(
        self, name: str, promise: Eventually, items: Mapping[str, object], at: float | None
    ) -> None:
        people = self.scope.team.knowledge.people
        seen = self._seen.setdefault(name, set())
        for id in _new(items, seen):
            item = items[id]
            key = (name, id)
            seen.add(id)
            if not isinstance(item, Utterance) or item.who in people:
                due = (self.clock.now() if at is None else at) + promise.within
                self._open[key] = (item, due)
                if at is None:
                    self.clock.call_at(due, self._due(key, promise, name))

    def _items(self, promise: Eventually) -> Mapping[str, object]:
        now = self.scope.team.now
        match promise.each:
            case "utterance":
                return now.utterances
            case "subtask":
                return now.subtasks
            case "proposal":
                return now.proposals
        return {}

    def _holds(self, promise: Eventually, id: str) -> bool:
        item = self._items(promise).get(id)
        scope = MappingScope({promise.each: item}, parent=self.scope)
        return bool(evaluate_or_none(promise.require, scope))

    def _due(self, key: tuple[str, str], promise: Eventually, name: str) -> Callable[[], None]:
        def check() -> None:
            if key not in self._open or self._holds(promise, key[1]):
                self._open.pop(key, None)
                return
            item, _ = self._open.pop(key)
            self.broken.append((name, str(item)))
            self.world.emit(ContractBroken(name, key[1], promise.within), "monitor")
            self.on_broken(name, promise.each, key[1])

        return check


def _new(items: Mapping[str, object], seen: set[str]) -> list[str]:
    """The items that were not seen yet, in their order; none ever goes, and new ones are last."""
    last = list(islice(reversed(cast("dict[str, object]", items)), max(0, len(items) - len(seen))))
    if any(id in seen for id in last):
        return [id for id in items if id not in seen]
    return last[::-1]
