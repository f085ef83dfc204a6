"""Check sums of a journal's records, in a file beside it, which also say what was committed.

The file has a line for each record: its number and the CRC-32 of its line. The lines of records
that were committed together are written at once, all but the last with a ``+``. Records without a
check sum were written and not committed: their process was killed meanwhile. A journal without such
a file is read without these checks.
"""

from __future__ import annotations

import itertools
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from errno import ENOSPC
from pathlib import Path

from treec.atomic import atomic_writer
from treec.frozen import frozen

_LINE = re.compile(rb"(\d+) ([0-9a-f]{8})( \+)?\n")


@frozen
class CheckSum:
    """The check sum of a record's line; ``more`` of its batch follow."""

    value: int
    more: bool


def sums_file(journal: Path) -> Path:
    """The file with a journal's check sums."""
    return journal.with_name(f"{journal.name}.sums")


def has_begun(journal: Path) -> bool:
    """Whether a record of a journal was committed, so that its run has begun.

    A run's beginning and its scene are one batch. Of a journal without check sums nothing is known.
    """
    sums = read_sums(journal)
    try:
        return sums is None or any(not one.more for one in sums)
    except ValueError:
        return True  # the file of check sums is damaged, which its readers tell


def check_sum(line: bytes) -> int:
    """The check sum of a record's line, with or without its newline."""
    return zlib.crc32(line.rstrip(b"\n"))


def keep_lines(path: Path, number: int) -> bytes:
    """Cut a file after so many lines; returns the last of them."""
    line, size = b"", 0
    with open(path, "r+b") as file:
        for line in itertools.islice(file, number):
            size += len(line)
        file.truncate(size)
    return line


class CheckSums:
    """Writes check sums. Those added after :meth:`hold` are written by :meth:`commit`."""

    def __init__(self, journal: Path, lines: Iterable[bytes] = ()) -> None:
        """``lines`` are those that the journal has already."""
        number = 0
        with atomic_writer(sums_file(journal)) as file:
            for number, line in enumerate(lines, 1):
                file.write(_format(number, check_sum(line)))
        self._open(journal, number)

    @classmethod
    def resume(cls, journal: Path, number: int) -> CheckSums:
        """Continue after so many records of a journal, whose check sums were found right."""
        if not sums_file(journal).is_file():
            with open(journal, "rb") as file:
                return cls(journal, itertools.islice(file, number))
        keep_lines(sums_file(journal), number)
        made = cls.__new__(cls)
        made._open(journal, number)
        return made

    def _open(self, journal: Path, committed: int) -> None:
        self._pending: list[tuple[int, int]] = []
        self._holds = False
        self.committed = committed
        """The number of the last record that was committed."""
        self._file = open(sums_file(journal), "ab", buffering=0)  # noqa: SIM115

    def add(self, n: int, line: bytes) -> None:
        """Add the check sum of a record."""
        self._pending.append((n, check_sum(line)))
        if not self._holds:
            try:
                self.commit()
            except OSError:
                self._pending.pop()
                raise

    def hold(self) -> None:
        """Begin a batch."""
        self._holds = True

    def commit(self) -> bool:
        """Write the check sums of the batch at once; whether there were any. Raises OSError."""
        self._holds = False
        if not self._pending:
            return False
        last = self._pending[-1][0]
        text = b"".join(_format(n, value, more=n < last) for n, value in self._pending)
        before = self._file.tell()
        try:
            if self._file.write(text) != len(text):
                raise OSError(ENOSPC, os.strerror(ENOSPC))
        except OSError:
            with suppress(OSError):
                self._file.truncate(before)
            raise
        self._pending.clear()
        self.committed = last
        return True

    def sync(self) -> None:
        """Wait until the file is on the disk."""
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file; what is pending is not committed."""
        self._file.close()


def read_sums(journal: Path) -> Iterator[CheckSum] | None:
    """The check sums of a journal; None if it has none.

    Iterating raises ValueError at a line that is no check sum, with its place.
    """
    lines = sum_lines(journal)
    path = sums_file(journal)
    return None if lines is None else (parse_sum(path, n, it) for n, it in enumerate(lines, 1))


def sum_lines(journal: Path) -> Iterator[bytes] | None:
    """The whole lines of a journal's check sums; None if it has none."""
    path = sums_file(journal)
    return _lines(path) if path.is_file() else None


def _lines(path: Path) -> Iterator[bytes]:
    with open(path, "rb") as file:
        for line in file:
            if not line.endswith(b"\n"):
                return  # its process was killed while it wrote this
            yield line


def commits(journal: Path, number: int, line: bytes, expected: bytes) -> bool:
    """Whether a record's line, whose check sum is in the line ``expected``, ends its batch.

    Raises ValueError if it has another check sum, or that is none.
    """
    value = check_sum(line)
    if expected == _format(number, value):
        return True
    if expected == _format(number, value, more=True):
        return False
    parse_sum(sums_file(journal), number, expected)
    raise ValueError(f"{journal}:{number}: this is not what was written: it has another check sum")


def parse_sum(path: Path, number: int, line: bytes) -> CheckSum:
    """The check sum in a line, which is that of record ``number``. Raises ValueError."""
    found = _LINE.fullmatch(line)
    if found is None or int(found[1]) != number:
        raise ValueError(
            f"{path}:{number}: not the check sum of record {number}; without this file the "
            "journal is read unchecked"
        )
    return CheckSum(int(found[2], 16), found[3] is not None)


def _format(n: int, value: int, *, more: bool = False) -> bytes:
    return b"%d %08x%b\n" % (n, value, b" +" if more else b"")
