"""Contracts that say what must come to hold: watched while the run goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.files.entry import Entry
from engine.files.systems import ContractFile, Eventually
from engine.run.users import value_now
from engine.source.scope import MappingScope
from engine.team.names import WorldScope
from engine.world.clock import Clock
from engine.world.world import World


@dataclass
class Monitor:
    """Waits for each thing a contract speaks of; what comes too late is noted in the journal."""

    contracts: Sequence[Entry[ContractFile]]
    scope: WorldScope
    world: World
    clock: Clock
    broken: list[tuple[str, str]] = field(default_factory=list)
    _open: dict[tuple[str, str], tuple[object, float]] = field(default_factory=dict)
    _known: set[tuple[str, str]] = field(default_factory=set)

    def look(self) -> None:
        """Begin to watch what is new, and let go of what holds; the loop calls this each tick."""
        for entry in self.contracts:
            promise = entry.model.eventually
            if promise is None:
                continue
            for id, item in self._items(promise).items():
                key = (entry.name, id)
                if key not in self._known:
                    self._known.add(key)
                    due = self.clock.now() + promise.within
                    self._open[key] = (item, due)
                    self.clock.call_at(due, self._due(key, promise, entry.name))
            for key in [key for key in self._open if key[0] == entry.name]:
                if self._holds(promise, key[1]):
                    del self._open[key]

    def _items(self, promise: Eventually) -> Mapping[str, object]:
        now = self.scope.team.now
        people = self.scope.team.knowledge.people
        match promise.each:
            case "utterance":
                return {id: u for id, u in now.utterances.items() if u.who in people}
            case "subtask":
                return dict(now.subtasks)
            case "proposal":
                return dict(now.proposals)
        return {}

    def _holds(self, promise: Eventually, id: str) -> bool:
        item = self._items(promise).get(id)
        scope = MappingScope({promise.each: item}, parent=self.scope)
        return bool(value_now(promise.require, scope))

    def _due(self, key: tuple[str, str], promise: Eventually, name: str) -> Callable[[], None]:
        def check() -> None:
            if key not in self._open or self._holds(promise, key[1]):
                self._open.pop(key, None)
                return
            item, _ = self._open.pop(key)
            self.broken.append((name, str(item)))
            told = {"contract": name, "item": key[1], "within": promise.within}
            self.world.emit("contract.broken", told, "monitor")

        return check
