"""Converts the world at one moment to plain data for a case file, and back.

Stored are the team, the state, and facts that differ from the scene; defaults are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import lru_cache
from io import BytesIO
from types import MappingProxyType
from typing import Any

from treec.extensions import StateSlot, registry
from treec.files.view import View
from treec.nodes.make_world import WorldStart, make_world
from treec.run.run import initial_events
from treec.source.diagnostics import unknown
from treec.team.state import empty_slots
from treec.world.clock import VirtualClock
from treec.world.events import Commit, Event, FactSet, FactUnknown, RunBegin
from treec.world.facts import FactValue
from treec.world.journal import Journal
from treec.world.values import freeze, thaw
from treec.world.world import World, WorldError

Fact = Mapping[str, object]
"""``{fact, args, value, source, since}``; unknown without a value."""


class InvalidWorld(ValueError):
    """Data that do not describe a world. The message has the reason."""


@dataclass
class StoredWorld:
    """The content of a world. ``t``: seconds since its run began."""

    slots: dict[str, object] = field(default_factory=lambda: dict(empty_slots()))
    state: dict[str, object] = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    t: float = 0.0

    def start(self, view: View) -> WorldStart:
        """Where a run from this world starts. Raises InvalidWorld."""
        wrong = sorted(set(self.state) - set(view.state))
        if wrong:
            raise InvalidWorld(unknown("state", wrong[0], view.state))
        slots = {name: _frozen(value) for name, value in self.slots.items()}
        return WorldStart(self.state, slots, (*_scene(view), *map(_event, self.facts)))

    def world(self, view: View) -> World:
        """Make the world. Raises InvalidWorld."""
        start = self.start(view)
        journal = Journal.in_memory()
        journal.append(RunBegin(), "run", 0.0)
        journal.append(Commit("scene", start.facts), "scene", 0.0)
        records = journal.records
        journal = Journal(BytesIO(), records[-1])
        world = make_world(view, VirtualClock(self.t), journal, start)
        try:
            world.restore(records)
        except WorldError as error:
            raise InvalidWorld(f"impossible facts: {error.__cause__ or error}") from None
        return world


@lru_cache(maxsize=8)
def _scene(view: View) -> tuple[FactSet, ...]:
    """The facts at the start of a scene, cached: every decision needs them."""
    return tuple(event for event in initial_events(view) if isinstance(event, FactSet))


def _frozen(value: object) -> object:
    return MappingProxyType(value) if isinstance(value, dict) else value


def _event(fact: Fact) -> Event:
    name, args = fact.get("fact"), fact.get("args", ())
    if not isinstance(name, str) or not isinstance(args, list | tuple):
        raise InvalidWorld(f"a fact has a name and a list of arguments, not {name!r} and {args!r}")
    if "value" not in fact:
        return FactUnknown(name, tuple(args))
    return FactSet(name, tuple(args), fact["value"], str(fact.get("source", "told")))


def to_plain(world: World, view: View) -> dict[str, object]:
    """The content of a world, without facts of the scene and defaults."""
    data: dict[str, object] = {"t": world.clock.now()}
    for name, empty in empty_slots().items():
        value = world.state[name]
        if value == empty:
            continue
        if name == "agents":
            assert isinstance(value, Mapping)
            moved = {key: _plain(agent) for key, agent in value.items()}
            data[name] = {key: agent for key, agent in moved.items() if agent}
        elif isinstance(value, Mapping):
            data[name] = {str(key): _plain(item) for key, item in value.items()}
        elif isinstance(value, tuple):
            data[name] = [_plain(item) for item in value]
        else:
            data[name] = value
    declared = {name: freeze(spec.default) for name, spec in view.state.items()}
    changed = {n: world.state[n] for n, default in declared.items() if world.state[n] != default}
    if changed:
        data["state"] = {name: thaw(value) for name, value in changed.items()}  # type: ignore[arg-type]
    facts = list(_changed_facts(world, view))
    if facts:
        data["facts"] = facts
    return {name: value for name, value in data.items() if value not in ({}, [])}


def _changed_facts(world: World, view: View) -> Iterable[dict[str, object]]:
    before = {(event.fact, event.args): event.value for event in _scene(view)}
    for (name, args), held in world.facts:
        if held.source == "scene" and before.get((name, args)) == held.value:
            continue
        yield _fact(name, args, held)


def _fact(name: str, args: tuple[str, ...], fact: FactValue) -> dict[str, object]:
    data: dict[str, object] = {"fact": name, "args": list(args)}
    if fact.source != "unknown":
        data |= {"value": thaw(fact.value), "source": fact.source}
    return data


def _plain(value: object) -> object:
    """A stored object as a mapping of the fields that differ from their defaults."""
    if not is_dataclass(value):
        return thaw(value)  # type: ignore[arg-type]
    data: dict[str, object] = {}
    for one in fields(value):
        item = getattr(value, one.name)
        default = one.default_factory() if one.default_factory is not MISSING else one.default
        if item != default and one.name != "person":
            data[one.name] = thaw(item)
    return data


def from_plain(data: Mapping[str, object], view: View) -> StoredWorld:
    """The inverse of :func:`to_plain`, also for hand-written data. Raises InvalidWorld."""
    known = {*empty_slots(), "state", "facts", "t"}
    wrong = sorted(set(data) - known)
    if wrong:
        raise InvalidWorld(unknown("key of a world", wrong[0], sorted(known)))
    stored = StoredWorld(t=_number(data.get("t", 0.0)))
    stored.state = dict(_mapping("state", data.get("state", {})))
    facts = data.get("facts", [])
    if not isinstance(facts, list) or not all(isinstance(fact, Mapping) for fact in facts):
        raise InvalidWorld("'facts' is a list of {fact, args, value, source}")
    stored.facts = facts
    people = set(view.people)
    agents = registry().slots["agents"]
    entries = {name: {} for name in view.agents} | dict(_mapping("agents", data.get("agents", {})))
    stored.slots["agents"] = {
        name: _item(agents, f"'{name}'", {**_mapping(name, fields_), "person": name in people})
        for name, fields_ in entries.items()
    }
    for slot in registry().slots.values():
        if slot.items and slot.name != "agents":
            stored.slots[slot.name] = _items(slot, data.get(slot.name))
    stored.slots["recipe"] = str(data.get("recipe", ""))
    stored.slots["recipe_t"] = _number(data.get("recipe_t", 0.0))
    counts = _mapping("counts", data.get("counts", {}))
    stored.slots["counts"] = counts or _count(stored.slots)
    return stored


def _count(slots: Mapping[str, Any]) -> dict[str, object]:
    """Counters for new ids, above the existing ones."""
    return {"utterance": len(slots["utterances"]), "proposal": len(slots["proposals"])}


def _items(slot: StateSlot, data: object) -> object:
    """What is in a slot of items: a table, or a list of them."""
    if isinstance(slot.empty, Mapping):
        table = _mapping(slot.name, data)
        return {name: _item(slot, f"'{name}'", _mapping(name, one)) for name, one in table.items()}
    if not isinstance(data or [], list):
        raise InvalidWorld(f"'{slot.name}' is a list")
    return tuple(_item(slot, "an item", _mapping(slot.name, one)) for one in data or ())  # type: ignore[attr-defined]


def _item(slot: StateSlot, what: str, data: Mapping[str, object]) -> object:
    kind: type[Any] = registry().load(slot.items)  # type: ignore[assignment]
    known = {one.name for one in fields(kind)}
    wrong = sorted(set(data) - known)
    if wrong:
        raise InvalidWorld(f"{slot.name}: {what}: {unknown('key', wrong[0], sorted(known))}")
    try:
        return kind(**{key: freeze(value) for key, value in data.items()})
    except TypeError as error:
        missing = str(error).partition(": ")[2]
        raise InvalidWorld(f"{slot.name}: {what} lacks {missing}") from None


def _mapping(name: str, value: object) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidWorld(f"'{name}' is a mapping, not {value!r}")
    return {str(key): item for key, item in value.items()}


def _number(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    raise InvalidWorld(f"a time is a number of seconds, not {value!r}")
