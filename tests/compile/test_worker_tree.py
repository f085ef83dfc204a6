"""The worker of DESIGN section 3: `while`, `timeout`, `on_failure` and `then: repeat` together."""

from __future__ import annotations

from pathlib import Path

from tests.support.bench import Bench
from tests.support.files import WORKER, tree

FILES = {
    **tree("parallel:\n  until: never\n  children: [{tree: worker, with: {agent: R1}}]"),
    "pack/worker.tree.yaml": WORKER,
}


def working(folder: Path, faults: str = "", worker: str = WORKER) -> Bench:
    scenario = f"scenario: s\nsystem: test\nfaults: [{faults}]\n"
    files = {**FILES, "pack/s.scenario.yaml": scenario, "pack/worker.tree.yaml": worker}
    b = Bench(folder, files, scenario="s")
    b.add("get pepper", item="pepper")
    b.add("get salt", item="salt")
    b.assign("R1", "get pepper", "get salt")
    return b


def statuses(b: Bench) -> dict[str, str]:
    return {s.id: s.status for s in b.team.subtasks}


def test_one_subtask_after_the_other(tmp_path: Path) -> None:
    b = working(tmp_path)
    b.pass_time(60)
    assert statuses(b) == {"get pepper": "done", "get salt": "done"}


def test_a_failed_program_is_reported_with_its_reason_and_the_next_begun(tmp_path: Path) -> None:
    b = working(tmp_path, '"fail pick(item=pepper): slipped"')
    b.pass_time(60)
    assert statuses(b) == {"get pepper": "failed", "get salt": "done"}
    assert b.team.now.subtasks["get pepper"].reason == "pick(pepper): slipped"


def test_an_interrupt_stops_the_skill_reports_nothing_and_holds_the_queue(tmp_path: Path) -> None:
    b = working(tmp_path)
    b.pass_time(2)
    b.emit("agent.interrupted", agent="R1")
    b.tick()
    b.pass_time(60)
    assert b.told("subtask.failed") == b.told("subtask.done") == []
    assert statuses(b) == {"get pepper": "interrupted", "get salt": "queued"}
    b.emit("agent.resumed", agent="R1")
    b.pass_time(60)
    assert statuses(b) == {"get pepper": "done", "get salt": "done"}


def test_a_dropped_subtask_is_stopped_and_the_next_begun(tmp_path: Path) -> None:
    b = working(tmp_path)
    b.pass_time(2)
    b.emit("subtask.dropped", subtasks=["get pepper"])
    b.pass_time(60)
    assert b.skills()[0] == "go_to R1 cancelled"
    assert statuses(b) == {"get pepper": "dropped", "get salt": "done"}


def test_a_timeout_is_a_failure_that_is_reported(tmp_path: Path) -> None:
    b = working(tmp_path, worker=WORKER.replace("timeout: 3m", "timeout: 3s"))
    b.pass_time(3)
    assert b.team.now.subtasks["get pepper"].reason == "timed out after 3s"
    assert b.skills()[0] == "go_to R1 cancelled"
