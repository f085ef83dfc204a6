"""A mapping that keeps its earlier versions: a change costs what has changed, not the whole.

The newest version holds a dict, in the order in which keys were added. An earlier one holds what
was different in it, and the version after it; those that nobody refers to are freed. Keys are never
removed. Groups of keys are kept up to date with the newest version; see ``PersistentMap.where``.
"""

from __future__ import annotations

from collections.abc import (
    Callable,
    Collection,
    Hashable,
    ItemsView,
    Iterable,
    Iterator,
    Mapping,
    ValuesView,
)
from operator import ne
from typing import Any, Generic, TypeVar, cast

K = TypeVar("K")
V = TypeVar("V")

Grouping = Callable[[V], Collection[Hashable]]
"""The groups that a key belongs to, by its value; a module's function, which is also their name."""

_MISSING: Any = object()

_FAR = 64
"""Versions through which one is read; of an older one the whole is copied."""


class PersistentMap(Mapping[K, V], Generic[K, V]):
    """A read-only mapping; :meth:`set` returns the next version."""

    __slots__ = ("_before", "_groups", "_items", "_key", "_newer", "_size")

    def __init__(self, items: Mapping[K, V] | Iterable[tuple[K, V]] = ()) -> None:
        self._items: dict[K, V] | None = dict(items)
        self._size = len(self._items)
        self._groups: dict[Grouping[V], dict[Hashable, dict[K, None]]] = {}
        self._newer: PersistentMap[K, V] | None = None
        self._key: K = _MISSING
        self._before: V = _MISSING

    @classmethod
    def of(cls, items: Mapping[K, V]) -> PersistentMap[K, V]:
        """A mapping as a persistent one; itself if it is."""
        return items if isinstance(items, PersistentMap) else cls(items)

    def set(self, key: K, value: V) -> PersistentMap[K, V]:
        """The mapping with another value for a key, or one key more at the end."""
        items = self._items
        if not items:  # an empty one is shared and long-lived: it must not hold what comes after it
            copy = self._copy()
            copy[key] = value
            return PersistentMap(copy)
        before = items.get(key, _MISSING)
        items[key] = value
        newer: PersistentMap[K, V] = PersistentMap.__new__(PersistentMap)
        newer._items, newer._size = items, len(items)
        newer._groups = self._groups
        newer._newer = None
        newer._key = newer._before = _MISSING
        for by, groups in newer._groups.items():
            _regroup(groups, key, () if before is _MISSING else by(before), by(value))
        self._items, self._groups = None, {}
        self._newer, self._key, self._before = newer, key, before
        return newer

    def where(self, by: Grouping[V], group: Hashable) -> tuple[K, ...]:
        """The keys whose values belong to a group, in the order in which they came to it."""
        return tuple(self._grouped(by).get(group, ()))

    def count(self, by: Grouping[V], group: Hashable) -> int:
        """How many keys belong to a group."""
        return len(self._grouped(by).get(group, ()))

    def changes_since(self, earlier: Mapping[K, V]) -> list[K] | None:
        """The keys that were set since an earlier version; None if it is not known to be one."""
        if not isinstance(earlier, PersistentMap):
            return None
        keys: dict[K, None] = {}
        version: PersistentMap[K, V] = earlier
        while version is not self:
            if version._newer is None:
                return None
            keys[version._key] = None
            version = version._newer
        return list(keys)

    def __getitem__(self, key: K) -> V:
        items = self._items
        return items[key] if items is not None else self._find(key)

    def __contains__(self, key: object) -> bool:
        if self._items is not None:
            return key in self._items
        try:
            self._find(cast(K, key))
        except KeyError:
            return False
        return True

    def get(self, key: K, default: Any = None) -> Any:
        """The value of a key, or ``default``."""
        if self._items is not None:
            return self._items.get(key, default)
        try:
            return self._find(key)
        except KeyError:
            return default

    def __len__(self) -> int:
        return self._size

    # Each iterates over a copy: a reducer may set values of the mapping that it goes through.

    def __iter__(self) -> Iterator[K]:
        return iter(tuple(self._own()))

    def __reversed__(self) -> Iterator[K]:
        """The keys from the last one added; those that are not asked for cost nothing."""
        return reversed(self._own())

    def items(self) -> ItemsView[K, V]:
        """The keys with their values."""
        return self._copy().items()

    def values(self) -> ValuesView[V]:
        """The values."""
        return self._copy().values()

    def __repr__(self) -> str:
        return f"PersistentMap({self._copy()!r})"

    def _copy(self) -> dict[K, V]:
        return self._own().copy()

    def _find(self, key: K) -> V:
        version: PersistentMap[K, V] = self
        for _ in range(_FAR):
            if version._items is not None:
                return version._items[key]
            if version._key == key:
                if version._before is _MISSING:
                    raise KeyError(key)
                return version._before
            assert version._newer is not None
            version = version._newer
        return self._own()[key]

    def _own(self) -> dict[K, V]:
        """A dict of this version's; an earlier one gets a copy, and stays linked."""
        if self._items is None:
            line: list[PersistentMap[K, V]] = []
            version: PersistentMap[K, V] = self
            while version._items is None:
                line.append(version)
                assert version._newer is not None
                version = version._newer
            items = version._items.copy()
            for version in reversed(line):
                if version._before is _MISSING:
                    del items[version._key]
                else:
                    items[version._key] = version._before
            self._items = items
        return self._items

    def _grouped(self, by: Grouping[V]) -> dict[Hashable, dict[K, None]]:
        groups = self._groups.get(by)
        if groups is None:
            groups = {}
            for key, value in self._own().items():
                _regroup(groups, key, (), by(value))
            self._groups[by] = groups
        return groups


def changed_keys(now: Mapping[K, V], before: Mapping[K, V]) -> list[K] | None:
    """The keys with another value than before; None if some are gone or stand elsewhere."""
    since = now.changes_since(before) if isinstance(now, PersistentMap) else None
    if since is not None:
        return [key for key in since if now[key] is not before.get(key)]
    if len(now) < len(before) or any(map(ne, now, before)):
        return None
    return [key for key, value in now.items() if before.get(key) is not value]


def _regroup(
    groups: dict[Hashable, dict[K, None]],
    key: K,
    before: Collection[Hashable],
    now: Collection[Hashable],
) -> None:
    if before == now:
        return
    for group in before:
        if group not in now:
            members = groups[group]
            del members[key]
            if not members:
                del groups[group]
    for group in now:
        groups.setdefault(group, {})[key] = None
