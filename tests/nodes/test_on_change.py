from __future__ import annotations

from pathlib import Path

from py_trees.common import Status

from tests.support.bench import Bench
from tests.support.files import tree


def test_the_first_look_is_a_change_and_then_only_another_value(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("on_change: level"))
    assert b.tick() is Status.SUCCESS
    assert b.tick(2) is Status.RUNNING
    b.set(level=1)
    assert b.tick() is Status.SUCCESS


def test_what_it_saw_outlives_a_halt(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("on_change: level\nwhile: mood == 'calm'"))
    b.tick()
    b.set(mood="angry")
    b.tick()
    b.set(mood="calm")
    assert b.tick() is Status.RUNNING
