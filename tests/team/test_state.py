from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.bench import Bench
from tests.support.files import tree
from treec.team.events import Assigned
from treec.world.events import Commit, EventRefused
from treec.world.failures import LostInFlight


@pytest.fixture
def b(tmp_path: Path) -> Bench:
    """A team with two subtasks; nothing ticks."""
    made = Bench(tmp_path, tree("check: true"))
    made.add("get pepper", item="pepper")
    made.add("get salt", item="salt")
    return made


def status(b: Bench, id: str) -> str:
    return b.team.now.subtasks[id].status


def test_interrupting_holds_the_queue_with_what_it_was_at_first(b: Bench) -> None:
    b.assign("R1", "get pepper", "get salt")
    b.emit("subtask.started", agent="R1", subtask="get pepper")
    b.emit("agent.interrupted", agent="R1")
    agent = b.team.now.agents["R1"]
    assert (agent.status, agent.current) == ("Interrupted", None)
    assert [s.id for s in agent.queue] == ["get pepper", "get salt"]
    assert status(b, "get pepper") == "interrupted"
    with pytest.raises(EventRefused, match="until the user agrees"):
        b.emit("subtask.started", agent="R1", subtask="get salt")


def test_resuming_lets_it_wait_again_and_leaves_a_working_robot_alone(b: Bench) -> None:
    b.assign("R1", "get pepper")
    b.emit("subtask.started", agent="R1", subtask="get pepper")
    b.emit("agent.resumed", agent="R1")
    assert b.team.now.agents["R1"].status == "Running"
    b.emit("agent.interrupted", agent="R1")
    b.emit("agent.resumed", agent="R1")
    assert b.team.now.agents["R1"].status == "Idle"
    assert status(b, "get pepper") == "queued"


def test_what_is_done_is_not_assigned_failed_or_dropped_again(b: Bench) -> None:
    b.emit("subtask.done", subtask="get pepper")
    for kind, data in (
        ("assigned", {"agent": "R1", "subtasks": ["get pepper"]}),
        ("subtask.failed", {"subtask": "get pepper", "reason": "no"}),
        ("subtask.dropped", {"subtasks": ["get pepper"]}),
        ("subtask.done", {"subtask": "get pepper"}),
    ):
        with pytest.raises(EventRefused):
            b.emit(kind, **data)
    assert status(b, "get pepper") == "done"


def test_a_subtask_stands_once_in_one_queue(b: Bench) -> None:
    b.assign("R1", "get pepper", "get pepper")
    assert [s.id for s in b.team.now.agents["R1"].queue] == ["get pepper"]
    b.assign("R2", "get pepper")
    assert b.team.now.agents["R1"].queue == ()


def test_first_goes_before_what_is_queued(b: Bench) -> None:
    b.assign("R1", "get pepper")
    b.emit("assigned", agent="R1", subtasks=["get salt"], first=True)
    assert [s.id for s in b.team.now.agents["R1"].queue] == ["get salt", "get pepper"]


def test_a_person_is_at_the_first_of_their_queue(b: Bench) -> None:
    b.assign("user", "get pepper", "get salt")
    assert str(b.team.now.agents["user"].current) == "get pepper"
    b.emit("subtask.done", subtask="get pepper")
    assert str(b.team.now.agents["user"].current) == "get salt"


def test_a_refused_commit_changes_nothing(b: Bench) -> None:
    before = b.journal.text()
    with pytest.raises(EventRefused):
        b.world.emit(
            Commit(events=(Assigned("R1", ("get pepper",)), Assigned("R1", ("get moon",)))), "test"
        )
    assert b.team.now.agents["R1"].queue == ()
    assert b.journal.text() == before


def test_what_is_declined_is_open_no_more(b: Bench) -> None:
    b.emit("proposed", id="p1", agent="R1", subtask="get pepper")
    b.emit("said", id="u1", who="user", text="no")
    decline = {"id": "u1.1", "kind": "decline", "quote": "no", "utterance": "u1"}
    b.emit("acts.read", utterances=["u1"], acts=[{**decline, "proposals": ["p1"]}])
    assert b.team.now.open == ()
    assert b.team.declined("R1", "get pepper")
    b.emit("subtask.done", subtask="get salt")
    assert not b.team.declined("R1", "get pepper")  # things have moved on


def test_what_fails_after_its_recipe_was_given_up_is_dropped(b: Bench) -> None:
    b.emit("recipe.set", name="Salad")
    b.emit("subtask.added", id="get oil", words="get oil", task=None, recipe="Salad")
    b.assign("R1", "get oil")
    b.emit("subtask.started", agent="R1", subtask="get oil")
    b.emit("recipe.set", name="Soup")
    assert status(b, "get oil") == "running"
    b.emit("subtask.failed", subtask="get oil", reason="slipped")
    assert status(b, "get oil") == "dropped"


def test_what_was_cut_off_counts_as_no_failure_of_its_agent(b: Bench) -> None:
    for reason, failures, tried in ((str(LostInFlight()), 0, ()), ("it slipped", 1, ("R1",))):
        b.assign("R1", "get pepper")
        b.emit("subtask.started", agent="R1", subtask="get pepper")
        b.emit("subtask.failed", agent="R1", subtask="get pepper", reason=reason)
        found = b.world.state["subtasks"]["get pepper"]  # type: ignore[index]
        assert (found.status, found.failures, found.tried) == ("failed", failures, tried)


def test_steps_change_only_before_a_subtask_has_begun(b: Bench) -> None:
    b.emit("subtask.added", id="grasp apple", words="grasp apple", steps="grasp(apple)")
    b.emit("subtask.steps", subtask="grasp apple", steps="suck(apple)")
    assert b.team.now.subtasks["grasp apple"].steps == "suck(apple)"
    with pytest.raises(EventRefused, match="no steps of its own"):
        b.emit("subtask.steps", subtask="get pepper", steps="suck(pepper)")
    b.assign("R1", "grasp apple")
    b.emit("subtask.started", agent="R1", subtask="grasp apple")
    with pytest.raises(EventRefused, match="is running"):
        b.emit("subtask.steps", subtask="grasp apple", steps="grasp(apple)")
