"""The nodes of a resumed run go on where they were, if no file has changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Treec
from treec.world.check_sums import sums_file

ROUND = """\
tree: round_trip
root:
  - {skill: drive, with: {agent: Hauler, place: aisle 1}}
  - {log: half way}
  - {skill: drive, with: {agent: Hauler, place: aisle 2}}
  - {skill: drive, with: {agent: Hauler, place: packing table}}
"""
PLACES = ["aisle 1", "aisle 2", "packing table"]


@pytest.fixture
def library(library: Path) -> Path:
    """The warehouse with a linear tree, none of whose skills holds any more after the next."""
    (library / "trees/round_trip.tree.yaml").write_text(ROUND, "utf-8")
    return library


def records(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "journal.jsonl").read_text("utf-8").splitlines()]


def run_and_cut(treec: Treec, library: Path, runs: Path, number: int) -> Path:
    """Run the tree and cut its journal when so many skills have begun; returns the folder."""
    result = treec("run", "round_trip", "--fast", "--runs", runs, "-L", library)
    assert result.status == 0, result.err
    (folder,) = runs.iterdir()
    journal = folder / "journal.jsonl"
    begun = [r["n"] for r in records(folder) if r["kind"] == "skill.started"]
    cut = next(r["n"] for r in records(folder)[begun[number - 1] :] if r["kind"] == "ticked")
    for file in (journal, sums_file(journal)):
        file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:cut]))
    return folder


def driven(found: list[dict[str, Any]]) -> list[str]:
    return [r["data"]["args"]["place"] for r in found if r["kind"] == "skill.started"]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_linear_tree_does_not_repeat_finished_skills(
    treec: Treec, library: Path, tmp_path: Path, number: int
) -> None:
    folder = run_and_cut(treec, library, tmp_path / "runs", number)
    before = len(records(folder))
    result = treec("run", "--resume", folder, "--fast", "-L", library)
    assert result.status == 0, result.out + result.err
    after = records(folder)[before:]
    assert driven(after) == PLACES[number - 1 :]
    assert [r["kind"] for r in after].count("log") == (number == 1)


def test_a_tree_that_was_edited_begins_anew(treec: Treec, library: Path, tmp_path: Path) -> None:
    folder = run_and_cut(treec, library, tmp_path / "runs", 3)
    before = len(records(folder))
    edited = ROUND.replace("packing table", "dock")
    (library / "trees/round_trip.tree.yaml").write_text(edited, "utf-8")
    result = treec("run", "--resume", folder, "--fast", "-L", library)
    assert result.status == 0, result.out + result.err
    assert driven(records(folder)[before:]) == ["aisle 1", "aisle 2", "dock"]
