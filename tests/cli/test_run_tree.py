"""`treec run TREE`: any tree runs to its status, which is the exit status."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Treec

TREE = """\
tree: greet
ports: {who: in text}
vars: {level: number}
root:
  - log: hello {{ who }}
  - wait: 2s
  - check: who == 'Bob'
"""
TRIP = """\
tree: trip
ports: {agent: in Robot, place: in Place}
root:
  - skill: drive
    with: {agent: $agent, place: $place}
"""


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree file in a folder that is no library."""
    folder = tmp_path / "alone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "greet.tree.yaml").write_text(TREE, "utf-8")
    return folder


def journal(folder: Path) -> list[dict[str, Any]]:
    (file,) = folder.glob("runs/*/journal.jsonl")
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


@pytest.mark.parametrize(("who", "status", "end"), [("Bob", 0, "SUCCESS"), ("Al", 1, "FAILURE")])
def test_a_file_runs_to_its_status(
    treec: Treec, alone: Path, who: str, status: int, end: str
) -> None:
    result = treec("run", "greet.tree.yaml", f"who={who}", "--fast")
    assert result.status == status, result.out + result.err
    assert f"{end} after 0:02" in result.out
    assert ("not so: who == 'Bob'" in result.out) is (status == 1)
    records = journal(alone)
    assert records[0]["data"] == {
        "format": 1,
        "ports": {"who": who},
        "seed": 0,
        "system": "greet",
        "tree": "greet",
    }
    assert records[-1]["data"] == {"ok": status == 0, "reason": "finished"}


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["greet.tree.yaml"], "the tree 'greet' needs its port 'who', in text: write who=…"),
        (["greet.tree.yaml", "whom=Bob"], "unknown port 'whom' of 'greet'"),
        (["greet.tree.yaml", "Bob"], "'Bob' is not a port: write NAME=VALUE, such as agent=R1"),
        (["other.tree.yaml"], "no file other.tree.yaml with a tree"),
        (["greet.tree.yaml", "who=Bob", "-s", "x"], "a scenario is one of a system"),
    ],
)
def test_what_is_wrong_is_told(treec: Treec, alone: Path, args: list[str], message: str) -> None:
    result = treec("run", *args, "--fast")
    assert result.status == 2
    assert message in result.err


def test_a_file_with_errors_does_not_run(treec: Treec, alone: Path) -> None:
    (alone / "greet.tree.yaml").write_text(TREE.replace("check:", "chek:"), "utf-8")
    result = treec("run", "greet.tree.yaml", "who=Bob", "--fast")
    assert result.status == 1
    assert "greet.tree.yaml:7" in result.out


def test_a_tree_of_a_system_runs_among_its_agents(treec: Treec, library: Path) -> None:
    (library / "trees/trip.tree.yaml").write_text(TRIP, "utf-8")
    to_dock = ("run", "trip", "agent=Scout", "place=dock", "--fast", "-L", library)
    result = treec(*to_dock, "--runs", library / "runs")
    assert result.status == 0, result.out + result.err
    ended = [r["data"] for r in journal(library) if r["kind"] == "skill.ended"]
    assert [(e["agent"], e["ok"]) for e in ended] == [("Scout", True)]


def test_its_file_means_the_same(treec: Treec, library: Path) -> None:
    path = library / "trees/trip.tree.yaml"
    path.write_text(TRIP, "utf-8")
    args = ("agent=Scout", "place=dock", "--fast", "-L", library, "--runs", library / "runs")
    result = treec("run", path, *args)
    assert result.status == 0, result.out + result.err
    assert journal(library)[0]["data"]["system"] == "warehouse"


def test_a_tree_in_two_systems_needs_one_of_them(treec: Treec, library: Path) -> None:
    (library / "trees/trip.tree.yaml").write_text(TRIP, "utf-8")
    system = (library / "trees/warehouse.system.yaml").read_text("utf-8")
    other = system.replace("system: warehouse", "system: night_shift")
    (library / "trees/night_shift.system.yaml").write_text(other, "utf-8")
    args = ("run", "trip", "agent=Scout", "place=dock", "--fast", "-L", library)
    result = treec(*args)
    assert result.status == 2
    assert (
        "the tree 'trip' is in the systems 'night_shift', 'warehouse': specify --system"
        in result.err
    )
    result = treec(*args, "--system", "night_shift", "--runs", library / "runs")
    assert result.status == 0, result.out + result.err
    assert journal(library)[0]["data"]["system"] == "night_shift"


def test_a_tree_that_no_system_uses_runs_in_one_that_is_named(treec: Treec, library: Path) -> None:
    (library / "trials").mkdir()
    (library / "trials/trip.tree.yaml").write_text(TRIP, "utf-8")
    args = ("run", "trip", "agent=Scout", "place=dock", "--fast", "-L", library)
    result = treec(*args, "--system", "warehouse", "--runs", library / "runs")
    assert result.status == 0, result.out + result.err
    assert journal(library)[0]["data"]["system"] == "warehouse"


def test_an_unknown_name_is_neither_a_system_nor_a_tree(treec: Treec, library: Path) -> None:
    result = treec("run", "warehose", "--fast", "-L", library)
    assert result.status == 2
    assert "did you mean 'warehouse'?" in result.err
    assert "unknown system 'warehose', nor a tree of that name; did you mean" in result.err


def test_an_interrupted_run_of_a_tree_goes_on(treec: Treec, library: Path) -> None:
    (library / "trees/greet.tree.yaml").write_text(TREE, "utf-8")
    treec("run", "greet", "who=Bob", "--fast", "-L", library, "--runs", library / "runs")
    (file,) = library.glob("runs/*/journal.jsonl")
    lines = file.read_text("utf-8").splitlines(keepends=True)
    cut = next(i for i, line in enumerate(lines) if '"kind":"log"' in line)
    file.write_text("".join(lines[: cut + 1]), "utf-8")
    result = treec("run", "--resume", file.parent, "--fast", "-L", library)
    assert result.status == 0, result.out + result.err
    assert "SUCCESS after 0:02" in result.out


@pytest.mark.parametrize("records", [2, 4])  # the first two are one batch
def test_a_run_of_a_lone_file_is_resumed(treec: Treec, alone: Path, records: int) -> None:
    treec("run", "greet.tree.yaml", "who=Bob", "--fast")
    (file,) = alone.glob("runs/*/journal.jsonl")
    lines = file.read_text("utf-8").splitlines(keepends=True)
    file.write_text("".join(lines[:records]), "utf-8")
    result = treec("run", "--resume", file.parent, "--fast")
    assert result.status == 0, result.out + result.err
    assert "SUCCESS after 0:02" in result.out


def test_a_lone_file_that_is_gone_cannot_be_resumed(treec: Treec, alone: Path) -> None:
    treec("run", "greet.tree.yaml", "who=Bob", "--fast")
    (file,) = alone.glob("runs/*/journal.jsonl")
    lines = file.read_text("utf-8").splitlines(keepends=True)
    file.write_text("".join(lines[:2]), "utf-8")
    (alone / "greet.tree.yaml").unlink()
    result = treec("run", "--resume", file.parent, "--fast")
    assert result.status == 2
    assert "no file" in result.err
    assert "greet.tree.yaml" in result.err
    assert file.read_text("utf-8") == "".join(lines[:2])
