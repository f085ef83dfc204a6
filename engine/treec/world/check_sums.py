"""Check sums of a journal's records, in a file beside it, which also say what was committed.

The file has a line for each record: its number and the CRC-32 of its line. The lines of records
that were committed together are written at once, all but the last with a ``+``. Records without a
check sum were written and not committed: their process was killed meanwhile. A journal without such
a file is read without these checks.
"""

from __future__ import annotations

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


class CheckSums:
    """Writes check sums. Those added after :meth:`hold` are written by :meth:`commit`."""

    def __init__(self, journal: Path, lines: Iterable[bytes] = ()) -> None:
        """``lines`` are those that the journal has already."""
        self._path = sums_file(journal)
        self._pending: list[tuple[int, int]] = []
        self._holds = False
        self.committed = 0
        """The number of the last record that was committed."""
        with atomic_writer(self._path) as file:
            for n, line in enumerate(lines, 1):
                file.write(_format(n, check_sum(line)))
                self.committed = n
        self._file = open(self._path, "ab", buffering=0)  # noqa: SIM115

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
    path = sums_file(journal)
    if not path.is_file():
        return None
    return _read(path)


def _read(path: Path) -> Iterator[CheckSum]:
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return  # its process was killed while it wrote this
            yield parse_sum(path, number, line)


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
    return f"{n} {value:08x}{' +' if more else ''}\n".encode()
