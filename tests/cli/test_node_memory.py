"""The nodes of a resumed run go on where they were, if no file has changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from py_trees.behaviours import Dummy

from tests.cli.conftest import Treec
from treec.nodes.control.for_each import ForEach
from treec.nodes.modifiers.repeat import Repeat
from treec.nodes.modifiers.retry import Retry
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


def run_and_cut(treec: Treec, library: Path, runs: Path, number: int, status: int = 0) -> Path:
    """Run the tree and cut its journal when so many skills have begun; returns the folder."""
    result = treec("run", "round_trip", "--fast", "--runs", runs, "-L", library)
    assert result.status == status, result.out + result.err
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


@pytest.mark.parametrize("name", ["recipe_name", "note"], ids=["state", "variable"])
def test_what_is_set_is_known_again(treec: Treec, library: Path, tmp_path: Path, name: str) -> None:
    tree = ROUND.replace("root:", "vars: {note: text}\nroot:")
    tree = tree.replace("{log: half way}", f"{{set: {{{name}: x}}}}")
    tree += f'  - {{log: "it is {{{{ {name} }}}}"}}\n'
    (library / "trees/round_trip.tree.yaml").write_text(tree, "utf-8")
    folder = run_and_cut(treec, library, tmp_path / "runs", 2)
    before = len(records(folder))
    result = treec("run", "--resume", folder, "--fast", "-L", library)
    assert result.status == 0, result.out + result.err
    after = records(folder)[before:]
    assert driven(after) == PLACES[1:]
    assert [r["data"]["text"] for r in after if r["kind"] == "log"] == ["it is x"]


def test_a_tree_that_was_edited_begins_anew(treec: Treec, library: Path, tmp_path: Path) -> None:
    folder = run_and_cut(treec, library, tmp_path / "runs", 3)
    before = len(records(folder))
    edited = ROUND.replace("packing table", "dock")
    (library / "trees/round_trip.tree.yaml").write_text(edited, "utf-8")
    result = treec("run", "--resume", folder, "--fast", "-L", library)
    assert result.status == 0, result.out + result.err
    assert driven(records(folder)[before:]) == ["aisle 1", "aisle 2", "dock"]


LOOPS = {
    "repeat": (
        """\
tree: round_trip
root:
  repeat: 3
  sequence:
    - {skill: drive, with: {agent: Hauler, place: aisle 1}}
    - {skill: drive, with: {agent: Hauler, place: aisle 2}}
""",
        ["aisle 1", "aisle 2"] * 3,
        0,
    ),
    "retry": (
        """\
tree: round_trip
root:
  retry: 3
  sequence:
    - {skill: drive, with: {agent: Hauler, place: aisle 1}}
    - {skill: drive, with: {agent: Hauler, place: aisle 2}}
    - check: holding('Hauler') == 'crate 12'
""",
        ["aisle 1", "aisle 2"] * 3,
        1,
    ),
    "for_each": (
        """\
tree: round_trip
root:
  for_each:
    item: place
    in: "['aisle 1', 'aisle 2', 'packing table', 'dock']"
    do: {skill: drive, with: {agent: Hauler, place: $place}}
""",
        ["aisle 1", "aisle 2", "packing table", "dock"],
        0,
    ),
}


@pytest.mark.parametrize("number", [2, 4])
@pytest.mark.parametrize("kind", LOOPS)
@pytest.mark.few(2)
def test_loops_go_on_where_they_were(
    treec: Treec, library: Path, tmp_path: Path, kind: str, number: int
) -> None:
    text, places, status = LOOPS[kind]
    (library / "trees/round_trip.tree.yaml").write_text(text, "utf-8")
    folder = run_and_cut(treec, library, tmp_path / "runs", number, status)
    before = len(records(folder))
    result = treec("run", "--resume", folder, "--fast", "-L", library)
    assert result.status == status, result.out + result.err
    assert driven(records(folder)[before:]) == places[number - 1 :]


def test_a_loop_of_a_journal_without_its_place_begins_anew(
    treec: Treec, library: Path, tmp_path: Path
) -> None:
    text, places, _ = LOOPS["for_each"]
    (library / "trees/round_trip.tree.yaml").write_text(text, "utf-8")
    folder = run_and_cut(treec, library, tmp_path / "runs", 3)
    found = records(folder)
    for record in found:
        record["data"].pop("memory", None)
    lines = (json.dumps(r, ensure_ascii=False, separators=(",", ":")) + "\n" for r in found)
    (folder / "journal.jsonl").write_text("".join(lines), "utf-8")
    sums_file(folder / "journal.jsonl").unlink()
    result = treec("run", "--resume", folder, "--fast", "-L", library)
    assert result.status == 0, result.out + result.err
    # it is at the second place already
    assert driven(records(folder)[len(found) :]) == places


@pytest.mark.parametrize(
    ("memory", "goes_on"),
    [
        ({"items": ("a", "b", "c"), "left": 1}, "b"),
        ({"items": ("a", "b", "c"), "left": 0}, "c"),
        ({"items": ("a", "b", "c"), "left": 3}, None),
        ({"items": (), "left": 0}, None),
        ((1, 12345), None),  # of a journal of an earlier treec
        (None, None),
    ],
)
@pytest.mark.parametrize("now", [["a", "b", "c"], ["x"], None], ids=str)
def test_an_item_is_bound_again_whatever_the_list_is_now(
    now: list[str] | None, memory: object, goes_on: str | None
) -> None:
    bound: list[str] = []
    loop = ForEach("loop", lambda: now, bound.append, Dummy("child"))
    assert loop.recall(memory) == (goes_on is not None)
    assert bound == ([goes_on] if goes_on else [])


@pytest.mark.parametrize(("memory", "fits"), [(1, True), (2, True), (3, False), ("2", False)])
def test_counts_fit_their_limits(memory: object, fits: bool) -> None:
    assert Repeat("loop", 3, Dummy("child")).recall(memory) is fits
    assert Retry("loop", 3, Dummy("child")).recall(memory) is fits
