"""State: named slots of immutable values, and the facts.

An event gets a :class:`State` that writes to a layer of its own. The layer is merged into the world
once the event is in the journal, and dropped if the event is refused. Readers get a
:class:`StateView`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from treec.world.facts import FactKey, FactKind, Facts, FactStore, FactValue
from treec.world.values import same

K = TypeVar("K")
V = TypeVar("V")


class _Layer(MutableMapping[K, V], Generic[K, V]):
    """Changes over an unchanged base, so that an event costs no more than what it changes."""

    def __init__(self, base: dict[K, V]) -> None:
        self._base = base
        self._changes: dict[K, V] = {}
        self._deleted: set[K] = set()

    def __getitem__(self, key: K) -> V:
        if key in self._changes:
            return self._changes[key]
        if key in self._deleted:
            raise KeyError(key)
        return self._base[key]

    def __setitem__(self, key: K, value: V) -> None:
        self._changes[key] = value
        self._deleted.discard(key)

    def __delitem__(self, key: K) -> None:
        if key not in self:
            raise KeyError(key)
        self._changes.pop(key, None)
        if key in self._base:
            self._deleted.add(key)

    def __contains__(self, key: object) -> bool:
        return key in self._changes or (key not in self._deleted and key in self._base)

    def __iter__(self) -> Iterator[K]:
        yield from (key for key in self._base if key not in self._deleted)
        yield from (key for key in self._changes if key not in self._base)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def merge(self) -> None:
        """Apply the changes to the base."""
        for key in self._deleted:
            del self._base[key]
        self._base.update(self._changes)


class StateView(Mapping[str, object]):
    """Read access to slots and facts: ``view['x']``, ``view.facts.get('at', ['crate'])``."""

    def __init__(self, slots: Mapping[str, object], facts: Facts) -> None:
        self._slots = slots
        self._facts = facts

    @property
    def facts(self) -> Facts:
        """The facts."""
        return self._facts

    def __getitem__(self, name: str) -> object:
        return self._slots[name]

    def __contains__(self, name: object) -> bool:
        return name in self._slots

    def __iter__(self) -> Iterator[str]:
        return iter(self._slots)

    def __len__(self) -> int:
        return len(self._slots)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StateView):
            return NotImplemented
        if self.keys() != other.keys() or self.facts != other.facts:
            return False
        return all(same(self[name], other[name]) for name in self)

    __hash__ = None  # type: ignore[assignment]


class State(StateView, MutableMapping[str, object]):
    """Slots and facts as reducers change them. Slot values must be immutable.

    ``declared`` are the names of the variables declared by the domain.
    """

    def __init__(
        self,
        slots: MutableMapping[str, object],
        facts: FactStore,
        declared: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(slots, facts)
        self.declared = declared
        self._store = slots
        self._fact_store = facts

    def __getitem__(self, name: str) -> Any:
        return self._store[name]

    @property
    def facts(self) -> FactStore:
        """The facts, writable."""
        return self._fact_store

    def __setitem__(self, name: str, value: object) -> None:
        if isinstance(value, (list, dict, set, bytearray)):
            # A mutable value could be changed without an event, or by a refused one.
            raise TypeError(f"slot {name!r} must hold a tuple or a frozen value, not {value!r}")
        self._store[name] = value

    def __delitem__(self, name: str) -> None:
        del self._store[name]


class StateBase:
    """The stored state, accessed through a view by readers and through a draft by each event."""

    def __init__(
        self,
        kinds: Iterable[FactKind],
        slots: Mapping[str, object],
        declared: frozenset[str] = frozenset(),
    ) -> None:
        self._declared = declared
        self._kinds = MappingProxyType({kind.name: kind for kind in kinds})
        self._slots: dict[str, object] = {}
        self._values: dict[FactKey, FactValue] = {}
        first = State(self._slots, FactStore(self._kinds, self._values))
        for name, value in slots.items():
            first[name] = value
        self.view = StateView(
            MappingProxyType(self._slots), Facts(self._kinds, MappingProxyType(self._values))
        )

    def in_place(self) -> State:
        """The stored state, changed as it is written to: of what was tried before."""
        return State(self._slots, FactStore(self._kinds, self._values), self._declared)

    def draft(self) -> Draft:
        """A state on which to try an event."""
        return Draft(self._kinds, self._slots, self._values, self._declared)


class Draft(State):
    """A layer over the stored state, which does not change before :meth:`adopt`."""

    def __init__(
        self,
        kinds: Mapping[str, FactKind],
        slots: dict[str, object],
        values: dict[FactKey, FactValue],
        declared: frozenset[str],
    ) -> None:
        self._slot_layer = _Layer(slots)
        self._value_layer = _Layer(values)
        super().__init__(self._slot_layer, FactStore(kinds, self._value_layer), declared)

    def adopt(self) -> None:
        """Apply the changes to the stored state."""
        self._slot_layer.merge()
        self._value_layer.merge()
