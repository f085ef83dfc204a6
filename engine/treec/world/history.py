"""The records of a run that is resumed, with an index of their events.

Each part of a run knows again what concerns it: a few kinds of events, of a journal that may have a
million records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from operator import attrgetter
from typing import TypeVar

from treec.world.events import Event, flat
from treec.world.journal import Record

E = TypeVar("E", bound=Event)


class IndexedRecords(tuple[Record, ...]):
    """Records whose events are found by type; the index is made once."""

    @cached_property
    def _by_type(self) -> Mapping[type[Event], list[Record]]:
        found: dict[type[Event], list[Record]] = {}
        for record in self:
            for type_ in {*map(type, flat(record.event))}:
                found.setdefault(type_, []).append(record)
        return found

    def having(self, types: Iterable[type[Event]]) -> Iterable[Record]:
        """The records with an event of one of these types, in order."""
        some = [self._by_type[one] for one in types if one in self._by_type]
        if len(some) < 2:
            return some[0] if some else ()
        return dict.fromkeys(sorted((r for one in some for r in one), key=attrgetter("n")))


def having(records: Iterable[Record], *types: type[Event]) -> Iterable[Record]:
    """The records with an event of one of these types; all, where that is not known."""
    return records.having(types) if isinstance(records, IndexedRecords) else records


def events_of(records: Iterable[Record], *types: type[E]) -> Iterator[tuple[Record, E]]:
    """The events of these types with their records, in order."""
    for record in having(records, *types):
        for event in flat(record.event):
            if isinstance(event, types):
                yield record, event
