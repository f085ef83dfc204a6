from __future__ import annotations

from pathlib import Path

from py_trees.common import Status

from tests.support.bench import Bench
from tests.support.files import tree


def report(folder: Path, body: str) -> Bench:
    b = Bench(folder, tree(f"report: {body}\nonce: true"))
    b.add("get pepper", item="pepper")
    b.assign("R1", "get pepper")
    b.emit("subtask.started", agent="R1", subtask="get pepper")
    return b


def test_done(tmp_path: Path) -> None:
    b = report(tmp_path, "{subtask: get pepper, done: true}")
    assert b.tick() is Status.SUCCESS
    assert b.team.now.subtasks["get pepper"].status == "done"
    assert b.team.now.agents["R1"].status == "Idle"


def test_failed_belongs_to_nobody_and_keeps_the_reason(tmp_path: Path) -> None:
    b = report(tmp_path, "{subtask: get pepper, failed: slipped}")
    b.tick()
    subtask = b.team.now.subtasks["get pepper"]
    assert (subtask.status, subtask.agent, subtask.reason) == ("failed", None, "slipped")
    assert subtask.ready  # it can be proposed again


def test_what_was_dropped_stays_so(tmp_path: Path) -> None:
    b = report(tmp_path, "{subtask: get pepper, done: true}")
    b.emit("subtask.dropped", subtasks=["get pepper"])
    assert b.tick() is Status.SUCCESS
    assert b.team.now.subtasks["get pepper"].status == "dropped"


def test_no_such_subtask_is_a_failure(tmp_path: Path) -> None:
    b = report(tmp_path, "{subtask: get moon, done: true}")
    assert b.tick() is Status.FAILURE
