"""An expression that cannot be evaluated is a failure with its place, never a crash."""

from __future__ import annotations

from pathlib import Path

import pytest
from py_trees.common import Status

from tests.support.bench import Bench
from tests.support.files import tree

WRONG = "status('nobody there')"


@pytest.mark.parametrize(
    ("root", "status", "logged"),
    [
        (f"- {{log: ticked, while: \"{WRONG} == 'Idle'\"}}", Status.FAILURE, []),
        (f"- {{log: ticked, fail_if: \"{WRONG} == 'Idle'\"}}", Status.FAILURE, []),
        (f"- {{log: ticked, skip_if: \"{WRONG} == 'Idle'\"}}", Status.SUCCESS, ["ticked"]),
        (f"- {{if: {WRONG}, then: [log: then], else: [log: else]}}", Status.SUCCESS, ["else"]),
        (
            f"- switch: {{of: {WRONG}, cases: {{Idle: [log: idle]}}, default: [log: other]}}",
            Status.SUCCESS,
            ["other"],
        ),
        (f"- for_each: {{item: x, in: {WRONG}, do: [log: x]}}", Status.FAILURE, []),
        ("- for_each: {item: x, in: now, do: [log: x]}", Status.FAILURE, []),
        (f"- check: {WRONG}", Status.FAILURE, []),
        (f"- wait: {{until: {WRONG}}}", Status.FAILURE, []),
        (f"- on_change: {WRONG}", Status.FAILURE, []),
    ],
)
def test_each_node_does_the_least(
    tmp_path: Path, root: str, status: Status, logged: list[str]
) -> None:
    b = Bench(tmp_path, tree(root))
    assert b.tick() is status
    assert [e.data["text"] for e in b.told("log")] == logged
    (failure,) = b.told("node.failed")
    assert "nobody there" in str(failure.data["reason"]) or "not a list" in str(
        failure.data["reason"]
    )
    assert not b.told("node.raised")


def test_the_place_in_the_file_is_told(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree(f"- {{log: ticked, while: \"{WRONG} == 'Idle'\"}}"))
    b.tick()
    (failure,) = b.told("node.failed")
    assert str(failure.data["reason"]).startswith("pack/main.tree.yaml:")
