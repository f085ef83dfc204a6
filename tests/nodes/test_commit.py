from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.bench import Bench
from tests.support.files import KITCHEN, tree
from treec.team.actions import ActionCall
from treec.team.events import ActsRead, Proposed, Said, number_entries
from treec.world.events import EventRefused
from treec_asking.bind import bind
from treec_asking.commit import check, commit, for_each_agent

CHARGE = "task: charge\nabout: Charge.\nsays: [charge]\nsteps: |\n  go_to('table')\n"


def bench(folder: Path) -> Bench:
    return Bench(folder, tree("check: true"))


def commit_checked(b: Bench, calls: Sequence[ActionCall]) -> None:
    runtime, scope = b.run.runtime, b.run.scope
    checked = check(runtime, calls, "test", scope=scope)
    commit(runtime, "x", "x", checked, scope=scope, acknowledge={})


def test_ids_are_counted_on_within_one_commit(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.emit("said", id="u1", who="user", text="hello")
    said, asked = Said("assistant", "a"), Proposed("R1", "get pepper")
    assert number_entries(b.world.state, [said, asked, said]) == (
        replace(said, id="u2"),
        replace(asked, id="p1"),
        replace(said, id="u3"),
    )


def test_a_subtask_that_two_actions_bring_into_being_is_added_once(tmp_path: Path) -> None:
    b = bench(tmp_path)
    calls = [
        bind(b.team, "propose", {"agent": agent, "subtask": "get pepper"}) for agent in ("R1", "R2")
    ]
    commit_checked(b, calls)
    assert len(b.told("subtask.added")) == 1
    assert [p.agent.name for p in b.team.now.open] == ["R2"]  # asked last: the older is closed


def test_a_refused_call_leaves_no_trace(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.add("get pepper", item="pepper")
    b.emit("subtask.done", subtask="get pepper")
    calls = [
        bind(b.team, "say", "Gladly."),
        bind(b.team, "drop", {"subtasks": ["get pepper"]}),
    ]
    before = b.journal.text()
    with pytest.raises(EventRefused, match="done already"):
        commit_checked(b, calls)
    assert b.journal.text() == before


def test_one_subtask_goes_to_one_agent(tmp_path: Path) -> None:
    b = bench(tmp_path)
    calls = [
        bind(b.team, "assign", {"agent": agent, "subtasks": ["get pepper"]})
        for agent in ("R1", "R2")
    ]
    assert for_each_agent(b.team, calls[:1]) == calls[:1]
    with pytest.raises(EventRefused, match=r"^'get pepper' is given to R1 and to R2$"):
        for_each_agent(b.team, calls)


def test_of_a_task_without_arguments_each_agent_gets_its_own(tmp_path: Path) -> None:
    files = {**tree("check: true"), "pack/charge.task.yaml": CHARGE}
    for robot in ("pack/R1.agent.yaml", "pack/R2.agent.yaml"):
        files[robot] = KITCHEN[robot].replace("[get]", "[get, charge]")
    b = Bench(tmp_path, files)

    def order(*agents: str) -> list[str]:
        args = ({"agent": agent, "subtasks": ["charge"]} for agent in agents)
        calls = for_each_agent(b.team, [bind(b.team, "assign", one) for one in args])
        commit_checked(b, calls)
        return [str(subtask) for call in calls for subtask in call.args["subtasks"]]  # type: ignore[attr-defined]

    assert order("R1", "R2") == ["charge", "charge (2)"]
    assert [[str(s) for s in a.queue] for a in b.team.agents[:2]] == [["charge"], ["charge (2)"]]


def test_what_people_put_in_order_waits_and_is_said(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.emit("said", id="u1", who="user", text="get the pepper, then the salt")
    get = {"kind": "request", "quote": "get", "utterance": "u1", "task": "get"}
    pepper, salt = {"args": {"item": "pepper"}}, {"args": {"item": "salt"}}
    acts = (
        {**get, **pepper, "id": "u1.1"},
        {**get, **salt, "id": "u1.2", "after": [{"task": "get", **pepper}]},
    )
    b.world.emit(ActsRead(("u1",), acts), "x")
    names = (("R1", "get salt"), ("R2", "get pepper"))
    commit_checked(b, [bind(b.team, "assign", {"agent": a, "subtasks": [s]}) for a, s in names])
    assert b.team.now.subtasks["get salt"].after == ("get pepper",)
    assert b.team.takeable("R1") is None
    assert b.said()[-1].endswith("First get pepper, then get salt.")


def test_an_order_that_cannot_wait_is_given_all_the_same(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.emit("said", id="u1", who="user", text="get the salt before the pepper, then the salt")
    get = {"kind": "request", "quote": "get", "utterance": "u1", "task": "get"}
    pepper, salt = {"args": {"item": "pepper"}}, {"args": {"item": "salt"}}
    acts = (
        {**get, **salt, "id": "u1.1", "before": [{"task": "get", **pepper}]},
        {**get, **salt, "id": "u1.2", "after": [{"task": "get", **salt}]},
    )
    b.add("get pepper", item="pepper")
    b.assign("R2", "get pepper")
    b.world.emit(ActsRead(("u1",), acts), "x")
    commit_checked(b, [bind(b.team, "assign", {"agent": "R1", "subtasks": ["get salt"]})])
    assert b.team.now.subtasks["get salt"].after == ()
    assert b.told("assigned")[-1].data["agent"] == "R1"


def test_what_waits_for_the_same_twice_is_said_once(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.emit("said", id="u1", who="user", text="get the salt, then the pepper, then the salt")
    get = {"kind": "request", "quote": "get", "utterance": "u1", "task": "get"}
    pepper, salt = {"args": {"item": "pepper"}}, {"args": {"item": "salt"}}
    acts = (
        {**get, **salt, "id": "u1.1"},
        {**get, **pepper, "id": "u1.2", "after": [{"task": "get", **salt}]},
        {**get, **salt, "id": "u1.3", "after": [{"task": "get", **pepper}]},
    )
    b.world.emit(ActsRead(("u1",), acts), "x")
    names = ("get salt", "get pepper", "get salt")
    calls = [bind(b.team, "assign", {"agent": "R1", "subtasks": [one]}) for one in names]
    commit_checked(b, calls)
    assert b.told("subtask.waits")[0].data["after"] == ("get salt",)
    assert b.said()[-1].endswith("First get salt, then get pepper.")


def test_what_is_said_done_leaves_no_gripper_holding_it(tmp_path: Path) -> None:
    task = KITCHEN["pack/get.task.yaml"] + "goal: at(item) == 'table'\n"
    b = Bench(tmp_path, {**tree("check: true"), "pack/get.task.yaml": task})
    b.emit("fact.set", fact="at", args=["pepper"], value="R2", source="expected")
    b.emit("fact.set", fact="holding", args=["R2"], value="pepper", source="expected")
    b.emit("fact.set", fact="holding", args=["R1"], value="salt", source="expected")
    calls = [bind(b.team, "mark_complete", {"subtasks": ["get pepper"]})]
    commit_checked(b, calls)
    assert b.fact("at", "pepper") == "table"
    assert b.fact("holding", "R2") == "unknown"
    assert b.fact("holding", "R1") == "salt"


def test_a_goal_that_names_a_thing_with_an_and_is_one_fact(tmp_path: Path) -> None:
    task = KITCHEN["pack/get.task.yaml"] + "goal: at(item) == 'salt and pepper'\n"
    b = Bench(tmp_path, {**tree("check: true"), "pack/get.task.yaml": task})
    calls = [bind(b.team, "mark_complete", {"subtasks": ["get pepper"]})]
    commit_checked(b, calls)
    assert b.fact("at", "pepper") == "salt and pepper"


def test_the_same_words_for_two_calls_are_said_once(tmp_path: Path) -> None:
    b = bench(tmp_path)
    calls = [bind(b.team, "assign", {"agent": "R1", "subtasks": ["get pepper"]})] * 2
    commit_checked(b, calls)
    assert b.said() == ["R1 will get pepper."]
