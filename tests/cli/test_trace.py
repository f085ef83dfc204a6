"""`treec trace`: golden traces through the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Treec
from tests.vectors import main as write_vectors

VECTORS = Path(__file__).parents[1] / "data" / "bt_vectors" / "vectors.jsonl"


def test_every_golden_trace_agrees(treec: Treec, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in VECTORS.read_text("utf-8").splitlines()]
    write_vectors([str(VECTORS), str(tmp_path)])
    wrong = []
    for index, row in enumerate(rows):
        args = ("--ticks", len(row["ticks"]), "--output-format", "json")
        result = treec("trace", tmp_path / f"{index:04d}.tree.yaml", *args)
        wanted = {"ticks": row["ticks"], "halted_at_end": row["halted_at_end"]}
        if result.status != 0 or json.loads(result.out) != wanted:
            wrong.append(index)
    assert len(rows) == 800
    assert wrong == []


def test_a_trace_as_text(treec: Treec, tmp_path: Path) -> None:
    file = tmp_path / "two.tree.yaml"
    file.write_text(
        "tree: two\nroot:\n  - probe: {name: a, script: S}\n  - probe: {name: b, script: RF}\n"
    )
    result = treec("trace", file, "--ticks", 2)
    assert result.out.splitlines() == [
        "  1  RUNNING   a SUCCESS  b RUNNING",
        "  2  FAILURE   b FAILURE",
    ]


@pytest.mark.parametrize(
    ("text", "status", "part"),
    [
        ("tree: x\nroot:\n  - prob: {name: a, script: S}\n", 1, "did you mean 'probe'"),
        ("tree: x\nroot:\n  - probe: {name: a, script: SX}\n", 1, ":3:"),
        ("tree: x\nrot: []\n", 1, "did you mean 'root'"),
        ("tree: x\nroot:\n  - tree: y\n", 1, "'y'"),
    ],
)
def test_a_wrong_tree_is_told(
    treec: Treec, tmp_path: Path, text: str, status: int, part: str
) -> None:
    file = tmp_path / "wrong.tree.yaml"
    file.write_text(text)
    result = treec("trace", file)
    assert result.status == status
    assert part in result.out + result.err


def test_what_is_no_tree_file_cannot_be_traced(treec: Treec, tmp_path: Path) -> None:
    file = tmp_path / "README.md"
    file.write_text("# Hello\n")
    result = treec("trace", file)
    assert result.status == 2
    assert "holds no tree" in result.err


def test_a_file_that_is_not_there(treec: Treec, tmp_path: Path) -> None:
    result = treec("trace", tmp_path / "none.tree.yaml")
    assert result.status == 2
    assert "none.tree.yaml" in result.err
