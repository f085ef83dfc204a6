"""A memory in one SQLite file: pairs of a key and an answer, with the vectors of the keys.

The file is in WAL mode with full synchronisation: a pair that `add` has returned is there after a
crash, and a pair that it has not is there as a whole or not at all. Several processes can share it.
"""

from __future__ import annotations

import sqlite3
import time
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from treec.nodes.pairs import Added, Embedder, MemoryFault, MemoryPair, Neighbour
from treec_memory.duplicates import near_pairs
from treec_memory.embedders import MAX_TEXT, AutoEmbedder
from treec_memory.vectors import VectorTable, has_numpy, matrix_of

NEAR_DUPLICATE = 0.02
"""Distance up to which a new key replaces that of an older pair."""
FEW = 500
"""Pairs up to which each is compared with all; more are compared by groups."""
MAPPED = 1 << 30
"""Bytes of the file that are read where they are mapped: a first search reads all vectors."""
CHECKED_AT_ONCE = 8 << 20
"""Bytes of a file up to which it is checked as it is opened; a larger one before it is changed."""
VERSION = 1
WAIT = 10.0
"""Seconds to wait for another process that writes."""

_SCHEMA = """
CREATE TABLE pairs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL,
    answer TEXT NOT NULL,
    about TEXT NOT NULL,
    embedder TEXT NOT NULL,
    vector BLOB NOT NULL
)
"""


class Memory:
    """The pairs of one file, searched by one embedder; `AutoEmbedder` by that which made them.

    Raises MemoryFault for a file that is no memory, and OSError.
    """

    def __init__(self, path: Path, embedder: Embedder) -> None:
        self.path = path
        self.embedder = embedder
        path.parent.mkdir(parents=True, exist_ok=True)
        self._table = VectorTable()
        self._table_of: tuple[int, int] | None = None
        self._is_checked = False
        try:
            self._db = sqlite3.connect(path, timeout=WAIT, isolation_level=None)
        except sqlite3.Error as error:
            raise MemoryFault(f"{path} cannot be opened: {error}") from None
        try:
            self._prepare()
        except (sqlite3.Error, MemoryFault) as error:
            self._db.close()
            raise self._broken(error) if isinstance(error, sqlite3.Error) else error from None
        if isinstance(embedder, AutoEmbedder):
            self.embedder = embedder.of_memory(self._last_maker())

    def _last_maker(self) -> str | None:
        """The name of the embedder that made the newest pair; None without pairs."""
        row = self._db.execute("SELECT embedder FROM pairs ORDER BY id DESC LIMIT 1").fetchone()
        return None if row is None else str(row[0])

    def _prepare(self) -> None:
        db = self._db
        if self._version() == 0:
            with self._writing():
                if self._version() == 0:  # nobody was first
                    if db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                        raise MemoryFault(f"{self.path} is a database, but no memory of treec")
                    db.execute(_SCHEMA)
                    db.execute(f"PRAGMA user_version={VERSION}")
        if self._version() != VERSION:
            raise MemoryFault(
                f"{self.path} is a memory of version {self._version()}, not {VERSION}"
            )
        self._log_ahead()
        db.execute("PRAGMA synchronous=FULL")
        db.execute(f"PRAGMA mmap_size={MAPPED}")
        pages, size = (db.execute(f"PRAGMA page_{of}").fetchone()[0] for of in ("count", "size"))
        if pages * size <= CHECKED_AT_ONCE:
            self._check_file()

    def _check_file(self) -> None:
        wrong = self._db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if wrong != "ok":
            raise sqlite3.DatabaseError(wrong)
        self._is_checked = True

    def _version(self) -> int:
        return int(self._db.execute("PRAGMA user_version").fetchone()[0])

    def _log_ahead(self) -> None:
        """Use WAL mode. SQLite does not wait for other processes where the mode changes."""
        end = time.monotonic() + WAIT
        while True:
            try:
                self._db.execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                    raise
            time.sleep(0.01)

    def _broken(self, error: sqlite3.Error) -> MemoryFault:
        return MemoryFault(
            f"{self.path} is damaged or no memory ({error}); it was left as it is: "
            "move it away, and import an export of it"
        )

    def _fault_of(self, error: sqlite3.DatabaseError) -> Exception:
        """The error as a MemoryFault; as it is, if another process only holds the file."""
        return error if isinstance(error, sqlite3.OperationalError) else self._broken(error)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction: all of it or nothing. Raises MemoryFault for a damaged file."""
        if not self._is_checked and self._version():
            try:
                self._check_file()
            except sqlite3.DatabaseError as error:
                raise self._fault_of(error) from None
        self._db.execute("BEGIN IMMEDIATE")
        with ExitStack() as undo:
            undo.callback(self._roll_back)
            yield
            undo.pop_all()
        self._db.execute("COMMIT")

    def _roll_back(self) -> None:
        self._db.execute("ROLLBACK")
        self._table_of = None  # it may hold what is not there now

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    # Reading

    def _rows(self, query: str, args: tuple[object, ...] = ()) -> Iterator[tuple[Any, ...]]:
        """Rows of the file. Raises MemoryFault where it is damaged."""
        try:
            yield from self._db.execute(query, args)
        except sqlite3.DatabaseError as error:
            raise self._fault_of(error) from None

    def __len__(self) -> int:
        return sum(count for (count,) in self._rows("SELECT count(*) FROM pairs"))

    def pairs(self) -> list[MemoryPair]:
        """All pairs, the oldest first."""
        rows = self._rows("SELECT key, answer, about, id FROM pairs ORDER BY id")
        return [MemoryPair(*row) for row in rows]

    def get(self, number: int) -> MemoryPair | None:
        """The pair of a number."""
        query = "SELECT key, answer, about, id FROM pairs WHERE id=?"
        row = next(self._rows(query, (number,)), None)
        return None if row is None else MemoryPair(*row)

    def of_others(self) -> int:
        """How many pairs were embedded by another embedder, and so are not found."""
        query = "SELECT count(*) FROM pairs WHERE embedder<>?"
        return int(self._db.execute(query, (self.embedder.name,)).fetchone()[0])

    def nearest(self, key: str, k: int = 3) -> list[Neighbour]:
        """The pairs with the nearest keys, the nearest first; of equally near ones the oldest."""
        (vector,) = self.embedder.embed([key])
        found = []
        for number, distance in self._vectors().nearest(vector, k):
            pair = self.get(number)
            if pair is not None:  # another process may have removed it
                found.append(Neighbour(pair, distance))
        return found

    def _vectors(self) -> VectorTable:
        """The vectors of this embedder, read again when the file has changed."""
        version = self._db.execute("PRAGMA data_version").fetchone()[0]
        state = version, self._db.total_changes
        if state != self._table_of:
            query = "SELECT id, vector FROM pairs WHERE embedder=? ORDER BY id"
            self._table = VectorTable.of_rows(self._rows(query, (self.embedder.name,)))
            self._table_of = state
        return self._table

    # Writing

    def add(self, pair: MemoryPair) -> Added:
        """Add a pair, in place of one with nearly the same key. Raises MemoryFault."""
        return self.add_all([pair])[0]

    def add_all(self, pairs: Iterable[MemoryPair]) -> list[Added]:
        """Add pairs, all or none of them. Raises MemoryFault."""
        given = list(pairs)
        for pair in given:
            _check(pair)
        vectors = self.embedder.embed([pair.key for pair in given])
        with self._writing():
            if len(given) > FEW and has_numpy():
                return self._add_many(given, vectors)
            return [
                self._add(pair, vector, self._near(vector))
                for pair, vector in zip(given, vectors, strict=True)
            ]

    def _near(self, vector: array[float]) -> int | None:
        """The number of the pair that one with this vector replaces."""
        near = self._vectors().nearest(vector, 1)
        return near[0][0] if near and near[0][1] <= NEAR_DUPLICATE else None

    def _add_many(
        self, pairs: Sequence[MemoryPair], vectors: Sequence[array[float]]
    ) -> list[Added]:
        """Add pairs one after another, their near ones found for all at once."""
        there = self._vectors()
        rows: dict[bytes, int] = {}  # equal vectors are one row
        number_at: dict[int, int] = {}
        for number, blob in there.rows():
            number_at.setdefault(rows.setdefault(blob, len(rows)), number)
        blobs = [vector.tobytes() for vector in vectors]
        for blob in blobs:
            rows.setdefault(blob, len(rows))
        near: dict[int, dict[int, float]] = {}
        for first, second, distance in near_pairs(matrix_of(rows), NEAR_DUPLICATE):
            near.setdefault(first, {})[second] = distance
            near.setdefault(second, {})[first] = distance
        added = []
        for pair, vector, blob in zip(pairs, vectors, blobs, strict=True):
            row = rows[blob]
            held = row
            if row not in number_at and row in near:
                alive = [other for other in near[row] if other in number_at]
                held = min(alive, key=lambda other: (near[row][other], other), default=row)
            added.append(self._add(pair, vector, number_at.pop(held, None)))
            number_at[row] = added[-1].number
        return added

    def _add(self, pair: MemoryPair, vector: array[float], near: int | None) -> Added:
        row = (pair.key, pair.answer, pair.about, self.embedder.name, vector.tobytes())
        if near is not None:
            old = self.get(near)
            self._db.execute(
                "UPDATE pairs SET key=?, answer=?, about=?, embedder=?, vector=? WHERE id=?",
                (*row, near),
            )
            self._table.replace(near, vector)
            added = Added(near, old.key if old is not None else "")
        else:
            insert = "INSERT INTO pairs (key, answer, about, embedder, vector) VALUES (?,?,?,?,?)"
            number = int(self._db.execute(insert, row).lastrowid or 0)
            self._table.append(number, vector)
            added = Added(number)
        if self._table_of is not None:
            self._table_of = self._table_of[0], self._db.total_changes
        return added

    def remove(self, number: int) -> bool:
        """Remove a pair; False if there is none of this number."""
        with self._writing():
            return self._db.execute("DELETE FROM pairs WHERE id=?", (number,)).rowcount > 0


def fault_of(pair: MemoryPair) -> str | None:
    """Why a pair cannot be kept: a text that is empty or too long; None if it can be."""
    for name, text in (("key", pair.key), ("answer", pair.answer)):
        if not text.strip():
            return f"a pair's '{name}' is empty"
        if len(text) > MAX_TEXT:
            return f"a pair's '{name}' may have {MAX_TEXT:,} characters"
    return None


def _check(pair: MemoryPair) -> None:
    fault = fault_of(pair)
    if fault is not None:
        raise MemoryFault(fault)
