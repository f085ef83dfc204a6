"""A memory of pairs: nearest first, near duplicates replaced, and whole after every crash."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import threading
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from treec.nodes.pairs import MemoryFault, MemoryPair
from treec_memory.duplicates import near_pairs
from treec_memory.embedders import LEXICAL_SIZE, MAX_TEXT, LexicalEmbedder
from treec_memory.store import Memory
from treec_memory.vectors import VectorTable


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def memory(file: Path) -> Iterator[Memory]:
    opened = Memory(file, LexicalEmbedder())
    yield opened
    opened.close()


CRATE = MemoryPair("stack the red crates in the corner", "a.place(b)\n")
ROUTE = MemoryPair("drive along the eastern aisle twice", "go_to(aisle)\n", "for the night shift")


GUARD = 60.0
"""Seconds after which a hung test fails; no timing."""


class Other:
    """An embedder whose vectors have another size."""

    name = "other"

    def embed(self, texts: Sequence[str]) -> list[array[float]]:
        return [array("f", [1.0, 0.0]) for _ in texts]


def test_the_nearest_come_first(memory: Memory) -> None:
    memory.add_all([ROUTE, CRATE])
    found = memory.nearest("please stack all the crates", 2)
    assert [one.pair.answer for one in found] == [CRATE.answer, ROUTE.answer]
    assert 0 < found[0].distance < found[1].distance <= 2
    assert memory.nearest(CRATE.key, 1)[0].distance == pytest.approx(0, abs=1e-5)


def test_an_empty_memory_has_no_nearest(memory: Memory) -> None:
    assert memory.nearest("anything") == []


def test_a_near_duplicate_is_replaced(memory: Memory) -> None:
    first = memory.add(CRATE)
    again = memory.add(MemoryPair("Stack the red crates in the corner!", "new()\n"))
    assert (again.number, again.replaced) == (first.number, CRATE.key)
    assert [pair.answer for pair in memory.pairs()] == ["new()\n"]
    memory.add(ROUTE)
    assert len(memory) == 2


def test_who_speaks_makes_no_difference(memory: Memory) -> None:
    memory.add(CRATE)
    (found,) = memory.nearest(f"<Commander> {CRATE.key} <Driver>", 1)
    assert found.distance == pytest.approx(0, abs=1e-5)


def test_what_is_removed_is_not_found(memory: Memory) -> None:
    number = memory.add(CRATE).number
    memory.add(ROUTE)
    assert memory.remove(number)
    assert not memory.remove(number)
    assert [one.pair.key for one in memory.nearest(CRATE.key)] == [ROUTE.key]


def test_numbers_are_not_given_twice(memory: Memory) -> None:
    first = memory.add(CRATE).number
    memory.remove(first)
    assert memory.add(ROUTE).number > first


def test_it_is_there_when_it_is_opened_again(file: Path, memory: Memory) -> None:
    memory.add(ROUTE)
    memory.close()
    again = Memory(file, LexicalEmbedder())
    assert [(pair.key, pair.about) for pair in again.pairs()] == [(ROUTE.key, ROUTE.about)]


def test_embedders_are_never_mixed(file: Path, memory: Memory) -> None:
    memory.add(CRATE)
    other = Memory(file, Other())
    assert other.nearest(CRATE.key) == []
    assert other.of_others() == 1
    other.add(ROUTE)
    assert [one.pair.key for one in memory.nearest(CRATE.key)] == [CRATE.key]


def test_two_connections_see_each_others_pairs(file: Path, memory: Memory) -> None:
    other = Memory(file, LexicalEmbedder())
    memory.add(CRATE)
    assert [one.pair.key for one in other.nearest(CRATE.key)] == [CRATE.key]
    other.add(ROUTE)
    assert len(memory.nearest(CRATE.key)) == 2


@pytest.mark.parametrize(
    "pair", [MemoryPair(" ", "x"), MemoryPair("x", ""), MemoryPair("x" * (MAX_TEXT + 1), "x")]
)
def test_of_several_pairs_all_are_added_or_none(memory: Memory, pair: MemoryPair) -> None:
    with pytest.raises(MemoryFault):
        memory.add_all([CRATE, pair])
    assert len(memory) == 0


def test_a_failed_transaction_leaves_no_trace(memory: Memory) -> None:
    memory.add(ROUTE)
    memory._db.execute(
        "CREATE TEMP TRIGGER refuse BEFORE INSERT ON pairs WHEN new.answer = 'refuse' "
        "BEGIN SELECT RAISE(ABORT, 'refused'); END"
    )
    with pytest.raises(sqlite3.Error):
        memory.add_all([CRATE, MemoryPair("lift the pallet off the truck", "refuse")])
    assert [one.pair.key for one in memory.nearest(CRATE.key)] == [ROUTE.key]


# Files that are none


def test_a_file_cut_in_half_is_told_and_left_alone(file: Path, memory: Memory) -> None:
    memory.add_all(MemoryPair(f"{n} crates of kind {n * n}", f"move({n})\n") for n in range(60))
    memory.close()
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(MemoryFault, match="damaged or no memory"):
        Memory(file, LexicalEmbedder())
    assert file.read_bytes() == whole[: len(whole) // 2]


def test_a_large_damaged_file_is_told_as_it_is_read_and_before_it_is_changed(
    file: Path, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.add_all(MemoryPair(f"{n} crates of kind {n * n}", f"move({n})\n") for n in range(60))
    memory.close()
    damaged = bytearray(file.read_bytes())
    damaged[8192:-8192] = b"\x55" * (len(damaged) - 16384)
    file.write_bytes(damaged)
    monkeypatch.setattr("treec_memory.store.CHECKED_AT_ONCE", 0)
    opened = Memory(file, LexicalEmbedder())
    for use in (lambda: opened.nearest("crates"), lambda: opened.add(CRATE)):
        with pytest.raises(MemoryFault, match="damaged or no memory"):
            use()
    opened.close()
    assert file.read_bytes() == bytes(damaged)


def test_a_text_is_no_memory(file: Path) -> None:
    file.write_text("not a database, but long enough to be looked at " * 20)
    before = file.read_bytes()
    with pytest.raises(MemoryFault, match="damaged or no memory"):
        Memory(file, LexicalEmbedder())
    assert file.read_bytes() == before


def test_somebody_elses_database_is_left_alone(file: Path) -> None:
    db = sqlite3.connect(file)
    db.execute("CREATE TABLE notes (text)")
    db.commit()
    db.close()
    with pytest.raises(MemoryFault) as refused:
        Memory(file, LexicalEmbedder())
    assert str(refused.value) == f"{file} is a database, but no memory of treec"


def test_a_later_version_is_left_alone_and_closed(file: Path) -> None:
    db = sqlite3.connect(file)
    db.execute("PRAGMA user_version=7")
    db.close()
    with pytest.raises(MemoryFault, match=r" is a memory of version 7, not 1$") as refused:
        Memory(file, LexicalEmbedder())
    memory = refused.traceback[-1].frame.f_locals["self"]
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        memory._db.execute("PRAGMA user_version")


# Crashes

WRITER = """
import sys
from pathlib import Path
from treec_memory.embedders import LexicalEmbedder
from treec.nodes.pairs import MemoryPair
from treec_memory.store import Memory
memory = Memory(Path(sys.argv[1]), LexicalEmbedder())
for n in range(100000):
    key = f"{sys.argv[2]} request {n} {n * 7919}"
    print(memory.add(MemoryPair(key, "step()\\n" * 50)).number, flush=True)
"""


def kill_while_writing(file: Path, name: str, lines: int) -> list[int]:
    """The numbers of the pairs that a process had added when it was killed."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(file), name], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    numbers = [int(process.stdout.readline()) for _ in range(lines)]
    process.send_signal(signal.SIGKILL)
    numbers += [int(line) for line in process.stdout.read().split("\n")[:-1]]
    process.wait()
    return numbers


def lost_after_kills(file: Path, rounds: int) -> list[int]:
    rng, told = random.Random(0), set()
    for number in range(rounds):
        told.update(kill_while_writing(file, f"round {number}", rng.randint(1, 12)))
    memory = Memory(file, LexicalEmbedder())
    there = {pair.number: pair for pair in memory.pairs()}
    assert all(pair.answer == "step()\n" * 50 for pair in there.values())
    memory.close()
    return sorted(told - set(there))


def test_what_was_added_is_there_after_a_kill(file: Path) -> None:
    assert lost_after_kills(file, 2) == []


@pytest.mark.slow
def test_what_was_added_is_there_after_many_kills(file: Path) -> None:
    assert lost_after_kills(file, 40) == []


@pytest.mark.thorough
def test_two_processes_can_write_at_once(file: Path) -> None:
    script = WRITER.replace("100000", "100")
    both = [
        subprocess.Popen([sys.executable, "-c", script, str(file), name], stdout=subprocess.DEVNULL)
        for name in ("one process", "another one")
    ]
    assert [process.wait() for process in both] == [0, 0]
    assert len(Memory(file, LexicalEmbedder())) == 200


@pytest.mark.thorough
def test_many_can_open_a_new_one_at_once(tmp_path: Path) -> None:
    faults: list[BaseException] = []
    ready = threading.Barrier(4)

    def open_all() -> None:
        for number in range(60):
            ready.wait(GUARD)
            try:
                Memory(tmp_path / f"{number}.db", LexicalEmbedder()).close()
            except MemoryFault as fault:
                faults.append(fault)

    threads = [threading.Thread(target=open_all) for _ in range(ready.parties)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []


# Vectors


def test_without_numpy_the_nearest_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng, table = random.Random(1), VectorTable()
    embedder = LexicalEmbedder()
    texts = [" ".join(rng.sample(WORDS, 6)) for _ in range(200)]
    for number, vector in enumerate(embedder.embed(texts)):
        table.append(number, vector)
    (query,) = embedder.embed([" ".join(WORDS[:6])])
    found = table.nearest(query, 5)
    monkeypatch.setitem(sys.modules, "numpy", None)
    without = table.nearest(query, 5)
    assert [n for n, _ in without] == [n for n, _ in found]
    assert [d for _, d in without] == pytest.approx([d for _, d in found], abs=1e-5)


WORDS = [
    "take",
    "bring",
    "two",
    "small",
    "crates",
    "pallets",
    "to",
    "dock",
    "shelf",
    "wait",
    "there",
]


def test_equally_near_ones_are_in_order() -> None:
    table = VectorTable()
    for number in (5, 3, 9):
        table.append(number, array("f", [1.0, 0.0]))
    assert [n for n, _ in table.nearest(array("f", [1.0, 0.0]), 2)] == [5, 3]


def test_a_text_without_words_is_like_nothing(memory: Memory) -> None:
    memory.add(CRATE)
    assert memory.nearest("…")[0].distance == 1.0
    (vector,) = LexicalEmbedder().embed(["?!"])
    assert len(vector) == LEXICAL_SIZE


def test_many_are_added_at_once_as_one_after_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(3)
    keys = [f"{' '.join(rng.choices(WORDS, k=9))} {rng.randrange(99)}" for _ in range(300)]
    pairs = [
        MemoryPair(
            rng.choice((key, f"{key}!", f"<Commander> {key.title()}", f"{key} please now")), a
        )
        for key in keys
        for a in ("first()\n", "then()\n")
    ]
    memories = [Memory(tmp_path / f"{name}.db", LexicalEmbedder()) for name in "ab"]
    for memory in memories:
        memory.add_all(pairs[:40])
    at_once = memories[0].add_all(pairs[40:])
    monkeypatch.setattr("treec_memory.store.FEW", len(pairs))
    assert at_once == memories[1].add_all(pairs[40:])
    assert memories[0].pairs() == memories[1].pairs()
    assert 300 < len(memories[0]) < 500


def test_near_pairs_are_found_among_many_by_comparing_few() -> None:
    numpy = pytest.importorskip("numpy")
    drawn = numpy.random.default_rng(1)
    base = drawn.standard_normal((3000, 64)).astype("f")
    base /= numpy.linalg.norm(base, axis=1, keepdims=True)
    near = base[:200] + 0.02 * drawn.standard_normal((200, 64)).astype("f")  # at about 0.012
    near /= numpy.linalg.norm(near, axis=1, keepdims=True)
    within = {n for n in range(200) if 1 - base[n] @ near[n] <= 0.02}
    found = {(i, j) for i, j, _ in near_pairs(numpy.vstack([base, near]), 0.02)}
    assert len(found) > 190
    assert found == {(n, 3000 + n) for n in within}
