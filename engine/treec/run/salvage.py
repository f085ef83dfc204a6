"""The usable part of a journal: all records before the first that is broken.

A journal can be cut, edited or damaged, lack records in the middle, or hold events of a newer treec
or of an extension that is not installed. Every command that reads a run uses the records before
the first such place, and says where it is.
"""

from __future__ import annotations

import gc
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import cast

from treec.atomic import write_atomic
from treec.companions import missing_help
from treec.extensions import ExtensionError, registry
from treec.frozen import frozen
from treec.run.condensed import read_condensed
from treec.run.state import RunState
from treec.world.check_sums import CheckSums, sums_file
from treec.world.events import UnknownEvent, flat
from treec.world.journal import JournalError, Record, read_journal

JournalReader = Callable[[Path, Callable[[str], None]], Iterator[Record]]
"""What yields the records of a file in order, and tells where it is cut."""


@frozen(slots=False)
class SalvagedRecords:
    """The usable records of a journal; ``problem`` says what is wrong after them, if anything."""

    records: tuple[Record, ...]
    state: RunState
    """The state after them."""
    problem: str | None = None


@contextmanager
def without_collection() -> Iterator[None]:
    """Make millions of objects that all stay: to look through them again and again takes long."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def read_sound(
    journal: Path,
    on_torn: Callable[[str], None] = lambda message: None,
    *,
    all_events: bool = False,
) -> SalvagedRecords:
    """Read a journal up to its first broken record.

    Broken are lines that are no record, records that do not follow the one before, and events that
    do not fit the state before them. Events that this treec does not know are broken only with
    ``all_events``: to resume a run all of them must be applied, to show it they can be left out.
    Raises JournalError if not even the first record is usable.
    """
    with without_collection():
        return _take_sound(_reader(journal)(journal, on_torn), journal, all_events)


def read_needed(journal: Path, whole: float = 0.0) -> SalvagedRecords:
    """Read what a run needs to be resumed: of long journals less than all; see `read_condensed`.

    Raises JournalError if not even the first record is usable.
    """
    with without_collection(), suppress(Exception):  # records of any content may come in any order
        records = read_condensed(journal, whole)
        if records is not None:
            sound = _take_sound(iter(records), journal, all_events=True)
            if sound.problem is None:
                return replace(sound, records=records)
    return read_sound(journal, all_events=True)


def _take_sound(lines: Iterator[Record], journal: Path, all_events: bool) -> SalvagedRecords:
    records: list[Record] = []
    state = RunState(strict=all_events)
    while True:
        try:
            record = next(lines, None)
        except JournalError as error:
            problem = str(error)
            break
        if record is None:
            return SalvagedRecords(tuple(records), state)
        unusable = _why_unusable(state, record, all_events)
        if unusable is not None:
            problem = f"{journal}:{record.n}: {record.kind}: {unusable}"
            break
        records.append(record)
    if not records:
        raise JournalError(problem)
    return SalvagedRecords(tuple(records), state, problem)


def _reader(journal: Path) -> JournalReader:
    """What reads a run's file, by its ending. Raises JournalError if that is not installed."""
    ending = journal.suffix.removeprefix(".")
    target = registry().recordings.get(ending)
    if target is not None:
        try:
            return cast("JournalReader", registry().load(target))
        except ExtensionError as error:
            raise JournalError(f"{journal}: {error}") from None
    if help := missing_help("recordings", ending):
        raise JournalError(f"{journal}: runs in .{ending} files cannot be read here: {help}")
    return read_journal


def keep_sound(journal: Path, records: Iterable[Record]) -> Path:
    """Replace a journal by its usable records; returns the copy of the whole that is kept."""
    number = 1
    while (copy := journal.with_name(f"{journal.stem}.broken-{number}{journal.suffix}")).exists():
        number += 1
    shutil.copy2(journal, copy)
    if sums_file(journal).is_file():
        shutil.copy2(sums_file(journal), sums_file(copy))
    lines = _lines(records)
    write_atomic(journal, b"".join(lines), sync=True)
    CheckSums(journal, lines).close()
    return copy


def write_records(journal: Path, records: Iterable[Record]) -> None:
    """Write records to a new journal, with their check sums. Raises FileExistsError."""
    lines = _lines(records)
    with open(journal, "xb") as file:
        file.writelines(lines)
    CheckSums(journal, lines).close()


def _lines(records: Iterable[Record]) -> list[bytes]:
    return [record.line().encode() for record in records]


def _why_unusable(state: RunState, record: Record, all_events: bool) -> str | None:
    """Take a record into the state; returns why it cannot be used, or None."""
    try:
        state.take(record)
        if record.n > 1:
            return None
        problem = None
    except KeyError as error:
        problem = f"no record before it introduces {error.args[0]!r}"
    except Exception as error:  # a record of any content may come in any order
        problem = f"it does not fit the records before it: {error}"
    unknown = (event.problem for event in flat(record.event) if isinstance(event, UnknownEvent))
    return next(unknown, problem) if all_events or record.n == 1 else problem
