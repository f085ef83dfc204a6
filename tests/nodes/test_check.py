from __future__ import annotations

from pathlib import Path

from py_trees.common import Status

from tests.support.bench import Bench
from tests.support.files import tree


def test_true_is_success_false_is_failure_and_neither_is_told(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("check: mood == 'calm'"))
    before = b.world.version
    assert b.tick() is Status.SUCCESS
    assert b.world.version == before
    b.set(mood="angry")
    assert b.tick() is Status.FAILURE
    assert b.run.root.feedback_message == "not so: mood == 'calm'"


def test_an_expression_that_has_no_value_is_a_failure_told_once(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("check: done('nothing such')"))
    assert b.settle() is Status.FAILURE
    (failed,) = b.told("node.failed")
    assert "unknown subtask" in str(failed.data["reason"])
