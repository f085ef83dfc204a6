from __future__ import annotations

from pathlib import Path

import pytest

from engine.nodes.commit import check_disjoint, commit, numbered
from engine.team.actions import bind
from engine.world.world import Refused
from tests.support.bench import Bench
from tests.support.files import tree


def bench(folder: Path) -> Bench:
    return Bench(folder, tree("check: true"))


def test_ids_are_counted_on_within_one_commit(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.emit("said", id="u1", who="user", text="hello")
    said = ("said", {"who": "assistant", "text": "a"})
    events = numbered(b.team, [said, ("proposed", {"agent": "R1"}), said])
    assert [data["id"] for _, data in events] == ["u2", "p1", "u3"]


def test_a_subtask_that_two_actions_bring_into_being_is_added_once(tmp_path: Path) -> None:
    b = bench(tmp_path)
    calls = [
        bind(b.team, "propose", {"agent": agent, "subtask": "get pepper"}) for agent in ("R1", "R2")
    ]
    commit(b.run.runtime, "x", "x", "test", calls, scope=b.run.scope, acknowledge={})
    assert len(b.told("subtask.added")) == 1
    assert len(b.team.now.open) == 2


def test_a_refused_call_leaves_no_trace(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.add("get pepper", item="pepper")
    b.emit("subtask.done", subtask="get pepper")
    calls = [
        bind(b.team, "say", "Gladly."),
        bind(b.team, "drop", {"subtasks": ["get pepper"]}),
    ]
    before = b.journal.text()
    with pytest.raises(Refused, match="done already"):
        commit(b.run.runtime, "x", "x", "test", calls, scope=b.run.scope, acknowledge={})
    assert b.journal.text() == before


def test_one_subtask_goes_to_one_agent(tmp_path: Path) -> None:
    b = bench(tmp_path)
    calls = [
        bind(b.team, "assign", {"agent": agent, "subtasks": ["get pepper"]})
        for agent in ("R1", "R2")
    ]
    check_disjoint(calls[:1])
    with pytest.raises(Refused, match="to R1 and to R2"):
        check_disjoint(calls)
