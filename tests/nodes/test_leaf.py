from __future__ import annotations

from pathlib import Path

from py_trees.common import Status

from tests.support.bench import Bench
from tests.support.files import tree


def test_the_same_failure_is_told_again_only_after_something_else_happened(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("check: done('x')"))
    assert b.tick(3) is Status.FAILURE
    assert len(b.told("node.failed")) == 1
    b.set(level=1)
    b.tick(3)
    assert len(b.told("node.failed")) == 2


def test_two_failing_leaves_let_the_loop_rest(tmp_path: Path) -> None:
    root = "parallel:\n  until: never\n  children:\n    - check: done('x')\n    - check: done('y')"
    b = Bench(tmp_path, tree(root))
    b.settle()
    assert len(b.told("node.failed")) == 2


def test_a_handler_gets_the_reason(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("check: done('x')\non_failure: [{log: '{{ reason }}'}]"))
    b.tick()
    assert "unknown subtask 'x'" in str(b.told("log")[0].data["text"])


def test_a_failure_names_its_module(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("check: done('x')"))
    b.tick()
    assert b.told("node.failed")[0].data["module"] == "treec.nodes.leaves.check"
