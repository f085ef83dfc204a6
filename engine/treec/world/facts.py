"""Facts: what is believed about the scene, since when, and from which source.

A fact has a name and arguments, and either a value (``at(crate) == 'dock'``) or is true or false
(``sealed(crate)``). It has one value at a time: setting it replaces the old one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from typing import Literal, cast, get_args

from treec.frozen import frozen
from treec.world.values import DIGITS, Value, freeze, same

Source = Literal["expected", "sensed", "told", "judged", "unknown", "scene"]
"""Where a fact comes from: a skill's ``after``, a sensor, a person's words, a judge, or the scene's
file; ``unknown`` if its value is no longer known."""

SOURCES: tuple[str, ...] = get_args(Source)

FactKey = tuple[str, tuple[str, ...]]
"""The name of a fact and the names of its arguments."""


class FactError(ValueError):
    """A fact that the domain does not declare, or declares differently."""


@frozen
class FactKind:
    """A declared fact: the types of its arguments and of its value (None: boolean)."""

    name: str
    args: tuple[str, ...] = ()
    value: str | None = None


@frozen
class Evidence:
    """What a sensed fact rests on: the sensor's name, and how far (m) it may be off.

    Once it is older than ``lasts`` (s) the fact is doubted; None: never. ``point`` is where in the
    scene's frame (x, y, z; m) the thing was seen.
    """

    sensor: str
    uncertainty: float | None = None
    lasts: float | None = None
    point: tuple[float, ...] = ()


@frozen
class FactValue:
    """The value of a fact (None if unknown), its source, its time and who set it."""

    value: Value
    source: Source
    since: float
    by: str
    evidence: Evidence | None = None


class Facts:
    """Read access to facts."""

    def __init__(
        self,
        kinds: Iterable[FactKind] | Mapping[str, FactKind],
        values: Mapping[FactKey, FactValue] | None = None,
    ) -> None:
        self.kinds: Mapping[str, FactKind] = (
            kinds if isinstance(kinds, Mapping) else {kind.name: kind for kind in kinds}
        )
        self._values: Mapping[FactKey, FactValue] = {} if values is None else values

    def get(self, name: str, args: Sequence[str] = ()) -> FactValue | None:
        """The stored value of ``name(*args)``; None if it was never set. Raises FactError."""
        return self._values.get(self.key(name, args))

    def is_known(self, name: str, args: Sequence[str] = ()) -> bool:
        """Whether the fact has a value: it was set and has not become unknown."""
        found = self.get(name, args)
        return found is not None and found.source != "unknown"

    def source(self, name: str, args: Sequence[str] = ()) -> Source:
        """The source of the fact; ``unknown`` if it was never set."""
        found = self.get(name, args)
        return found.source if found else "unknown"

    def age(self, now: float, name: str, args: Sequence[str] = ()) -> float | None:
        """Seconds since the fact was last set or confirmed; None if it was never set."""
        found = self.get(name, args)
        # `since` is rounded as in the journal, so round the difference too.
        return max(0.0, round(now - found.since, DIGITS)) if found else None

    def is_doubted(self, now: float, name: str, args: Sequence[str] = ()) -> bool:
        """Whether what a sensor said of the fact is older than it lasts."""
        found = self.get(name, args)
        lasts = None if found is None or found.evidence is None else found.evidence.lasts
        return lasts is not None and (self.age(now, name, args) or 0.0) >= lasts

    def key(self, name: str, args: Sequence[str]) -> FactKey:
        """The key of a fact. Raises FactError if the domain does not declare it."""
        kind = self.kinds.get(name)
        if kind is None:
            raise FactError(f"unknown fact {name!r}")
        if isinstance(args, str) or len(args) != len(kind.args):
            args_text = ", ".join(kind.args) or "nothing"
            given = args if isinstance(args, str) else ", ".join(map(str, args))
            raise FactError(f"{name} takes ({args_text}), not ({given})")
        for arg in args:
            if not isinstance(arg, str):
                raise FactError(f"the arguments of {name} are names, not {arg!r}")
        return name, tuple(args)

    def __iter__(self) -> Iterator[tuple[FactKey, FactValue]]:
        """All facts, sorted by name and arguments."""
        return iter(sorted(self._values.items(), key=lambda item: item[0]))

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Facts):
            return NotImplemented
        mine, theirs = dict(self), dict(other)
        return mine == theirs and all(same(mine[key].value, theirs[key].value) for key in mine)

    __hash__ = None  # type: ignore[assignment]


class FactStore(Facts):
    """Write access to facts, for reducers only."""

    def __init__(
        self,
        kinds: Iterable[FactKind] | Mapping[str, FactKind],
        values: MutableMapping[FactKey, FactValue] | None = None,
    ) -> None:
        self._store: MutableMapping[FactKey, FactValue] = {} if values is None else values
        super().__init__(kinds, self._store)

    def set(
        self,
        name: str,
        args: Sequence[str],
        value: object,
        *,
        source: str,
        since: float,
        by: str,
        evidence: Evidence | None = None,
    ) -> None:
        """Set ``name(*args)`` to ``value``. Raises FactError."""
        key = self.key(name, args)
        self._check(name, value, source)
        self._store[key] = FactValue(freeze(value), cast(Source, source), since, by, evidence)

    def _check(self, name: str, value: object, source: str) -> None:
        if source not in SOURCES or source == "unknown":
            known = ", ".join(one for one in SOURCES if one != "unknown")
            raise FactError(f"unknown source {source!r}; known: {known}")
        kind = self.kinds[name]
        if kind.value is None and not isinstance(value, bool):
            raise FactError(f"{name} is true or false, not {value!r}")
        if kind.value is not None and value is None:
            raise FactError(f"{name} needs a {kind.value}: use unknown or forget for none")

    def unknown(self, name: str, args: Sequence[str], *, since: float, by: str) -> None:
        """Mark ``name(*args)`` as unknown."""
        self._store[self.key(name, args)] = FactValue(None, "unknown", since, by)

    def forget(self, name: str, args: Sequence[str]) -> None:
        """Remove a fact, as if it had never been set."""
        self._store.pop(self.key(name, args), None)


class OpenFactStore(FactStore):
    """Facts of any name and value, for reading a journal without its domain."""

    def key(self, name: str, args: Sequence[str]) -> FactKey:
        """The fact's key, declared or not."""
        return name, tuple(args)

    def _check(self, name: str, value: object, source: str) -> None:
        """Any value of any source."""
