"""The journal: one append-only file per run, one JSON object per line.

Reports, replay, snapshots and resume read only the journal. Nothing in it depends on the wall
clock, the machine or the process: on the virtual clock the same run gives the same bytes. A file
beside it has a check sum for each record; see ``check_sums``. Records without one are left out.
"""

from __future__ import annotations

import io
import itertools
import json
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from errno import ENOSPC
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeVar

from treec.atomic import write_atomic
from treec.frozen import frozen
from treec.world.check_sums import CheckSums, commits, keep_lines, sum_lines
from treec.world.events import FORMAT, Event, decode, encode
from treec.world.lock import Lock, LockedError
from treec.world.values import DIGITS, Value, freeze, freeze_parsed, same

_KEYS = ("n", "t", "kind", "by", "data")
_VERSIONED = (*_KEYS, "v")
_AT_ONCE = 200
"""Lines that are parsed at once."""

# The keys of data are sorted already; compact separators keep long journals small.
_ENCODER = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=dict
)

NOT_BEGUN = "the run was cut off before it had begun: nothing of it is recorded"


class JournalError(Exception):
    """A journal that cannot be read or written; the text says where and why."""


@frozen(eq=False)
class Record:
    """One event: the ``n``-th of its run (from 1), at ``t`` seconds, caused by ``by``.

    ``data`` is as in the journal, ``event`` the same as a typed event.
    """

    n: int
    t: float
    kind: str
    by: str
    data: Mapping[str, Value]
    version: int = 1
    _event: Event | None = field(default=None, init=False, repr=False)

    @property
    def event(self) -> Event:
        """The typed event; an :class:`~treec.world.events.UnknownEvent` if it cannot be read."""
        if self._event is None:
            object.__setattr__(self, "_event", decode(self.kind, self.data, self.version))
        assert self._event is not None
        return self._event

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        mine = (self.n, self.t, self.kind, self.by, self.version)
        theirs = (other.n, other.t, other.kind, other.by, other.version)
        return mine == theirs and same(self.data, other.data)

    def __hash__(self) -> int:
        return hash((self.n, self.kind, self.by))

    def line(self) -> str:
        """The line in the journal, including its newline."""
        whole: dict[str, object] = {
            "n": self.n,
            "t": self.t,
            "kind": self.kind,
            "by": self.by,
            "data": self.data,
        }
        if self.version != 1:
            whole["v"] = self.version
        return _ENCODER.encode(whole) + "\n"


class RawRecord(NamedTuple):
    """A record whose ``data`` are as they were parsed, not checked and not frozen."""

    n: int
    t: float
    kind: str
    by: str
    data: dict[str, Any]
    version: int = 1

    def freeze(self) -> Record:
        """The record; ``data`` are not to be used afterwards. Raises ValueError."""
        frozen = freeze_parsed(self.data)
        if self.kind == "commit" and not _is_commit(frozen):
            raise ValueError("a commit must have 'events', each with 'kind' and 'data'")
        return Record(self.n, self.t, self.kind, self.by, frozen, self.version)


R = TypeVar("R", Record, RawRecord)


class Records(tuple[Record, ...]):
    """Records in order; where they are shown, as in a notebook, they are counted, not listed."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{len(self)} records>"


def events(record: Record) -> Iterator[Record]:
    """Yield the record, or the events of a commit as records with its n, t and by."""
    if record.kind != "commit":
        yield record
        return
    inner = record.data.get("events", ())
    assert isinstance(inner, tuple)
    for item in inner:
        assert isinstance(item, Mapping)
        kind, data, version = item["kind"], item["data"], item.get("v", 1)
        assert isinstance(kind, str)
        assert isinstance(data, Mapping)
        assert isinstance(version, int)
        yield Record(record.n, record.t, kind, record.by, data, version)


class _Sink(Protocol):
    """Where lines are written: an unbuffered file, or memory."""

    def write(self, data: bytes, /) -> int | None: ...
    def close(self) -> None: ...
    def tell(self) -> int: ...
    def truncate(self, size: int | None = None, /) -> int: ...
    def read(self, size: int = -1, /) -> bytes | None: ...
    def seek(self, offset: int, whence: int = 0, /) -> int: ...


class Journal:
    """Appends records. Make one with :meth:`create`, :meth:`resume` or :meth:`in_memory`."""

    def __init__(
        self,
        sink: _Sink,
        last: Record | None = None,
        where: str = "memory",
        lock: Lock | None = None,
        sums: CheckSums | None = None,
    ) -> None:
        self._sink = sink
        self._lock = lock
        self._sums = sums
        self._where = where
        self._waits = False
        self._n = last.n if last else 0
        self._t = last.t if last else 0.0
        self._records: list[Record] | None = [] if isinstance(sink, io.BytesIO) else None
        self._unwritten: list[Record] = []
        """Those after a failure."""
        self.failure: JournalError | None = None
        """Why nothing is written any more. Records are still made, so that a run can be ended in
        order; those that were committed before stay."""

    @classmethod
    def create(cls, path: Path) -> Journal:
        """Create and lock a journal file.

        Raises JournalError if it exists: no run overwrites another.
        """
        try:
            lock = lock_journal(path)
            sink = open(path, "x+b", buffering=0)  # noqa: SIM115
            return cls(sink, where=str(path), lock=lock, sums=CheckSums(path))
        except OSError as error:
            raise JournalError(f"{path}: cannot begin a journal: {error.strerror}") from error

    @classmethod
    def resume(cls, path: Path, lock: Lock | None = None, last: Record | None = None) -> Journal:
        """Continue a journal file after its last committed record; what follows is cut off.

        ``lock`` is the journal's, if the caller holds it already, and ``last`` its last record, if
        the caller has read it. Raises JournalError if another
        journal object, in any process, writes to the file.
        """
        lock = lock or lock_journal(path)
        if last is None:
            for last in read_journal(path):  # noqa: B007
                pass
        sink = open(path, "r+b", buffering=0)  # noqa: SIM115
        number = last.n if last else 0
        sums = CheckSums.resume(path, number)  # first: what has none was not committed
        line = keep_lines(path, number)
        sink.seek(0, os.SEEK_END)
        if line and not line.endswith(b"\n"):
            sink.write(b"\n")
        return cls(sink, last, str(path), lock, sums)

    @classmethod
    def in_memory(cls) -> Journal:
        """A journal without a file, for tests and for runs that are not to be resumed."""
        return cls(io.BytesIO())

    @property
    def last(self) -> int:
        """The number of the last record; 0 before the first."""
        return self._n

    @property
    def records(self) -> Records:
        """All records written so far, read back from the file if the journal has one."""
        if self._records is None:
            return Records(_read(Path(self._where), _ignore, None, record_in) if self._n else ())
        return Records(self._records)

    def since(self, before: Sequence[Record]) -> tuple[Record, ...]:
        """The records that follow ``before``, the last of which the caller has read."""
        begin = before[-1].n if before else 0
        if self._records is not None:
            return tuple(self._records[begin:])
        with open(self._where, "rb") as file:
            return tuple(map(parse_record, itertools.islice(file, begin, self._n)))

    def follow(self) -> Iterator[Record | None]:
        """Yield each record from the first on, in any thread, and None while there is none yet."""
        if self._records is not None:
            for number in itertools.count():
                while number >= len(self._records):
                    yield None
                yield self._records[number]
        with open(self._where, "rb") as file:
            number, line = 0, b""
            while True:
                lost = self._unwritten
                record: Record | None = None
                if lost and number >= lost[0].n - 1:
                    record = next(iter(lost[number - lost[0].n + 1 :]), None)
                elif number < self._n and (line := file.readline()):
                    record = parse_record(line)
                number += record is not None
                yield record

    def text(self) -> str:
        """The lines of all records."""
        return "".join(record.line() for record in self.records)

    def record(self, event: Event, by: str, t: float) -> Record:
        """Make the next record without writing it. Raises ValueError if data is not plain."""
        frozen = freeze_parsed(encode(event))
        time = max(self._t, round(float(t), DIGITS) + 0.0)
        return Record(self._n + 1, time, event.kind, str(freeze(by)), frozen, event.version)

    def write(self, record: Record) -> None:
        """Append a record made by :meth:`record`; it is in the file when this returns.

        Raises JournalError the first time that it cannot be; see ``failure``.
        """
        if record.n != self._n + 1:
            raise JournalError(f"{self._where}: record {record.n} cannot follow record {self._n}")
        if self._records is None and self._n == 0 and record.kind != "run.begin":
            raise JournalError(
                f"{self._where}: a journal begins with run.begin, not {record.kind!r}"
            )
        self.check()
        if self.failure is not None:
            self._unwritten.append(record)
            self._n, self._t = record.n, record.t
            return
        line = record.line().encode()
        before = self._sink.tell()
        try:
            written = self._sink.write(line)
            if written != len(line):
                raise OSError(ENOSPC, os.strerror(ENOSPC))
            if self._sums is not None:
                self._sums.add(record.n, line)
        except OSError as error:
            raise self._fail(error, before) from error
        self._n = record.n
        self._t = record.t
        if self._records is not None:
            self._records.append(record)

    def append(self, event: Event, by: str, t: float) -> Record:
        """Write the next record and return it."""
        record = self.record(event, by, t)
        self.write(record)
        return record

    def hold(self, *, sync: bool = False) -> None:
        """Begin a batch: readers leave its records out until :meth:`commit`.

        ``sync``: it is of those that must be on the disk; see :meth:`commit`.
        """
        self._waits = self._waits or sync
        if self._sums is not None:
            self._sums.hold()

    def commit(self, *, sync: bool = False) -> None:
        """Commit the records written since :meth:`hold`.

        ``sync``: wait until a batch that must be on the disk is there. Nothing without a batch.
        Raises JournalError.
        """
        if self._sums is None or self.failure is not None:
            return
        waits, self._waits = sync and self._waits, False
        try:
            if self._sums.commit() and waits and isinstance(self._sink, io.FileIO):
                os.fsync(self._sink.fileno())
                self._sums.sync()
        except OSError as error:
            raise self._fail(error) from error

    def check(self) -> None:
        """Look whether its file is there still. Raises JournalError if somebody has deleted it."""
        if self.failure is None and self._is_deleted:
            self.failure = JournalError(f"{self._where}: it was deleted while its run went on")
            raise self.failure

    @property
    def _is_deleted(self) -> bool:
        if not isinstance(self._sink, io.FileIO) or self._sink.closed:
            return False
        return not os.fstat(self._sink.fileno()).st_nlink and not os.path.exists(self._where)

    def _fail(self, error: OSError, before: int | None = None) -> JournalError:
        """Write nothing from now on, since the disk is full or gone; what to raise."""
        if before is not None:  # half a line is left out by readers, but not by people
            with suppress(OSError):
                self._sink.truncate(before)
                self._sink.seek(before)
        why = error.strerror or str(error)
        self.failure = JournalError(f"{self._where}: it cannot be written: {why}")
        return self.failure

    def _restore(self, sums: CheckSums) -> None:
        """Write what was committed to where its file was before somebody deleted that."""
        self._sink.seek(0)
        lines = io.BytesIO(self._sink.read() or b"").readlines()[: sums.committed]
        path = Path(self._where)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, b"".join(lines))
        CheckSums(path, lines).close()

    def close(self) -> None:
        """Commit, close and unlock the file. Raises JournalError.

        If somebody has deleted it, what was committed is written again.
        """
        try:
            self.commit()
            if self._sums is not None and self._is_deleted:
                self._restore(self._sums)
        except OSError as error:
            raise self._fail(error) from error
        finally:
            if self._sums is not None:
                self._sums.close()
            if self._records is None:
                self._sink.close()
            if self._lock is not None:
                self._lock.release()


def _ignore(message: str) -> None:
    del message


def read_journal(path: Path, on_torn: Callable[[str], None] = _ignore) -> Iterator[Record]:
    """Yield the committed records of a file in order.

    A process killed while writing leaves half a line, or records that were not committed; they are
    skipped and reported to ``on_torn``. Anything else that is not a journal, and records that do
    not have their check sums, raise JournalError with ``file:line``.
    """
    return _read(path, on_torn, sum_lines(path), record_in)


def read_raw(path: Path) -> Iterator[RawRecord]:
    """Yield the same as :func:`read_journal`, with data as they are parsed: in a third of the time.

    Raises JournalError.
    """
    return _read(path, _ignore, sum_lines(path), raw_record)


def _read(
    path: Path,
    on_torn: Callable[[str], None],
    sums: Iterator[bytes] | None,
    make: Callable[[object], R],
) -> Iterator[R]:
    before: R | None = None
    batch: list[R] = []
    number = committed = 0
    try:
        file = open(path, "rb")  # noqa: SIM115
    except OSError as error:
        raise JournalError(f"{path}: cannot be read: {error.strerror}") from error
    with file:
        for number, (line, whole) in enumerate(_parsed(file), start=1):
            expected = next(sums, None) if sums is not None else None
            if sums is not None and expected is None:
                on_torn(f"{path}:{number}: what follows was not committed and was left out")
                break
            try:
                record = make(_json_in(line) if whole is None else whole)
            except ValueError as error:
                if not line.endswith(b"\n") and expected is None:
                    on_torn(f"{path}:{number}: the last line is torn and was left out")
                    break
                if not line.endswith(b"\n"):
                    raise JournalError(
                        f"{path}:{number}: the journal is cut in this line"
                    ) from None
                raise JournalError(f"{path}:{number}: {error}") from None
            if problem := why_not_next(before, record):
                raise JournalError(f"{path}:{number}: {problem}")
            before = record
            batch.append(record)
            try:
                is_whole = expected is None or commits(path, number, line, expected)
            except ValueError as error:
                raise JournalError(str(error)) from None
            if is_whole:
                yield from batch
                committed = record.n
                batch.clear()
        else:
            if sums is not None and next(sums, None) is not None:
                raise JournalError(f"{path}:{number + 1}: the journal is cut: records are missing")
    if number == 0:
        raise JournalError(f"{path}:1: the journal is empty: a run begins with run.begin")
    if not committed:
        raise JournalError(f"{path}: {NOT_BEGUN}")


def _parsed(file: Iterable[bytes]) -> Iterator[tuple[bytes, object]]:
    """Lines with what is in them, parsed many at once; with None where one is not JSON."""
    lines = iter(file)
    while some := list(itertools.islice(lines, _AT_ONCE)):
        try:
            found = json.loads(f"[{b','.join(some).decode('utf-8')}]")
        except (ValueError, RecursionError):
            found = []
        if len(found) != len(some):
            found = [None] * len(some)
        yield from zip(some, found, strict=True)


def lock_journal(path: Path) -> Lock:
    """Lock a journal's file. Raises JournalError if somebody else writes to it."""
    lock = Lock(path)
    try:
        lock.acquire()
    except LockedError as error:
        raise JournalError(f"{path}: this run is running: {error} writes its journal") from None
    except OSError as error:
        raise JournalError(f"{path}: cannot lock the journal: {error.strerror}") from error
    return lock


def parse_record(line: bytes) -> Record:
    """The record of a line. Raises ValueError if it is none."""
    return record_in(_json_in(line))


def _json_in(line: bytes) -> object:
    try:
        return json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not a line of JSON: {error}") from None


def record_in(whole: object) -> Record:
    """The record in a line's JSON, which is not to be used afterwards. Raises ValueError."""
    return raw_record(whole).freeze()


def raw_record(whole: object) -> RawRecord:
    """The record in a line's JSON, its data as they are. Raises ValueError."""
    if not isinstance(whole, dict) or tuple(whole) not in (_KEYS, _VERSIONED):
        raise ValueError(f"not a record: it must have the keys {', '.join(_KEYS)}, in this order")
    n, t, kind, by, data, *versions = whole.values()
    version = versions[0] if versions else 1
    if type(n) is not int or type(t) is not float or not math.isfinite(t):
        raise ValueError("'n' must be a whole number and 't' a number with a point")
    if type(kind) is not str or type(by) is not str or type(data) is not dict:
        raise ValueError("'kind' and 'by' must be text and 'data' an object")
    if not _is_version(version):
        raise ValueError("'v', the version of the event, must be a whole number from 1")
    return RawRecord(n, t, kind, by, data, version)


def _is_version(value: object) -> bool:
    return type(value) is int and value >= 1


def _is_commit(data: Mapping[str, Value]) -> bool:
    inner = data.get("events")
    return isinstance(inner, tuple) and all(
        isinstance(event, Mapping)
        and isinstance(event.get("kind"), str)
        and isinstance(event.get("data"), MappingProxyType)
        and _is_version(event.get("v", 1))
        for event in inner
    )


def why_not_next(before: R | None, record: R) -> str | None:
    """What is wrong with ``record`` after ``before`` (None: as the first); None if nothing is."""
    if before is None:
        if record.kind != "run.begin":
            return f"a journal begins with run.begin, not {record.kind!r}"
        form = record.data.get("format")
        if form != FORMAT or isinstance(form, bool):
            return f"format {form!r} is unknown: this treec reads format {FORMAT}"
    expected = before.n + 1 if before else 1
    if record.n != expected:
        return f"record {record.n} stands where record {expected} must be"
    if before and record.t < before.t:
        return f"time runs backwards: {record.t} after {before.t}"
    return None
