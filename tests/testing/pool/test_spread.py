"""Calls spread over workers: each result once, whoever dies meanwhile."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from functools import partial
from itertools import count, islice
from pathlib import Path

import pytest

from tests.support.library import WAREHOUSE
from tests.support.pool import FakePool
from treec.files.library import Library, load_library
from treec_testing.pool.files import Filed, filed
from treec_testing.pool.library import InLibrary
from treec_testing.pool.processes import Processes
from treec_testing.pool.spread import AHEAD, TRIES, Pool, in_order, spread
from treec_testing.pool.workers import WorkerDied


def square(number: int) -> int:
    return number * number


def test_results_come_with_their_items_as_they_are_made() -> None:
    pool = FakePool(2)
    assert list(spread(square, [3, 1, 2], pool)) == [(1, 1), (2, 4), (3, 9)]
    assert pool.opened[0].most == 2
    assert pool.opened[0].closed


def test_in_order_only_a_few_are_made_ahead() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in count():
            taken.append(number)
            yield number

    pool = FakePool(2)
    results = in_order(square, items(), pool)
    assert list(islice(results, 5)) == [0, 1, 4, 9, 16]
    assert len(taken) <= 5 + AHEAD * 2
    results.close()  # type: ignore[attr-defined]
    assert list(in_order(square, range(9), FakePool(4))) == [n * n for n in range(9)]


def test_what_a_dead_worker_did_is_done_again_and_counted_once() -> None:
    said: list[str] = []
    pool = FakePool(3, warn=said.append, deaths=(1, 4, 4))
    results = list(spread(square, range(6), pool))
    assert sorted(results) == [(n, n * n) for n in range(6)]
    assert sorted(pool.opened[0].calls) == [0, 1, 1, 2, 3, 4, 4, 4, 5]
    assert said == ["a worker has died (killed): what it did is done again"] * 3


def test_an_item_that_kills_every_worker_is_lost_and_the_others_are_not() -> None:
    pool = FakePool(2, deaths=(1,) * TRIES)
    results = dict(spread(square, range(4), pool, lost=lambda number: -number))
    assert results == {0: 0, 1: -1, 2: 4, 3: 9}
    with pytest.raises(WorkerDied):
        list(spread(square, range(4), FakePool(2, deaths=(1,) * TRIES)))


def test_what_the_function_raises_ends_all(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = FakePool(2)
    with pytest.raises(ZeroDivisionError):
        list(spread(lambda number: 1 // number, [1, 0, *range(2, 99)], pool))
    assert pool.opened[0].closed
    assert len(pool.opened[0].calls) < 5


def test_one_job_stays_in_this_process() -> None:
    assert list(spread(lambda _: os.getpid(), [1])) == [(1, os.getpid())]


def write_name(library: Library, number: int, folder: Path) -> int:
    folder.mkdir()
    (folder / "name.txt").write_text(f"{library.root.name} {number}", "utf-8")
    return number


def test_files_come_back_and_replace_what_was_there(tmp_path: Path) -> None:
    library = load_library(WAREHOUSE)
    (tmp_path / "7").mkdir()
    (tmp_path / "7" / "half.txt").touch()
    run = InLibrary(filed(write_name, True), library)
    for number, done in spread(run, [7]):
        done.put(tmp_path / str(number))
    assert [one.name for one in (tmp_path / "7").iterdir()] == ["name.txt"]
    assert (tmp_path / "7/name.txt").read_text("utf-8") == f"{WAREHOUSE.name} 7"
    assert filed(write_name, False)(library, 8) == Filed(8)


def die_once(folder: str, number: int) -> tuple[int, int]:
    """Kill this process in the first call of a number that is divisible by 3."""
    mark = Path(folder) / f"{number}"
    if number % 3 == 0 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number, os.getpid()


@pytest.mark.thorough
def test_killed_processes_are_replaced(tmp_path: Path) -> None:
    said: list[str] = []
    done = dict(spread(partial(die_once, str(tmp_path)), range(3), Pool(2, warn=said.append)))
    assert {number: result[0] for number, result in done.items()} == {n: n for n in range(3)}
    assert len(said) == 1
    assert os.getpid() not in {pid for _, pid in done.values()}


@pytest.mark.thorough
def test_a_process_that_dies_while_it_has_nothing_to_do_is_replaced() -> None:
    with closing(Processes(pid_of, 1)) as processes:
        processes.begin(0, 0)
        (ended,) = processes.wait()
        (idle,) = processes._idle
        assert isinstance(ended.result, int)
        os.kill(ended.result, signal.SIGKILL)
        (alive,) = (idle._executor._processes or {}).values()
        alive.join(60)
        with pytest.raises(BrokenProcessPool):  # it notices
            idle._executor.submit(pid_of, 0).result(60)
        processes.begin(1, 1)
        (ended,) = processes.wait()
        assert ended.error is None
        assert ended.result != alive.pid


def pid_of(number: int) -> int:
    return os.getpid()


@pytest.mark.thorough
def test_each_call_may_have_a_process_of_its_own(tmp_path: Path) -> None:
    library = load_library(WAREHOUSE)
    run = InLibrary(pid_and_library, library)
    done = [result for _, result in spread(run, range(2), fresh=1)]
    assert len({pid for pid, _ in done} | {os.getpid()}) == 3
    assert {name for _, name in done} == {WAREHOUSE.name}


def pid_and_library(library: Library, number: int) -> tuple[int, str]:
    return os.getpid(), library.root.name
