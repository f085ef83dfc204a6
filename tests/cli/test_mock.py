"""`treec run --inject 'mock NODE=STATUSES'`: scripted statuses in place of nodes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Result, Treec

TREE = """\
tree: there_and_back
root:
  - selector:
      - {skill: drive, with: {agent: Hauler, place: aisle 1}}
      - {log: no way to aisle 1}
  - {skill: drive, with: {agent: Hauler, place: aisle 2}}
  - {log: there}
"""


@pytest.fixture
def library(library: Path) -> Path:
    (library / "trees/there_and_back.tree.yaml").write_text(TREE, "utf-8")
    return library


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    return tmp_path / "runs"


def run(treec: Treec, library: Path, runs: Path, *mocks: str) -> Result:
    given = [part for mock in mocks for part in ("--inject", f"mock {mock}")]
    return treec("run", "there_and_back", "--fast", "--runs", runs, "-L", library, *given)


def records(runs: Path) -> list[dict[str, Any]]:
    (folder,) = runs.iterdir()
    text = (folder / "journal.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def kinds(runs: Path) -> list[str]:
    return [
        r["data"]["args"]["place"] if r["kind"] == "skill.started" else r["data"]["text"]
        for r in records(runs)
        if r["kind"] in ("skill.started", "log")
    ]


def test_a_skill_that_fails_shows_what_the_tree_does_then(
    treec: Treec, library: Path, runs: Path
) -> None:
    result = run(treec, library, runs, "*/selector/drive=RF")
    assert result.status == 0, result.err
    assert kinds(runs) == ["no way to aisle 1", "aisle 2", "there"]
    begin, tree = (
        next(r["data"] for r in records(runs) if r["kind"] == kind)
        for kind in ("run.begin", "tree")
    )
    assert begin["faults"] == ["mock */selector/drive=RF"]
    mocked = [node["path"] for node in tree["nodes"] if node["kind"] == "probe"]
    assert mocked == ["there_and_back/selector/drive"]


def test_a_branch_is_mocked_whole_and_fails_the_run(
    treec: Treec, library: Path, runs: Path
) -> None:
    result = run(treec, library, runs, "selector=F")
    assert result.status == 1
    assert kinds(runs) == []


def test_the_root_is_mocked_too(treec: Treec, library: Path, runs: Path) -> None:
    assert run(treec, library, runs, "there_and_back=RRS").status == 0
    assert kinds(runs) == []


def test_a_mock_below_another_is_no_mistake(treec: Treec, library: Path, runs: Path) -> None:
    result = run(treec, library, runs, "selector=S", "*/selector/drive=F", "selector/log=S")
    assert result.status == 0, result.err
    assert kinds(runs) == ["aisle 2", "there"]


def test_a_run_without_mocks_has_none_in_its_journal(
    treec: Treec, library: Path, runs: Path
) -> None:
    assert run(treec, library, runs).status == 0
    assert "faults" not in records(runs)[0]["data"]
    assert kinds(runs) == ["aisle 1", "aisle 2", "there"]


def test_a_resumed_run_has_the_same_mocks(treec: Treec, library: Path, runs: Path) -> None:
    run(treec, library, runs, "*/selector/drive=F")
    (folder,) = runs.iterdir()
    journal = folder / "journal.jsonl"
    whole = journal.read_text("utf-8").splitlines(keepends=True)
    cut = next(n for n, line in enumerate(whole, 1) if '"skill.started"' in line)
    for file in folder.iterdir():
        if file.name.startswith("journal.jsonl"):
            file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:cut]))
    result = treec("run", "--resume", folder, "--fast", "-L", library)
    assert result.status == 0, result.out + result.err
    assert "aisle 1" not in kinds(runs)


@pytest.mark.parametrize(
    ("mock", "told"),
    [
        ("drive", "write mock NODE=STATUSES"),
        ("=S", "write mock NODE=STATUSES"),
        ("drive=", "'' is not of the letters S, F and R"),
        ("selectr=S", "did you mean 'selector' (there_and_back/selector)?"),
        ("nothing/like/it=S", "unknown node 'nothing/like/it'"),
    ],
)
def test_what_is_no_mock_is_told(
    treec: Treec, library: Path, runs: Path, mock: str, told: str
) -> None:
    result = run(treec, library, runs, mock)
    assert result.status == 2
    assert told in result.err
    assert not runs.exists() or not list(runs.iterdir())
