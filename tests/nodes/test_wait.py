from __future__ import annotations

from pathlib import Path

from py_trees.common import Status

from tests.support.bench import Bench
from tests.support.files import tree


def test_until_is_looked_at_in_the_tick_in_which_it_becomes_true(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("wait: {until: level == 1}\nonce: true"))
    assert b.tick() is Status.RUNNING
    b.set(level=1)
    assert b.tick() is Status.SUCCESS


def test_a_time_wakes_the_loop_when_it_is_over(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("sequence:\n  - wait: 3s\n  - log: over\nonce: true"))
    b.pass_time(10)
    assert [e.t for e in b.told("log")] == [3.0]


def test_whichever_comes_first(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("wait: {until: level == 1, for: 3s}\nonce: true"))
    b.pass_time(2)
    assert b.run.root.status is Status.RUNNING
    b.set(level=1)
    assert b.tick() is Status.SUCCESS


def test_halted_it_waits_anew(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("wait: 3s\nwhile: level == 0"))
    b.pass_time(2)
    b.set(level=1)
    b.tick()
    assert b.clock.next_due() is None  # the timer is gone
    b.set(level=0)
    b.pass_time(2)
    assert b.run.root.status is Status.RUNNING


def test_a_condition_that_has_no_value_is_a_failure(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("wait: {until: done('x'), for: 3s}"))
    assert b.tick() is Status.FAILURE
    assert b.clock.next_due() is None
