from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.support.bench import Bench
from tests.support.files import tree
from treec.run.resume import open_run, reread
from treec.run.run import Run
from treec.run.salvage import write_records
from treec.world.clock import VirtualClock
from treec.world.history import left_out_of
from treec.world.journal import Journal

PROMISE = """\
contract: finish
about: What is begun is finished.
eventually: {each: subtask, require: "status(subtask) == 'done'", within: 10s}
"""


def watched(folder: Path, promise: str = PROMISE) -> Bench:
    b = Bench(folder, {**tree("check: true"), "pack/finish.contract.yaml": promise})
    b.pass_time(1)
    b.add("get pepper", item="pepper")
    b.settle()
    return b


def test_what_comes_too_late_is_noted_once_when_its_time_is_over(tmp_path: Path) -> None:
    b = watched(tmp_path)
    b.pass_time(30)
    (broken,) = b.told("contract.broken")
    assert (broken.t, broken.data["contract"], broken.data["item"]) == (
        11.0,
        "finish",
        "get pepper",
    )
    assert b.run.monitor.broken == [("finish", "get pepper")]


def test_what_came_in_time_is_not(tmp_path: Path) -> None:
    b = watched(tmp_path)
    b.pass_time(5)
    b.emit("subtask.done", subtask="get pepper")
    b.pass_time(30)
    assert b.told("contract.broken") == []


def resumed(b: Bench, folder: Path, cut: float) -> Run:
    """A run that goes on after the records until a time, as after a kill."""
    records = tuple(record for record in b.journal.records if record.t <= cut)
    journal = Journal(io.BytesIO(), records[-1])
    return Run(b.run.view, VirtualClock(cut), journal, b.run.spec, records=records)


BRIEFLY = """\
contract: finish
about: What is begun is seen in the hand, if but for a moment.
eventually:
  each: subtask
  require: holding('R1') == 'pepper' and age(holding('R1')) < 2
  within: 1000s
"""


def test_a_condition_that_held_for_a_moment_has_held_in_a_resumed_run_too(
    tmp_path: Path,
) -> None:
    b = watched(tmp_path, BRIEFLY)
    b.emit("fact.set", fact="holding", args=["R1"], value="pepper", source="sensed")
    b.settle()
    b.pass_time(100)
    b.emit("fact.set", fact="holding", args=["R1"], value="salt", source="sensed")
    b.pass_time(400)
    b.emit("fact.set", fact="holding", args=["R2"], value="pepper", source="sensed")
    assert b.run.monitor._open == {}
    assert resumed(b, tmp_path, 501.0).monitor._open == {}
    path = tmp_path / "journal.jsonl"
    write_records(path, b.journal.records)
    opened = open_run(path, pytest.fail)
    assert left_out_of(opened.records)  # the moment, too
    records, state = reread(path, opened.records, opened.state, b.run.view)
    clock = VirtualClock(state.t)
    run = Run(b.run.view, clock, opened.journal, b.run.spec, records=records, state=state)
    assert run.monitor._open == {}


def test_a_resumed_run_knows_what_was_broken_and_keeps_the_deadlines_that_are_open(
    tmp_path: Path,
) -> None:
    b = watched(tmp_path)
    b.pass_time(15)
    b.add("get salt", item="salt")
    b.settle()  # at 16 s
    run = resumed(b, tmp_path, 16.0)
    assert [name for name, _ in run.monitor.broken] == ["finish"]
    assert run.monitor._open.keys() == {("finish", "get salt")}
    assert run.clock.next_due() == 26.0
    earlier = resumed(b, tmp_path, 1.0)
    assert earlier.monitor.broken == []
    assert earlier.clock.next_due() == 11.0
