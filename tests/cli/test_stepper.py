"""`treec run --step`, `--pause-at NODE` and `--approve skills`: a run that waits for somebody."""

from __future__ import annotations

import io
import json
import os
import select
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.cli.conftest import Result, Treec
from treec.cli.read_line import read_line

TREE = """\
tree: there_and_back
root:
  - {skill: drive, with: {agent: Hauler, place: aisle 1}}
  - {log: half way}
  - {skill: drive, with: {agent: Hauler, place: aisle 2}}
"""


@pytest.fixture
def library(library: Path) -> Path:
    (library / "trees/there_and_back.tree.yaml").write_text(TREE, "utf-8")
    return library


class Stepped:
    """Runs the tree with what somebody types."""

    def __init__(
        self, treec: Treec, library: Path, runs: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.treec, self.library, self.runs, self.monkeypatch = treec, library, runs, monkeypatch

    def __call__(self, typed: str, *options: str) -> Result:
        self.monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        return self.treec(
            "run", "there_and_back", "--runs", self.runs, "-L", self.library, *options
        )

    def kinds(self) -> list[str]:
        folder = sorted(self.runs.iterdir())[-1]
        lines = (folder / "journal.jsonl").read_text("utf-8").splitlines()
        return [json.loads(line)["kind"] for line in lines]


@pytest.fixture
def run(treec: Treec, library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stepped:
    return Stepped(treec, library, tmp_path / "runs", monkeypatch)


def ticks(out: str) -> list[str]:
    return [line for line in out.splitlines() if line.startswith("tick ")]


def test_each_tick_is_shown_with_what_it_changed(run: Stepped) -> None:
    result = run("\n" * 20, "--step")
    assert result.status == 0, result.err
    assert ticks(result.out) == ["tick 1 at 0 s", "tick 3 at 10 s", "tick 5 at 20 s"]
    first = result.out.partition("tick 3")[0]
    assert "  running  there_and_back/drive\n" in first
    assert "Enter: the next one, c: go on, q: end the run" in first


def test_going_on_stops_no_more(run: Stepped) -> None:
    result = run("c\n", "--step")
    assert result.status == 0
    assert len(ticks(result.out)) == 1


def test_the_end_of_the_input_goes_on(run: Stepped) -> None:
    result = run("", "--step", "--pause-at", "log")
    assert result.status == 0
    assert len(ticks(result.out)) == 1


def test_it_runs_to_a_node_and_steps_from_there(run: Stepped) -> None:
    result = run("\n\n", "--pause-at", "log")
    assert ticks(result.out) == ["tick 3 at 10 s", "tick 5 at 20 s"]
    assert "  success  there_and_back/log ◀\n" in result.out


def test_ending_it_leaves_a_run_that_can_be_resumed(run: Stepped) -> None:
    result = run("q\n", "--pause-at", "log")
    assert result.status == 1
    folder = sorted(run.runs.iterdir())[-1]
    again = run.treec("run", "--resume", folder, "--fast", "-L", run.library)
    assert again.status == 0, again.out + again.err


def test_the_journal_is_that_of_a_run_that_never_stopped(run: Stepped) -> None:
    run("\n" * 20, "--step")
    stepped = run.kinds()
    run("", "--fast")
    assert stepped == run.kinds()


def test_lines_that_come_together_are_read_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever writes them keeps the pipe open: nothing more is to be waited for."""
    ours, theirs = os.pipe()
    stopped = Event()
    with open(ours, encoding="utf-8") as stdin, open(theirs, "wb", buffering=0) as pipe:
        monkeypatch.setattr("sys.stdin", stdin)
        pipe.write("n\nzürück\nq".encode())
        monkeypatch.setattr(select, "select", never_waiting(select.select, stopped))
        assert read_line(sys.stdin, stopped) == "n\n"
        assert read_line(sys.stdin, stopped) == "zürück\n"
        assert not stopped.is_set()
        pipe.close()
        assert read_line(sys.stdin, stopped) == "q"
        assert read_line(sys.stdin, stopped) is None


def never_waiting(ready: Callable[..., Any], stopped: Event) -> Callable[..., Any]:
    """``select`` that ends the run where it would have waited."""

    def select(*files: object) -> Any:
        found = ready(*files[:3], 0.0)
        if not found[0]:
            stopped.set()
        return found

    return select


def test_without_an_input_nothing_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert read_line(sys.stdin, Event()) is None


def places(result: Result) -> list[str]:
    """Where Hauler asked to drive."""
    lines = [line for line in result.out.splitlines() if line.startswith("Hauler: drive(")]
    return [line.partition("(")[2].partition(")")[0] for line in lines]


def test_a_skill_begins_when_it_is_approved(run: Stepped) -> None:
    result = run("\ny\n", "--approve", "skills")
    assert result.status == 0, result.out
    assert places(result) == ["aisle 1", "aisle 2"]


def test_a_skill_that_is_not_approved_fails(run: Stepped) -> None:
    result = run("\nn\n", "--approve", "skills")
    assert result.status == 1
    assert "drive(aisle 2): not approved" in result.out


def test_all_are_approved_at_once(run: Stepped) -> None:
    result = run("a\n", "--approve", "skills")
    assert result.status == 0
    assert places(result) == ["aisle 1"]


@pytest.mark.parametrize("typed", ["q\n", ""])
def test_without_an_answer_nothing_begins(run: Stepped, typed: str) -> None:
    result = run(typed, "--approve", "skills")
    assert result.status == 1
    assert places(result) == ["aisle 1"]
    assert "not approved" not in result.out
    assert not {kind for kind in run.kinds() if kind.startswith("skill") or "fail" in kind}


def test_what_is_no_answer_is_asked_again(run: Stepped) -> None:
    result = run("nein\nwhat?\ny\n\n", "--approve", "skills")
    assert (result.status, places(result)) == (1, ["aisle 1"])
    result = run("what?\ny\n\n", "--approve", "skills")
    assert (result.status, places(result)) == (0, ["aisle 1", "aisle 1", "aisle 2"])


class Watched(Stepped):
    """Runs a scenario with what somebody types."""

    def __call__(self, typed: str, *options: str) -> Result:
        self.monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        args = ("warehouse", "--scenario", "direct_orders", "--runs", self.runs)
        return self.treec("run", *args, "-L", self.library, *options)


@pytest.fixture
def orders(run: Stepped) -> Watched:
    """A scenario whose user orders something."""
    (run.library / "trees/there_and_back.tree.yaml").unlink()
    return Watched(run.treec, run.library, run.runs, run.monkeypatch)


def questions(result: Result) -> list[str]:
    return [line for line in result.out.splitlines() if "? Enter: yes" in line]


def test_actions_take_effect_when_they_are_approved(orders: Watched) -> None:
    orders("", "--fast")
    unwatched = orders.kinds()
    result = orders("y\n" * 50, "--approve", "actions")
    assert result.status == 0, result.out
    assert len(questions(result)) == actions(orders) > 0
    assert orders.kinds() == unwatched


def actions(run: Stepped) -> int:
    folder = sorted(run.runs.iterdir())[-1]
    lines = map(json.loads, (folder / "journal.jsonl").read_text("utf-8").splitlines())
    return sum(bool(line["data"].get("actions")) for line in lines if line["kind"] == "commit")


def test_actions_that_are_not_approved_change_nothing(orders: Watched) -> None:
    result = orders("n\n" * 50 + "q\n", "--approve", "actions")
    assert questions(result)
    assert actions(orders) == 0
    assert "refused" in orders.kinds()


def test_ending_the_run_refuses_no_actions(orders: Watched) -> None:
    result = orders("q\n", "--approve", "actions")
    assert (result.status, len(questions(result))) == (1, 1)
    assert actions(orders) == 0
    assert "refused" not in orders.kinds()


def test_both_are_asked_about(orders: Watched) -> None:
    result = orders("y\n" * 99, "--approve", "actions", "--approve", "skills")
    skills = [line for line in questions(result) if ": drive(" in line]
    assert 0 < len(skills) < len(questions(result))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--pause-at", "dirve"), "unknown node 'dirve'; did you mean 'drive'"),
        (("--step", "--chat"), "leave --chat out"),
        (("--approve", "skills", "--chat"), "leave --chat out"),
        (("--approve", "all"), "Invalid value"),
    ],
)
def test_what_cannot_be_stepped_is_told(run: Stepped, options: tuple[str, ...], told: str) -> None:
    result = run("", *options)
    assert result.status == 2
    assert told in result.err
    assert not run.runs.exists() or not list(run.runs.iterdir())


def test_a_system_that_is_talked_to_cannot_be_stepped(run: Stepped) -> None:
    (run.library / "trees/there_and_back.tree.yaml").unlink()
    result = run.treec("run", "warehouse", "--step", "--runs", run.runs, "-L", run.library)
    assert result.status == 2
    assert "specify a scenario or a tree" in result.err
