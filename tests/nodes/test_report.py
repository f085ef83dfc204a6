from __future__ import annotations

from pathlib import Path

import pytest
from py_trees.common import Status

from tests.support.bench import Bench
from tests.support.files import KITCHEN, tree


def report(folder: Path, body: str, goal: str | None = None) -> Bench:
    files = tree(f"report: {body}\nonce: true")
    if goal is not None:
        get = KITCHEN["pack/get.task.yaml"].replace("steps:", f"goal: {goal}\nsteps:")
        files["pack/get.task.yaml"] = get
    b = Bench(folder, files)
    b.add("get pepper", item="pepper")
    b.assign("R1", "get pepper")
    b.emit("subtask.started", agent="R1", subtask="get pepper")
    return b


def test_done(tmp_path: Path) -> None:
    b = report(tmp_path, "{subtask: get pepper, done: true}")
    assert b.tick() is Status.SUCCESS
    assert b.team.now.subtasks["get pepper"].status == "done"
    assert b.team.now.agents["R1"].status == "Idle"


DONE = "{subtask: get pepper, done: true}"


@pytest.mark.parametrize(
    ("goal", "missed"),
    [
        ("at(item) == 'table'", ["at(pepper) == 'table'"]),
        ("not holding('R1') and at(item) == 'table'", ["at(pepper) == 'table'"]),
        ("at(item) in ['table', 'plate']", ["at(item) in ['table', 'plate']"]),
        (
            "at(item) == 'table' and holding('R1') == item",
            ["at(pepper) == 'table'", "holding(R1) == 'pepper'"],
        ),
    ],
)
def test_a_subtask_whose_goal_does_not_hold_has_failed(
    tmp_path: Path, goal: str, missed: list[str]
) -> None:
    b = report(tmp_path, DONE, goal)
    assert b.tick() is Status.SUCCESS
    subtask = b.team.now.subtasks["get pepper"]
    reason = f"all is done, and the goal is missed: {'; '.join(missed)}"
    assert (subtask.status, subtask.reason) == ("failed", reason)
    assert subtask.told == "R1 has done it all, and it has not come out as it should"


def test_a_subtask_whose_goal_holds_is_done(tmp_path: Path) -> None:
    b = report(tmp_path, DONE, "at(item) == 'table'")
    b.emit("fact.set", fact="at", args=["pepper"], value="table", source="sensed")
    b.tick()
    assert b.team.now.subtasks["get pepper"].status == "done"


def test_a_goal_that_is_not_known_to_hold_is_missed(tmp_path: Path) -> None:
    b = report(tmp_path, DONE, "at(item) == 'table'")
    b.emit("fact.unknown", fact="at", args=["pepper"])
    b.tick()
    assert b.team.now.subtasks["get pepper"].status == "failed"


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
    assert b.told("node.failed")[0].data["reason"] == "report: get moon is not a subtask"
