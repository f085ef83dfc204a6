"""A task in free words gets a goal first; without one nothing is planned or called done."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.systems.dag_plan.conftest import ROOT, SOUP, Go, Went, by_hand
from treec.check import check_library
from treec.files.library import Library, load_library
from treec.files.view import View, in_scene
from treec_dag_plan.arms.find_problem import find_problem
from treec_dag_plan.arms.goals import check_goal, fact_lines
from treec_dag_plan.arms.problem import AllocationProblem, problem_in, problem_in_view
from treec_dag_plan.events import goals_of, plan_status

TOAST = "Make toast and pour juice"
EMPTY = "nodes:\n  node_1: {name: task complete, arm_num: 0, edge: [], type: complete}\n"
TIN = """nodes:
  node_1: {name: 'open "refrigerator_cooler_door"', arm_num: 1, edge: [], type: operate}
  node_2: {name: 'grasp "tin"', arm_num: 1, edge: [1], type: occupy}
  node_3: {name: 'put "tin" onto "table"', arm_num: 1, edge: [2], type: release}
  node_4: {name: task complete, arm_num: 0, edge: [3], type: complete}
"""


def goal(*conditions: str, missing: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"reasoning": "", "goal": list(conditions), "missing": list(missing)}


def plan(text: str) -> Mapping[str, Any]:
    return {"reasoning": "", "plan": text}


def reason(went: Went) -> str:
    (failed,) = went.told("plan.failed")
    return str(failed.data["reason"])


def refused(went: Went) -> list[str]:
    return [str(e.data["refused"]) for e in went.told("answered") if "refused" in e.data]


def lines(went: Went, kind: str) -> list[str]:
    found = [record.event.describe() for record in went.told(kind)]
    return [one.line for one in found if one is not None]


def test_what_is_not_there_ends_with_its_name_and_nothing_is_planned(go: Go) -> None:
    went = go(TOAST, answers=[plan(EMPTY)], goals=[goal(missing=("a toaster", "juice"))])
    assert reason(went) == "cannot be done: there is no toaster, no juice"
    assert went.told("planned") == []
    assert went.told("plan.done") == []
    assert plan_status(went.run.team) == "failed"


def test_a_goal_that_names_what_is_not_there_is_sent_back(go: Go) -> None:
    wrong = goal("at(bread) == toaster", "ran(toaster)", "poured(juice, cup)")
    went = go(TOAST, answers=[plan(EMPTY)], goals=[wrong, goal(missing=("toaster",))])
    (back,) = refused(went)
    assert 'unknown object "bread"' in back
    assert 'unknown object "juice"' in back
    assert "cannot be done: there is no toaster" in reason(went)


def test_a_model_that_states_no_goal_does_not_end_in_done(go: Go) -> None:
    went = go(TOAST, answers=[plan(EMPTY)], goals=[goal()] * 3)
    assert "no goal was stated" in reason(went)
    assert "neither a goal nor what is missing" in reason(went)
    assert went.told("plan.done") == []


def test_an_empty_graph_does_not_reach_a_stated_goal(go: Go) -> None:
    went = go("get the tin", answers=[plan(EMPTY)] * 4, goals=[goal("at(tin) == table")])
    assert 'bring it about: put "tin" onto "table"' in refused(went)[0]
    assert "no file describes the task" in reason(went)
    assert went.told("plan.done") == []


def test_a_stated_goal_is_shown_planned_for_and_judged_at_the_end(go: Go) -> None:
    went = go("get the tin", answers=[plan(TIN)], goals=[goal("at(tin) == table")])
    assert lines(went, "goal.stated") == ["the goal: at(tin) == table"]
    assert went.told("plan.done")
    assert went.fact("at", "tin") == "table"
    assert went.transport is not None
    first, second = went.transport.requests
    assert (first.node, second.node) == ("Task_Goal", "Task_Graph")
    assert "at the end: at(tin) == table" in second.messages[-1].content
    stated = goals_of(went.run.world.state)["get the tin"]
    assert (stated.conditions, stated.by) == (("at(tin) == table",), "scripted")


def test_a_goal_that_holds_already_is_done_without_a_plan(go: Go) -> None:
    shut = "not opened(microwave_door)"
    went = go("shut the microwave", answers=[], goals=[goal(shut)])
    assert went.told("plan.done")
    assert went.told("subtask.added") == []


def test_a_task_with_a_file_is_not_asked_for_its_goal(go: Go) -> None:
    went = go(SOUP, answers=[by_hand("task_5")], goals=[])
    assert went.transport is not None
    assert [request.node for request in went.transport.requests] == ["Task_Graph"]
    assert went.told("goal.stated") == []


def test_stages_get_a_goal_first_too(go: Go) -> None:
    went = go(TOAST, name="dag_plan_tp_d", answers=[], goals=[goal(missing=("a toaster",))])
    assert reason(went) == "cannot be done: there is no toaster"


@pytest.fixture
def problem(project: Library) -> AllocationProblem:
    system = project.find("system", "dag_plan")
    assert system is not None
    view = View(project, in_scene(system, "kitchen_2"))
    return problem_in_view(view, find_problem(view, "some words"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("at(tin) ==", "is not a condition"),
        ("put(tin, table)", "unknown fact 'put'"),
        ("part_of(microwave_door) == microwave", "no command changes 'part_of'"),
        ("holding(left) == tin", "all hands are empty at the end"),
        ("at(tin)", "at has a value"),
        ("opened(microwave_door) == table", "opened is true or false"),
        ("opened(tin)", "tin is of type Item, and opened takes Door"),
        ("opened(microwave_door, tin)", "opened is about opened(Door)"),
        ("at(tin) == 3", "a value is the name of a thing"),
        ("at(tin) == shelf", 'unknown object "shelf"'),
        ("tin", "is not a condition"),
        ("true", "is not a condition"),
    ],
)
def test_conditions_are_checked_against_the_domain(
    problem: AllocationProblem, text: str, message: str
) -> None:
    terms, findings = check_goal(problem, [text], [])
    assert terms == ()
    assert [message in one.message for one in findings] == [True], [f.message for f in findings]


def test_right_conditions_are_kept_with_the_names_of_things(problem: AllocationProblem) -> None:
    texts = ["at(tin) == table", "not running(microwave)", "at(bowl) != table", "at(tin) == table"]
    terms, findings = check_goal(problem, texts, [])
    assert findings == []
    assert terms == ("at(tin) == table", "not running(microwave)", "at(bowl) != table")


def test_a_goal_that_no_command_can_change_is_sent_back_with_what_can() -> None:
    sink = problem_in(load_library(ROOT), "task_9")
    _, findings = check_goal(sink, ["not running(faucet)", "running(sink)", "ran(sink)"], [])
    (found,) = findings
    assert found.message == "'not running(faucet)': no command changes running(faucet)"
    assert found.help is not None
    assert 'close "faucet" changes running(sink)' in found.help
    assert "running can be about: sink, stove" in found.help


def test_a_name_of_several_words_stands_in_quotes(problem: AllocationProblem) -> None:
    (found,) = check_goal(problem, ["not opened(right door)"], [])[1]
    assert found.help is not None
    assert found.help.endswith('not opened("right door")')
    (found,) = check_goal(problem, ['not opened("right door")'], [])[1]
    assert 'unknown object "right door"' in found.message


def test_what_is_there_is_not_missing(problem: AllocationProblem) -> None:
    _, findings = check_goal(problem, [], ["the microwave"])
    assert [one.message for one in findings] == ['there is "microwave"; it is not missing']


def test_a_model_is_shown_what_goals_are_made_of(problem: AllocationProblem) -> None:
    shown = fact_lines(problem)
    (door,) = [line for line in shown if line.startswith("opened(Door): The door is open.")]
    assert "microwave_door" in door  # which things carry the fact
    assert "tin" not in door
    assert not [line for line in shown if line.startswith(("holding", "part_of", "door("))]


def test_a_goal_file_that_does_not_exist_is_found_by_the_check(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "templates/dag_plan", tmp_path, dirs_exist_ok=True)
    tree = (ROOT / "trees/dag_plan/dag_plan_main.tree.yaml").read_text("utf-8")
    tree = tree.replace("tree: dag_plan_main", "tree: my_main").replace("Task_Goal", "Task_Gaol")
    (tmp_path / "trees/my_main.tree.yaml").write_text(tree, "utf-8")
    system = tmp_path / "trees/my_robot.system.yaml"
    text = system.read_text("utf-8").replace("root: dag_plan_main", "root: my_main")
    system.write_text(text.replace("./tasks", "./tasks, ./trees"), "utf-8")
    library = load_library(tmp_path)
    found = [one for one in check_library(library) if "Task_Gaol" in one.message]
    assert [(one.code, one.span.line) for one in found] == [("TC302", 8)]
    assert found[0].help == "did you mean 'Task_Goal'?"
