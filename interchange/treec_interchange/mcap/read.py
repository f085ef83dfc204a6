"""Reads the journal of a run back from an MCAP file, which may be cut, or somebody else's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from mcap.records import Channel, Message, Schema
from mcap.stream_reader import StreamReader

from treec.world.journal import JournalError, Record, parse_record, why_not_next
from treec_interchange.mcap.channels import JOURNAL, SCHEMA

MAGIC = b"\x89MCAP0\r\n"

LARGEST = 256 * 1024 * 1024
"""Bytes of a record of the file, at most."""

SHOWN = 5
"""Channels that a message names."""


def read_journal_of(path: Path, on_torn: Callable[[str], None]) -> Iterator[Record]:
    """Yield the records of the run in a file in order, as `read_journal` does of a journal.

    Of a file that is cut, those before the cut. Raises JournalError.
    """
    before: Record | None = None
    others: dict[str, None] = {}
    for schema, channel, message in records_of(path, on_torn):
        if channel.topic != JOURNAL or schema is None or schema.name != SCHEMA:
            others.setdefault(channel.topic)
            continue
        number = 1 if before is None else before.n + 1
        try:
            record = parse_record(message.data)
        except ValueError as error:
            raise JournalError(f"{path}: record {number} of {JOURNAL}: {error}") from None
        if problem := why_not_next(before, record):
            raise JournalError(f"{path}: {JOURNAL}: {problem}")
        yield record
        before = record
    if before is None:
        named = ", ".join(list(others)[:SHOWN]) + (", …" if len(others) > SHOWN else "")
        has = f"its channels are {named}" if others else "it has no messages"
        raise JournalError(
            f"{path}: no run of treec is in it: it lacks {JOURNAL} ({has}); "
            "`treec export RUN --to mcap` writes a file with one"
        )


def records_of(
    path: Path, on_torn: Callable[[str], None] | None
) -> Iterator[tuple[Schema | None, Channel, Message]]:
    """Yield all messages of a file in order, up to where it is cut. Raises JournalError."""
    schemas: dict[int, Schema] = {}
    channels: dict[int, Channel] = {}
    try:
        file = open(path, "rb")  # noqa: SIM115
    except OSError as error:
        raise JournalError(f"{path}: cannot be read: {error.strerror}") from error
    with file:
        if file.read(len(MAGIC)) != MAGIC:
            raise JournalError(f"{path}: this is not an MCAP file")
        file.seek(0)
        found = StreamReader(file, validate_crcs=True, record_size_limit=LARGEST).records
        while True:
            try:
                record = next(found, None)
            except Exception as error:  # of any content, by whatever library reads a part of it
                if file.read(1):
                    why = str(error) or type(error).__name__
                    raise JournalError(f"{path}: the file is damaged: {why}") from None
                if not channels:
                    raise JournalError(
                        f"{path}: the file is cut before its first message"
                    ) from None
                if on_torn is not None:
                    on_torn(f"{path}: the file is cut: what follows is missing")
                return
            match record:
                case None:
                    return
                case Schema():
                    schemas[record.id] = record
                case Channel():
                    channels[record.id] = record
                case Message():
                    channel = channels.get(record.channel_id)
                    if channel is None:
                        raise JournalError(f"{path}: a message has no channel")
                    yield schemas.get(channel.schema_id), channel, record
