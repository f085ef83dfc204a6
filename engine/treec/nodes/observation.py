"""Snapshots of what a node sees: values for templates, and plain data to compare and store.

Plain data are one entity deep: an entity becomes its fields, an entity inside it becomes its name,
so that a proposal does not change when the robot that it names starts to move.
"""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Iterable, Mapping
from itertools import compress, count
from operator import is_not
from typing import cast

from treec.frozen import frozen
from treec.source.scope import Scope
from treec.team.entities import Act, Acts, Agent, Proposal, Subtask

_SKIPPED = frozenset({"t", "about", "can"})
_ENCODER = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"))

LONG, MAX_LISTS = 32, 16
"""The length from which tuples are cached, and the number of those that are."""

MAX_CACHED = 65_536
"""The number of cached texts of entities, in all of their versions."""
_ENTITIES = (Subtask, Agent, Proposal)
_cache: dict[int, tuple[object, str]] = {}
_sums: dict[int, tuple[object, bytes]] = {}
_lists: dict[int, tuple[tuple[object, ...], str]] = {}
_long_sums: deque[tuple[tuple[object, ...], int]] = deque(maxlen=MAX_LISTS)


@frozen(slots=False)
class Observation:
    """The values that a node saw, and a key that is equal while none of them has changed."""

    values: Mapping[str, object]
    key: tuple[object, ...]


def observe(names: Iterable[str], scope: Scope) -> Observation:
    """Look names up in a scope."""
    values = {name: scope.lookup(name) for name in names}
    return Observation(values, tuple(_value_key(values[name]) for name in sorted(values)))


def _value_key(value: object) -> object:
    """What is equal for values with the same plain data."""
    kind = type(value)
    if kind is tuple:
        return _TupleKey(cast("tuple[object, ...]", value))
    if kind is str or kind is bool or kind is int or value is None:
        return kind, value
    return _value_json(value)


def key_sum(key: Iterable[object]) -> str:
    """A check sum of an observation's key: the same in every process."""
    sums = hashlib.blake2b(digest_size=8)
    for part in key:
        items = part._items if isinstance(part, _TupleKey) else (repr(part),)
        if len(items) >= LONG:
            sums.update(_long_sum(items).to_bytes(8, "big"))
        else:
            sums.update(b"".join(map(_item_sum, items)))
        sums.update(b";")
    return sums.hexdigest()


def _long_sum(items: tuple[object, ...]) -> int:
    """A check sum of a long tuple: from a similar one seen before, only what differs is added."""
    nothing: tuple[tuple[object, ...], int] = ((), 0)
    before, total = next((k for k in reversed(_long_sums) if _is_similar(k[0], items)), nothing)
    differ = compress(count(), map(is_not, items, before)) if before else range(len(items))
    for number in differ:
        was = _item_number(before[number]) if before else 0
        total += (_item_number(items[number]) - was) * (2 * number + 1)
    total %= 1 << 64
    _long_sums.append((items, total))
    return total


def _is_similar(one: tuple[object, ...], two: tuple[object, ...]) -> bool:
    return len(one) == len(two) and (one[0] is two[0] or one[-1] is two[-1])


def _item_number(item: object) -> int:
    return int.from_bytes(_item_sum(item), "big")


def _item_sum(item: object) -> bytes:
    """The check sum of an item's plain data; cached for entities."""
    cached = _sums.get(id(item))
    if cached is not None and cached[0] is item:
        return cached[1]
    found = hashlib.blake2b(_value_json(item).encode(), digest_size=8).digest()
    if isinstance(item, _ENTITIES):
        if len(_sums) >= MAX_CACHED:
            _sums.clear()
        _sums[id(item)] = (item, found)
    return found


class _TupleKey:
    """The key of a tuple: compared item by item, by the plain data of those that differ.

    Most items are the same objects as before, so most are never written out.
    """

    def __init__(self, items: tuple[object, ...]) -> None:
        self._items = items

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _TupleKey):
            return False
        mine, theirs = self._items, other._items
        if len(mine) != len(theirs):
            return False
        pairs = compress(zip(mine, theirs, strict=True), map(is_not, mine, theirs))
        return mine is theirs or all(_value_json(one) == _value_json(two) for one, two in pairs)

    __hash__ = None  # type: ignore[assignment]


def fingerprint(values: Mapping[str, object]) -> str:
    """The values' plain data as JSON: the same text for the same values in every process."""
    items = (f"{_json(name)}:{_value_json(values[name])}" for name in sorted(values))
    return "{" + ",".join(items) + "}"


def _value_json(value: object) -> str:
    """A value's plain data as JSON; cached for entities."""
    if type(value) is tuple:
        return _tuple_json(value) if len(value) >= LONG else _items_json(value)
    if not isinstance(value, _ENTITIES):
        return _json(plain(value))
    cached = _cache.get(id(value))
    if cached is not None and cached[0] is value:
        return cached[1]
    if len(_cache) >= MAX_CACHED:
        _cache.clear()
    text = _json(plain(value))
    _cache[id(value)] = (value, text)
    return text


def _tuple_json(value: tuple[object, ...]) -> str:
    """A long tuple's text, kept as long as the same one is seen."""
    cached = _lists.get(id(value))
    if cached is not None and cached[0] is value:
        return cached[1]
    if len(_lists) >= MAX_LISTS:
        _lists.clear()
    text = _items_json(value)
    _lists[id(value)] = (value, text)
    return text


def _items_json(value: tuple[object, ...]) -> str:
    texts = []
    for item in value:
        cached = _cache.get(id(item))
        is_known = cached is not None and cached[0] is item
        texts.append(cached[1] if cached is not None and is_known else _value_json(item))
    return "[" + ",".join(texts) + "]"


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
    names = (field for field in getattr(type(value), "treec_fields", ()) if field not in _SKIPPED)
    return {field: plain(getattr(value, field), 1) for field in names}
