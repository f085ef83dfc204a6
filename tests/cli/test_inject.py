"""`treec run --inject`: faults in any run."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.cli.conftest import Treec
from treec.cli.complete import complete_fault

RUN = ("run", "warehouse", "--scenario", "direct_orders", "--fast")


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    return tmp_path / "runs"


def records(runs: Path) -> list[dict[str, Any]]:
    (journal,) = runs.glob("*/journal.jsonl")
    return [json.loads(line) for line in journal.read_text("utf-8").splitlines()]


def injected(runs: Path) -> list[tuple[float, str]]:
    return [
        (record["t"], event["data"]["fault"])
        for record in records(runs)
        for event in record["data"].get("events", [record])
        if event["kind"] == "injected"
    ]


def test_it_is_in_the_journal_and_shown(treec: Treec, library: Path, runs: Path) -> None:
    faults = ("--inject", "5s: out Scout", "--inject", "fail drive: jammed")
    done = treec(*RUN, *faults, "--runs", runs, "-L", library)
    assert "injected: fail drive: jammed" in done.out
    assert injected(runs) == [(0, "fail drive: jammed"), (5, "out Scout")]
    begin = records(runs)[0]["data"]
    assert begin["faults"] == ["5s: out Scout", "fail drive: jammed"]
    reasons = [r["data"].get("reason") for r in records(runs) if r["kind"] == "skill.ended"]
    assert "jammed" in reasons


def test_a_fault_that_cannot_be_begins_no_run(treec: Treec, library: Path, runs: Path) -> None:
    done = treec(*RUN, "--inject", "fail driv", "--runs", runs, "-L", library)
    assert (done.status, "did you mean 'drive'?" in done.err) == (2, True), done.err
    assert not runs.exists() or not list(runs.iterdir())


def test_a_condition_of_unknown_names_begins_no_run(
    treec: Treec, library: Path, runs: Path
) -> None:
    fault = "3s after naer(Scout) == none: out Scout"
    done = treec(*RUN, "--inject", fault, "--runs", runs, "-L", library)
    assert (done.status, "did you mean 'near'?" in done.err) == (2, True), done.err
    assert not runs.exists() or not list(runs.iterdir())


def test_a_resumed_run_has_what_is_still_to_come(treec: Treec, library: Path, runs: Path) -> None:
    faults = ("--inject", "2s: fail drive: jammed", "--inject", "15s: out Scout")
    treec(*RUN, *faults, "--runs", runs, "-L", library)
    assert injected(runs) == [(2, "fail drive: jammed"), (15, "out Scout")]
    (journal,) = runs.glob("*/journal.jsonl")
    lines = journal.read_text("utf-8").splitlines(keepends=True)
    journal.write_text("".join(line for line in lines if json.loads(line)["t"] <= 10), "utf-8")
    treec("run", "--resume", journal.parent, "--fast", "-L", library)
    assert injected(runs) == [(2, "fail drive: jammed"), (15, "out Scout")]


def test_a_lone_tree_has_no_things(treec: Treec, tmp_path: Path, runs: Path) -> None:
    tree = tmp_path / "idle.tree.yaml"
    tree.write_text("tree: idle\nroot: {wait: 20s}\n", "utf-8")
    done = treec("run", tree, "--fast", "--inject", "5s: set at(x) == none", "--runs", runs)
    assert (done.status, "unknown fact 'at'" in done.err) == (2, True), done.err


EVENTS = """\
faults:
  - 2s after near(Scout) != none:
      out Scout: pushed
  - then 15s: back Scout
"""


@pytest.mark.parametrize("cut_at", [10, 25])
def test_a_resumed_run_counts_from_what_happened_before(
    treec: Treec, library: Path, runs: Path, cut_at: float
) -> None:
    """Conditions and `then`, in a scenario and on the command line."""
    scenario = library / "trees/scenarios/direct_orders.scenario.yaml"
    scenario.write_text(scenario.read_text("utf-8") + EVENTS, "utf-8")
    faults = ("--inject", "5s: out Hauler", "--inject", "then 25s: back Hauler")
    treec(*RUN, *faults, "--runs", runs, "-L", library)
    whole = injected(runs)
    times = {fault: t for t, fault in whole}
    assert len(times) == len(whole) == 4
    assert times["back Scout"] - times["out Scout: pushed"] == pytest.approx(15)
    assert (times["out Hauler"], times["back Hauler"]) == (5, 30)
    (journal,) = runs.glob("*/journal.jsonl")
    lines = journal.read_text("utf-8").splitlines(keepends=True)
    journal.write_text("".join(line for line in lines if json.loads(line)["t"] <= cut_at), "utf-8")
    treec("run", "--resume", journal.parent, "--fast", "-L", library)
    assert injected(runs) == whole


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("fail dr", ["fail drive"]),
        ("20s: out S", ["20s: out Scout"]),
        ("model s", ["model silent"]),
        ("lose ", []),
        ("nothing", []),
    ],
)
def test_names_are_completed_as_they_are_typed(library: Path, typed: str, found: list[str]) -> None:
    context = SimpleNamespace(params={"system": "warehouse", "library": library, "env": None})
    assert complete_fault(cast(Any, context), typed) == found


def test_where_nothing_is_known_nothing_is_completed(tmp_path: Path) -> None:
    context = SimpleNamespace(params={"system": "nothing", "library": tmp_path})
    assert complete_fault(cast(Any, context), "fail ") == []
