"""The records of a run that is resumed, and their events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from treec.world.events import Event, flat
from treec.world.journal import Record

E = TypeVar("E", bound=Event)


class CondensedRecords(tuple[Record, ...]):
    """Records without those that later ones replace.

    ``left_out`` says how many of a kind these are; of decisions, by whom.
    """

    left_out: Mapping[tuple[str, str], int]


def left_out_of(records: Iterable[Record]) -> Mapping[tuple[str, str], int]:
    """What was left out of records of a journal."""
    return records.left_out if isinstance(records, CondensedRecords) else {}


def events_of(records: Iterable[Record], *types: type[E]) -> Iterator[tuple[Record, E]]:
    """The events of these types with their records, in order."""
    for record in records:
        for event in flat(record.event):
            if isinstance(event, types):
                yield record, event
