"""Follows a journal that is being written: each call returns the records committed since the last.

A line is read once, so that following a long run costs what happens in it and no more.
"""

from __future__ import annotations

import itertools
from pathlib import Path

from treec.world.check_sums import CheckSum, check_sum, parse_sum, sums_file
from treec.world.journal import JournalError, Record, parse_record, why_not_next


class JournalTail:
    """The place up to which a journal was read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._sums = sums_file(path)
        self._last: Record | None = None
        self._offset = 0
        self._sums_offset = 0
        self._sums_file = 0
        """The number of the file of check sums: a journal that is mended gets a new one."""
        self._broken: JournalError | None = None

    def mark(self) -> tuple[int, int]:
        """Something that changes when records are committed; cheap. Raises JournalError."""
        try:
            stat = self._watched().stat()
        except OSError as error:
            raise JournalError(f"{self._path}: cannot be read: {error.strerror}") from error
        return stat.st_ino, stat.st_size

    def read(self) -> list[Record]:
        """The records committed since the last call.

        Raises JournalError at a broken one, once those before it were returned.
        """
        if self._broken is not None:
            raise self._broken
        try:
            sums = self._read_sums()
            with open(self._path, "rb") as file:
                file.seek(self._offset)
                lines = file if sums is None else itertools.islice(file, len(sums))
                found: list[Record] = []
                try:
                    self._read(found, list(lines), sums)
                except JournalError as error:
                    self._broken = error
                    if not found:
                        raise
                return found
        except OSError as error:
            raise JournalError(f"{self._path}: cannot be read: {error.strerror}") from error

    def _watched(self) -> Path:
        return self._sums if self._sums.is_file() else self._path

    def _read(self, found: list[Record], lines: list[bytes], sums: list[CheckSum] | None) -> None:
        for number, line in enumerate(lines):
            where = f"{self._path}:{1 + (self._last.n if self._last else 0)}"
            if not line.endswith(b"\n"):
                if sums is None:
                    break  # it is being written
                raise JournalError(f"{where}: the journal is cut in this line")
            try:
                record = parse_record(line)
            except ValueError as error:
                raise JournalError(f"{where}: {error}") from None
            if problem := why_not_next(self._last, record):
                raise JournalError(f"{where}: {problem}")
            if sums is not None and sums[number].value != check_sum(line):
                raise JournalError(
                    f"{where}: this is not what was written: it has another check sum"
                )
            self._last = record
            self._offset += len(line)
            found.append(record)
        if sums is not None and len(lines) < len(sums):
            raise JournalError(f"{self._path}: the journal is cut: records are missing")

    def _read_sums(self) -> list[CheckSum] | None:
        """The check sums of whole batches that were not read yet; None if there are none."""
        if not self._sums.is_file():
            return None
        number = self._last.n if self._last else 0
        with open(self._sums, "rb") as file:
            inode = self._sums.stat().st_ino
            if inode != self._sums_file:
                self._sums_file = inode
                self._sums_offset = sum(map(len, itertools.islice(file, number)))
            file.seek(self._sums_offset)
            lines = file.readlines()
        found: list[CheckSum] = []
        batch = offset = 0
        for line in lines:
            if not line.endswith(b"\n"):
                break
            try:
                found.append(parse_sum(self._sums, number + len(found) + 1, line))
            except ValueError as error:
                raise JournalError(str(error)) from None
            offset += len(line)
            if not found[-1].more:
                batch, self._sums_offset = len(found), self._sums_offset + offset
                offset = 0
        return found[:batch]
