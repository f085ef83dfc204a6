"""The one fold of a journal: it ends where the run's own world ended, and all readers agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.bench import Bench
from tests.support.events import happening
from tests.support.files import tree
from treec.run.state import RunState, SubtaskSpan, fold
from treec.run.summary import summarize
from treec.run.timeline import timeline_of
from treec.world.journal import Journal, Record


def records(*told: tuple[float, str, dict[str, object]]) -> list[Record]:
    journal = Journal.in_memory()
    return [journal.append(happening(kind, **data), "test", t) for t, kind, data in told]


SHARED = records(
    (0, "agent.joined", {"agent": "left"}),
    (0, "agent.joined", {"agent": "right"}),
    (0, "subtask.added", {"id": "a", "words": "lift the pot"}),
    (0, "subtask.added", {"id": "b", "words": "wipe"}),
    (1, "assigned", {"agent": "left", "subtasks": ["a"], "helpers": ["right"]}),
    (1, "assigned", {"agent": "right", "subtasks": ["b"]}),
    (2, "subtask.started", {"agent": "left", "subtask": "a"}),
    (3, "skill.started", {"id": "s1", "skill": "lift", "agent": "left", "args": {"it": "pot"}}),
    (5, "subtask.failed", {"subtask": "a", "reason": "it slipped"}),
    (6, "agent.interrupted", {"agent": "left"}),
    (7, "subtask.started", {"agent": "right", "subtask": "b"}),
    (8, "fact.set", {"fact": "clean", "args": ["table"], "value": True, "source": "sensed"}),
)


def test_who_is_at_what_follows_from_the_events() -> None:
    state = fold(SHARED)
    left, right = state.agents["left"], state.agents["right"]
    assert (left.subtask, left.steps, left.stopped) == ("", ("lift(pot)",), True)
    assert (right.subtask, right.since, right.queue) == ("b", 7.0, ("b",))
    assert state.facts[("clean", ("table",))].value is True
    assert [one.id for one in state.running_skills()] == ["s1"]
    assert state.all_interruptions() == [("left", 6.0, 8.0)]


def test_a_decision_says_that_no_model_was_asked_again() -> None:
    node = {"path": "main/D", "name": "D", "kind": "decision", "depth": 0}
    chosen = {"node": "main/D", "choose": "A", "by": "openai/x@1"}
    told: list[tuple[float, str, dict[str, object]]] = [
        (0, "tree", {"nodes": [node]}),
        (0, "decided", dict(chosen)),
        (1, "answer.kept", {"node": "main/D", "name": "D", "by": "openai/x@1"}),
        (1, "decided", dict(chosen)),
        (2, "decided", {**chosen, "by": "only option"}),
    ]
    details = [fold(records(*told[:number])).detail(0) for number in (2, 4, 5)]
    assert details == [
        "→ A (openai/x@1)",
        "→ A (openai/x@1, not asked again)",
        "→ A (only option)",
    ]


def test_a_helper_is_at_work_too_in_every_reader() -> None:
    both = [
        SubtaskSpan(agent, "a", "lift the pot", 2.0, 5.0, "failed", "it slipped")
        for agent in ("left", "right")
    ]
    assert timeline_of(fold(SHARED)).spans == [
        *both,
        SubtaskSpan("right", "b", "wipe", 7.0, 8.0, "open"),
    ]
    assert summarize(SHARED).busy == {"left": 3.0, "right": 3.0}
    assert timeline_of(fold(SHARED[:9])).busy("right") == summarize(SHARED[:9]).busy["right"]


def test_a_part_of_a_journal_is_read_as_far_as_it_goes() -> None:
    state = fold(SHARED[6:])
    assert state.agents == {}
    assert (state.records, state.t) == (6, 8.0)


@pytest.fixture
def b(tmp_path: Path) -> Bench:
    return Bench(tmp_path, tree("check: true"))


def test_it_ends_where_the_worlds_own_state_ends(b: Bench) -> None:
    b.add("get pepper", item="pepper")
    b.assign("R1", "get pepper")
    b.emit("subtask.started", agent="R1", subtask="get pepper")
    b.emit("fact.set", fact="at", args=["pepper"], value="table", source="told")
    b.emit("agent.interrupted", agent="R1")
    state = RunState()
    for record in b.journal.records:
        state.take(record)
    assert state.team == b.world.state["agents"]
    assert state.subtasks == b.world.state["subtasks"]
    assert dict(state.facts) == dict(b.world.facts)


def test_a_stopped_skill_is_not_shown_at_its_node(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("skill: go_to\nwith: {agent: R1, place: pantry}"))
    b.tick()
    before = fold(b.journal.records)
    (skill,) = (n for n, node in enumerate(before.nodes) if node.kind == "skill")
    assert before.detail(skill).startswith("go_to(")
    b.emit("agent.interrupted", agent="R1")
    b.tick()
    after = fold(b.journal.records)
    assert (after.statuses[skill], after.detail(skill)) == ("RUNNING", "")


def test_where_a_tree_calls_skills_itself_they_are_the_spans() -> None:
    about = {"id": "s1", "skill": "go_to", "agent": "R1", "args": {"place": "dock"}}
    state = fold(
        records(
            (0, "agent.joined", {"agent": "R1"}),
            (1, "skill.started", about),
            (4, "skill.ended", {**about, "ok": False, "reason": "a wheel slipped"}),
            (5, "skill.started", {**about, "id": "s2"}),
            (8, "skill.ended", {**about, "id": "s2", "ok": False, "cancelled": True}),
            (8, "skill.started", {**about, "id": "s3"}),
            (9, "skill.ended", {**about, "id": "s3", "ok": True}),
            (9, "skill.started", {**about, "id": "s4"}),
            (10, "agent.interrupted", {"agent": "R1"}),
        )
    )
    assert state.copy()._steps is not state._steps
    assert timeline_of(state).spans == [
        SubtaskSpan("R1", "", "go_to(dock)", 1, 4, "failed", "a wheel slipped"),
        SubtaskSpan("R1", "", "go_to(dock)", 5, 8, "stopped"),
        SubtaskSpan("R1", "", "go_to(dock)", 8, 9, "done"),
        SubtaskSpan("R1", "", "go_to(dock)", 9, 10, "open"),
    ]


def test_skills_that_have_ended_leave_nothing_behind() -> None:
    state, sizes = RunState(), []
    for number in range(1, 100):
        about = {"id": f"s{number}", "skill": "go_to", "agent": "R1", "args": {"place": "dock"}}
        for record in records(
            (number, "skill.started", about), (number, "skill.ended", {**about, "ok": True})
        ):
            state.take(record)
        kept = [value for value in vars(state).values() if isinstance(value, dict | list)]
        sizes.append(sum(map(len, kept)))
    assert max(sizes) == sizes[0]
