"""The node `round_robin`: what it does, and that its one module is all that the rooms need."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Treec, library, treec
from tests.cli.test_node_memory import PLACES, driven, records, run_and_cut
from tests.nodes.build import probes, shown
from treec_interchange.nav2.round_robin import RoundRobin

__all__ = ["library", "treec"]

TREE = """\
tree: round_trip
root:
  round_robin:
    - {skill: drive, with: {agent: Hauler, place: aisle 1}}
    - {skill: drive, with: {agent: Hauler, place: aisle 2}}
    - {skill: drive, with: {agent: Hauler, place: packing table}}
  repeat: 3
"""


def turns(*scripts: str) -> RoundRobin:
    return RoundRobin(name="r", children=probes(*scripts))


def test_each_round_goes_on_with_the_next_child():
    assert shown(turns("S", "RS", "S"), 5) == [
        "SUCCESS aS",
        "RUNNING bR",
        "SUCCESS bS",
        "SUCCESS cS",
        "SUCCESS aS",
        "end",
    ]


def test_a_child_that_fails_is_followed_by_the_next_one_and_the_last_by_the_first():
    assert shown(turns("SFS", "F", "FS"), 2) == ["SUCCESS aS", "FAILURE bF cF aF", "end"]
    assert shown(turns("SS", "F", "F"), 2) == ["SUCCESS aS", "SUCCESS bF cF aS", "end"]


def test_when_all_have_failed_it_fails_and_begins_with_the_first():
    assert shown(turns("SFS", "F"), 3) == ["SUCCESS aS", "FAILURE bF aF", "SUCCESS aS", "end"]


def test_without_children_it_fails():
    assert shown(turns(), 1) == ["FAILURE", "end"]


def test_a_halt_begins_with_the_first_child_again():
    node = turns("S", "R")
    assert shown(node, 2) == ["SUCCESS aS", "RUNNING bR", "end b"]
    assert shown(node, 1) == ["SUCCESS aS", "end"]


@pytest.mark.parametrize(
    ("memory", "fits"), [(None, True), ((1, 0), True), ((2, 0), False), ("1", False)]
)
def test_a_place_fits_the_children_that_there_are(memory: object, fits: bool):
    assert turns("S", "S").recall(memory) is fits


@pytest.mark.few(1)
@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_resumed_run_goes_on_with_the_child_whose_turn_it_was(
    treec: Treec, library: Path, tmp_path: Path, number: int
) -> None:
    (library / "trees/round_trip.tree.yaml").write_text(TREE, "utf-8")
    folder = run_and_cut(treec, library, tmp_path / "runs", number)
    before = len(records(folder))
    result = treec("run", "--resume", folder, "--fast", "-L", library)
    assert result.status == 0, result.out + result.err
    assert driven(records(folder)[before:]) == PLACES[number - 1 :]


def test_it_is_checked_drawn_and_comes_back_from_xml(
    treec: Treec, library: Path, tmp_path: Path
) -> None:
    tree = library / "trees/round_trip.tree.yaml"
    tree.write_text(TREE, "utf-8")
    assert "?→ round_robin" in treec("render", tree, "-L", library).out
    xml = tmp_path / "round_trip.xml"
    treec("export", "round_trip", "--to", "btcpp", "-L", library, "-o", xml)
    assert "<RoundRobin>" in xml.read_text("utf-8")
    assert "round_robin:" in treec("import", xml).out
    tree.write_text("tree: round_trip\nroot: {round_robin: [{check: true}], repeat: -1}\n", "utf-8")
    assert "TC306: 'repeat: -1' never waits" in treec("check", tree, "-L", library).out
