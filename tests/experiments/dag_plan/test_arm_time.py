"""What each arm spent a run's time on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from experiments.dag_plan.arm_time import ACTIVITIES, TimeCause, arm_time
from experiments.dag_plan.execution import make_report, to_json, to_text
from experiments.dag_plan.execution_store import (
    ExecutionFolder,
    ExecutionMethod,
    ExecutionResult,
    ExecutionTrial,
)
from experiments.dag_plan.trials import run_trial
from treec.files.library import load_library
from treec.nodes.events import SkillEnded, SkillNoted, SkillStarted
from treec.team.events import AgentJoined, Assigned, SubtaskAdded, SubtaskDone, SubtaskStarted
from treec.world.events import Event
from treec.world.journal import Journal, Record
from treec_sapien import arm_times
from treec_sapien.motion.activity import Activity

ROOT = Path(__file__).parents[3]


def records(*happened: tuple[float, Event]) -> Iterator[Record]:
    journal = Journal.in_memory()
    for t, event in happened:
        journal.append(event, "test", t)
    return iter(journal.records)


def begin(t: float, id: str, agent: str, subtask: str) -> list[tuple[float, Event]]:
    return [
        (t, Assigned(agent, (subtask,))),
        (t, SubtaskStarted(agent, subtask)),
        (t, SkillStarted(id, "open", agent, {"door": subtask})),
    ]


def end(
    t: float, id: str, agent: str, subtask: str, spent: Mapping[str, Any], *, ok: bool = True
) -> list[tuple[float, Event]]:
    return [
        (t, SkillNoted(id, "", {"activities": {agent: spent}})),
        (t, SkillEnded("open", agent, {"door": subtask}, ok, id)),
        *([(t, SubtaskDone(subtask))] if ok else []),
    ]


def test_causes_add_up_to_the_length_of_the_run() -> None:
    found = arm_time(
        records(
            *[(0.0, AgentJoined(arm)) for arm in ("left", "right")],
            *[(0.0, SubtaskAdded(id, id)) for id in ("a", "b")],
            (0.0, SubtaskAdded("c", "c", after=("a",))),
            *begin(0.0, "s1", "left", "a"),
            *begin(2.0, "s2", "right", "b"),  # 2 s: b could have begun
            *end(7.0, "s2", "right", "b", {"working": 3.0, "base": 2.0}),
            *end(10.0, "s1", "left", "a", {"working": 9.0, "driving": 1.0}),  # c waits for a
            *begin(10.0, "s3", "left", "c"),
            *end(14.0, "s3", "left", "c", {"working": 4.0}),
        )
    )
    assert found == {
        "left": {"working": 13.0, "driving": 1.0},
        "right": {"working": 3.0, "base": 2.0, "order": 3.0, "beside": 2.0, "end": 4.0},
    }


def test_an_attempt_that_failed_is_no_work() -> None:
    found = arm_time(
        records(
            (0.0, AgentJoined("left")),
            (0.0, SubtaskAdded("a", "a")),
            *begin(0.0, "s1", "left", "a"),
            *end(6.0, "s1", "left", "a", {"working": 6.0}, ok=False),
        )
    )
    assert found == {"left": {"failed": 6.0}}


def test_without_bodies_a_skill_is_work_and_the_graphs_order_explains_the_rest(
    tmp_path: Path,
) -> None:
    done = run_trial(load_library(ROOT), ExecutionTrial(2, 0), "symbolic", tmp_path / "a")
    assert {arm: sum(causes.values()) for arm, causes in done.spent.items()} == {
        "left": pytest.approx(done.seconds),
        "right": pytest.approx(done.seconds),
    }
    assert {cause for causes in done.spent.values() for cause in causes} <= {
        "working",
        "order",
        "beside",
        "end",
    }


def test_the_table_and_the_json_say_where_the_time_goes(tmp_path: Path) -> None:
    results = [
        ExecutionResult(
            ExecutionTrial(5, seed),
            ok,
            20.0,
            1.0,
            spent={"left": {"working": working, "base": 20.0 - working}},
        )
        for seed, ok, working in ((0, True, 10.0), (1, True, 14.0), (2, False, 0.0))
    ]
    folder = ExecutionFolder(tmp_path, "sapien", [one.trial for one in results])
    for one in results:
        folder.add(one)
    again = ExecutionFolder(tmp_path, "sapien", [one.trial for one in results]).done
    report = make_report(list(again.values()), "sapien")
    text = to_text(report)
    assert "DAG-Plan, left: working   12.0\n" in text
    assert "base: the base stands, or drives, for the other arm" in text
    data: Any = to_json(report)
    assert data["arm_seconds"][ExecutionMethod.DAG_PLAN] == {
        5: {"left": {"working": 12.0, "base": 8.0}}
    }
    assert data["trials"][0]["arm_seconds"] == {"left": {"working": 10.0, "base": 10.0}}


def test_all_that_an_environment_notes_is_counted() -> None:
    """The reader of journals imports no environment, so the names stand in both."""
    assert {*map(str, Activity)} <= {*map(str, TimeCause)}
    assert arm_times.KEY == ACTIVITIES
