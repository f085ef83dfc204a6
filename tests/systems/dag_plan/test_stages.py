"""The baselines at work: a plan of stages, done as it is written."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Treec
from tests.systems.dag_plan.conftest import ROOT, SOUP, Go, Went
from tests.systems.dag_plan.test_asking import prompts, refused
from treec.files.library import Library
from treec.source.expression import Expression
from treec.source.scope import MappingScope
from treec_dag_plan.arms.problem import problem_in
from treec_dag_plan.arms.read import read_graph
from treec_dag_plan.arms.schedule.methods import schedule
from treec_dag_plan.arms.stages import stages_text
from treec_dag_plan.arms.validate import validate
from treec_dag_plan.arms.validate_read import read_plan

PLANS = ROOT / "tests/systems/dag_plan/arms/plans"
TASKS = [f"task_{number}" for number in range(1, 10)]


def stages(name: str) -> dict[str, Any]:
    """The paper's plan of stages as an answer."""
    return {"reasoning": "", "plan": (PLANS / f"{name}.yaml").read_text("utf-8")}


def begun(went: Went) -> list[tuple[float, float, str, str]]:
    """From when to when, who, what."""
    return [(s.start, s.end, s.agent, s.words) for s in went.times.spans if s.ended == "done"]


def kitchen(project: Library, task: str) -> tuple[str, str]:
    problem = problem_in(project, task)
    return problem.model.task, problem.model.scene


@pytest.mark.few(3)
@pytest.mark.parametrize("task", TASKS)
def test_tp_s_does_one_sub_task_after_the_other(task: str, go: Go, project: Library) -> None:
    words, scene = kitchen(project, task)
    went = go(words, scene, name="dag_plan_tp_s")
    assert went.outcome.ok
    assert str(went.run.team.world.state["plans"]).count("status='done'") == 1
    alone: dict[str, tuple[float, float]] = {}
    for start, end, _, sub_task in begun(went):
        alone[sub_task] = (start, end)
    slots = sorted(alone.values())
    assert all(end <= start for (_, end), (start, _) in pairwise(slots))


@pytest.mark.few(3)
@pytest.mark.parametrize("task", TASKS)
def test_tp_d_begins_a_stage_when_the_one_before_has_ended(
    task: str, go: Go, project: Library
) -> None:
    words, scene = kitchen(project, task)
    went = go(words, scene, name="dag_plan_tp_d")
    problem = problem_in(project, task)
    assert problem.model.graph is not None
    graph, _ = read_graph(ROOT / problem.model.graph)
    assert graph is not None
    (made,) = went.plans
    subtasks = iter(made.nodes[f"node_{n}"] for n in range(1, len(made.nodes) + 1))
    over = 0.0
    for stage in schedule(graph).stages:
        ends = []
        for id in stage.nodes:
            subtask = next(subtasks)
            spans = [span for span in went.times.spans if span.subtask == subtask]
            assert {span.agent for span in spans} == {a for a, o in stage.arms.items() if o == id}
            assert all(span.start >= over for span in spans)
            ends.append(max(span.end for span in spans))
        over = max(ends)
    assert next(subtasks, None) is None


def test_a_baseline_takes_longer_than_the_graph(go: Go) -> None:
    ends = [
        max(end for _, end, _, _ in begun(go(SOUP, name=name)))
        for name in ("dag_plan", "dag_plan_tp_d", "dag_plan_tp_s")
    ]
    assert ends == sorted(ends)
    assert len(set(ends)) == 3


def test_the_papers_stages_are_done_by_the_arms_that_they_name(go: Go) -> None:
    went = go(SOUP, name="dag_plan_tp_s", answers=[stages("task_5_tp_s")], by="paper")
    assert went.outcome.ok
    assert [made.by for made in went.plans] == ["paper"]
    assert went.did("left") == [
        'open "refrigerator_cooler_door"',
        'open "microwave_door"',
        'close "microwave_door"',
        'close "refrigerator_cooler_door"',
    ]
    assert (went.fact("at", "tin"), went.fact("ran", "microwave")) == ("table", True)


def test_stages_that_cannot_be_done_are_sent_back_with_their_line(go: Go) -> None:
    good = stages("task_5_dag_plan")
    went = go(SOUP, name="dag_plan_tp_d", answers=[stages("task_5_tp_d"), good], by="paper")
    (reason,) = refused(went)
    assert "- line 5, 'stage_4: {name: 'close" in reason
    assert 'stage 4, left: switch_on "microwave": opened(microwave_door) is so' in reason
    assert reason in prompts(went)[1]
    assert went.fact("ran", "microwave") is True


def test_tp_s_may_have_one_sub_task_in_a_stage(go: Go) -> None:
    answers = [stages("task_5_dag_plan"), stages("task_5_tp_s")]
    went = go(SOUP, name="dag_plan_tp_s", answers=answers)
    (reason,) = refused(went)
    assert "\n- stage 1: only one sub-task may be done in a stage\n" in reason


def test_what_is_held_at_the_end_is_said(go: Go) -> None:
    text = stages("task_5_tp_s")
    held = text["plan"] + "  stage_11: {name: 'grasp \"tin\" (right)'}\n"
    good = held + '  stage_12: {name: \'put "tin" onto "table" (right)\'}\n'
    answers = [{"reasoning": "", "plan": plan} for plan in (held, good)]
    went = go(SOUP, name="dag_plan_tp_s", answers=answers)
    (reason,) = refused(went)
    assert 'grasp "tin", and no release node lets go of it' in reason or "goal is missed" in reason
    assert went.fact("at", "tin") == "table"


def test_who_failed_tries_again_itself(go: Go) -> None:
    fault = "fail grasp(item=bowl) x2: it slipped"
    went = go(SOUP, name="dag_plan_tp_d", answers=[stages("task_5_dag_plan")], faults=[fault])
    assert went.outcome.ok
    tried = [s for s in went.times.spans if s.words == 'grasp "bowl"']
    assert [s.ended for s in tried] == ["failed", "failed", "done"]
    assert len({s.agent for s in tried}) == 1


FIRST = """\
stages:
  - {left: 'open "refrigerator_cooler_door"', right: null}
  - {left: 'open "microwave_door"', right: 'grasp "tin"'}
  - {left: 'grasp "bowl"', right: 'put "tin" onto "table"'}
  - {left: 'put "bowl" into "microwave"', right: 'close "refrigerator_cooler_door"'}
  - {left: 'close "microwave_door"', right: null}
  - {left: 'switch_on "microwave"', right: null}
  - {left: 'switch_off "microwave"', right: null}
"""
REST = """\
stages:
  - {left: null, right: 'put "tin" onto "table"'}
  - {left: 'grasp "bowl"', right: 'open "microwave_door"'}
  - {left: 'put "bowl" into "microwave"', right: 'close "refrigerator_cooler_door"'}
  - {left: 'close "microwave_door"', right: null}
  - {left: 'switch_on "microwave"', right: null}
  - {left: 'switch_off "microwave"', right: null}
"""


def test_new_stages_go_on_from_what_hands_hold(go: Go) -> None:
    """The left arm cannot open the microwave while the right one holds the tin."""
    jammed = "fail open(left, microwave_door) x3: jammed"
    answers = [{"reasoning": "", "plan": text} for text in (FIRST, REST)]
    went = go(
        SOUP,
        name="dag_plan_tp_d",
        answers=answers,
        faults=[jammed],
    )
    second = prompts(went)[1]
    assert 'earlier stages failed: open "microwave_door" failed 3 times' in second
    assert 'hands: right holds "tin"' in second
    done = [e.data["subtask"] for e in went.told("subtask.done")]
    assert done.count('grasp "tin"') == 1
    assert went.fact("at", "tin") == "table"
    assert 'open "microwave_door" (2)' in went.did("right") or (
        'open "microwave_door"' in went.did("right")
    )
    assert went.fact("ran", "microwave") is True


@pytest.mark.few(6)
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("at_once", [None, 1])
def test_a_graph_as_stages_reaches_the_goal(
    task: str, at_once: int | None, project: Library
) -> None:
    problem = problem_in(project, task)
    assert problem.model.graph is not None
    text = (ROOT / problem.model.graph).read_text("utf-8")
    expression = Expression.parse("reference | stages" + (f"({at_once})" if at_once else ""))
    written = str(expression.evaluate(MappingScope({"reference": text})))
    reading = read_plan(written)
    assert reading.problems == ()
    assert validate(reading.steps, problem.world).violation is None
    graph, _ = read_graph(text)
    assert graph is not None
    count = sum(1 for _ in graph.work()) if at_once else len(schedule(graph))
    assert len(reading.steps) == count
    assert written == stages_text(graph, schedule(graph), at_once)


@pytest.mark.thorough
def test_a_baseline_is_run_on_the_command_line_and_taken_up(treec: Treec, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    whole = treec("run", "dag_plan_tp_d", "--task", "task_5", "--fast", "--runs", runs)
    assert whole.status == 0, whole.out + whole.err
    assert "plan of 10 sub-tasks (offline)" in whole.out
    (folder,) = runs.iterdir()
    journal = folder / "journal.jsonl"
    lines = journal.read_text("utf-8").splitlines(keepends=True)
    first = next(n for n, line in enumerate(lines) if '"tick":2' in line)
    journal.write_text("".join(lines[:first]), "utf-8")
    again = treec("run", "--resume", folder, "--fast")
    assert again.status == 0, again.out + again.err
    assert treec("report", folder, "-o", tmp_path / "report.html").status == 0
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "The graph for: heat the soup" in page
