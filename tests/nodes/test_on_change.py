from __future__ import annotations

from pathlib import Path

import pytest
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


@pytest.mark.parametrize(("otherwise", "status"), [("failure", "FAILURE"), ("skip", "SUCCESS")])
def test_without_a_change_it_may_fail_or_be_skipped(
    tmp_path: Path, otherwise: str, status: str
) -> None:
    looks = f"{{on_change: {{of: level, otherwise: {otherwise}}}}}"
    b = Bench(tmp_path, tree(f"sequence: [{looks}, {{check: true}}]"))
    assert b.tick() is Status.SUCCESS
    assert b.tick().name == status


def test_a_variable_that_is_set_counts_even_to_the_same_value(tmp_path: Path) -> None:
    looks = "{on_change: {of: n, counts: sets, otherwise: failure}}"
    root = f"sequence: [{{set: {{n: 1}}}}, {looks}]"
    b = Bench(tmp_path, tree(root, head="vars: {n: number}\n"))
    for _ in range(3):
        assert b.tick() is Status.SUCCESS
    b = Bench(tmp_path / "again", tree(looks, head="vars: {n: number = 1}\n"))
    assert [b.tick(), b.tick()] == [Status.SUCCESS, Status.FAILURE]
