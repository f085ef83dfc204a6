from __future__ import annotations

from pathlib import Path

from py_trees.common import Status

from tests.support.bench import Bench
from tests.support.files import tree

TAKE = tree("take: {queue: R1, into: subtask}\nonce: true", "vars: {subtask: Subtask}\n")


def waiting(folder: Path) -> Bench:
    b = Bench(folder, TAKE)
    b.add("get pepper", item="pepper")
    b.emit(
        "subtask.added", id="get salt", words="get salt", task="get", args={}, after=["get pepper"]
    )
    return b


def test_takes_the_first_that_can_be_begun(tmp_path: Path) -> None:
    b = waiting(tmp_path)
    assert b.tick() is Status.RUNNING
    b.assign("R1", "get salt", "get pepper")
    assert b.tick() is Status.SUCCESS
    agent = b.team.now.agents["R1"]
    assert (str(agent.current), agent.status) == ("get pepper", "Running")
    assert [s.id for s in agent.queue] == ["get salt"]


def test_what_still_waits_for_others_is_not_taken(tmp_path: Path) -> None:
    b = waiting(tmp_path)
    b.assign("R1", "get salt")
    assert b.tick() is Status.RUNNING


def test_an_interrupted_agent_holds_its_queue(tmp_path: Path) -> None:
    b = waiting(tmp_path)
    b.assign("R1", "get pepper")
    b.emit("agent.interrupted", agent="R1")
    assert b.tick() is Status.RUNNING
    b.emit("agent.resumed", agent="R1")
    assert b.tick() is Status.SUCCESS


def test_an_agent_that_is_at_another_subtask_is_a_failure(tmp_path: Path) -> None:
    b = waiting(tmp_path)
    b.add("get lettuce", item="lettuce")
    b.assign("R1", "get lettuce", "get pepper")
    b.emit("subtask.started", agent="R1", subtask="get lettuce")
    assert b.tick() is Status.FAILURE


def test_without_a_variable_nothing_is_taken(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("take: {queue: R1, into: nothing}"))
    b.add("get pepper", item="pepper")
    b.assign("R1", "get pepper")
    assert b.tick() is Status.FAILURE
    assert b.told("node.failed")[0].data["reason"] == "take: unknown variable 'nothing'"
    assert b.team.now.agents["R1"].current is None
