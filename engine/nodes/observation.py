"""What a node sees, frozen: values for its templates, and plain data to compare and to keep.

Plain data go one entity deep: an entity is its fields, an entity inside it its name, so that a
proposal does not change because the robot it names has begun to move.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from treec.source.scope import Scope
from treec.team.entities import Act, Acts, Subtask

_SKIPPED = frozenset({"t", "about", "can"})
_ENCODER = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"))

MOST_KEPT = 4096
"""Subtasks whose text is kept, in all of their versions."""
_kept: dict[int, tuple[Subtask, str]] = {}


@dataclass(frozen=True)
class Observation:
    """The values a node saw, and a key that is equal when nothing of them has changed."""

    values: Mapping[str, object]
    key: str


def observe(names: Iterable[str], scope: Scope) -> Observation:
    """Look at names in a scope."""
    values = {name: scope.lookup(name) for name in names}
    return Observation(values, fingerprint(values))


def fingerprint(values: Mapping[str, object]) -> str:
    """The same text for the same values, in every process: their plain data as JSON."""
    items = (f"{_json(name)}:{_shown(values[name])}" for name in sorted(values))
    return "{" + ",".join(items) + "}"


def _shown(value: object) -> str:
    """A value's plain data as JSON; that of a subtask is kept, for there are ever more of them."""
    if type(value) is tuple:
        return "[" + ",".join(map(_shown, value)) + "]"
    if not isinstance(value, Subtask):
        return _json(plain(value))
    kept = _kept.get(id(value))
    if kept is not None and kept[0] is value:
        return kept[1]
    if len(_kept) >= MOST_KEPT:
        _kept.clear()
    text = _json(plain(value))
    _kept[id(value)] = (value, text)
    return text


def _json(data: object) -> str:
    return _ENCODER.encode(data)


def plain(value: object, depth: int = 0) -> object:
    """A value as plain JSON data."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Acts):
        return [plain(act, depth) for act in value]
    if isinstance(value, Act):
        fields = {name: plain(item, 1) for name, item in value.fields.items()}
        return {"id": value.id, "kind": value.kind, "quote": value.quote, **fields}
    if isinstance(value, Mapping):
        return {str(key): plain(item, depth) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item, depth) for item in value]
    name = getattr(value, "__treec_name__", None)
    if name is None:
        return str(value)
    if depth:
        return str(name)
    shown = (field for field in getattr(type(value), "treec_fields", ()) if field not in _SKIPPED)
    return {field: plain(getattr(value, field), 1) for field in shown}
