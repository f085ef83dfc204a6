"""What a task in free words needs and the scene does not have is told without any model."""

from __future__ import annotations

import pytest

from tests.cli.conftest import ROOT, Treec, treec
from tests.systems.dag_plan.conftest import Go
from treec.files.library import Library
from treec.files.view import View, in_scene
from treec_dag_plan.arms.find_problem import find_problem
from treec_dag_plan.arms.missing_things import describe_missing, find_missing
from treec_dag_plan.arms.problem import ProblemError, problem_in

__all__ = ["treec"]

TOAST = "Make toast and pour juice"


@pytest.fixture(scope="module")
def view(project: Library) -> View:
    system = project.find("system", "dag_plan")
    assert system is not None
    return View(project, in_scene(system, "kitchen_2"))


@pytest.mark.parametrize(
    ("words", "missing"),
    [
        (TOAST, ["toast", "juice"]),
        ("Please fetch me the silver spoon, then the cup.", ["silver spoon"]),
        ("could you wash the plates and the bowl?", ["plates"]),
        ("put the cup into the dishwasher", []),
        ("heat up the soup quickly and leave it in the microwave", []),
        ("Open the refrigerator and put two bowls on the left of the table.", []),
        ("", []),
        ("wash", []),
    ],
)
def test_missing_is_what_the_scene_has_no_word_for(
    view: View, words: str, missing: list[str]
) -> None:
    assert find_missing(view, words) == missing


def test_all_tasks_of_files_can_be_done_in_their_scenes(project: Library) -> None:
    system = project.find("system", "dag_plan")
    for entry in project.of_kind("problem"):
        view = View(project, in_scene(system, entry.model.scene))
        assert find_missing(view, entry.model.task) == [], entry.name


def test_the_nearest_names_are_told_or_what_there_is(view: View) -> None:
    told = describe_missing(view, "fetch the botle")
    assert told == "cannot be done: there is no botle; the nearest: 'cola bottle' for 'botle'"
    told = describe_missing(view, "fetch the spoon")
    assert told is not None
    assert told.startswith("cannot be done: there is no spoon; there are bowl, cola bottle, cup")
    assert describe_missing(view, "fetch the bowl") is None


@pytest.mark.parametrize("system", ["dag_plan", "dag_plan_tp_s", "dag_plan_tp_d"])
def test_a_run_without_a_model_says_what_is_missing(go: Go, system: str) -> None:
    went = go(TOAST, name=system)
    (failed,) = went.told("plan.failed")
    assert str(failed.data["reason"]).startswith("cannot be done: there is no toast, no juice; ")
    assert went.told("plan.done") == []


def test_where_no_goal_is_stated_it_is_said_too(go: Go) -> None:
    nothing = {"reasoning": "", "goal": [], "missing": []}
    went = go(TOAST, answers=[], goals=[nothing] * 3)
    (failed,) = went.told("plan.failed")
    assert str(failed.data["reason"]).startswith("cannot be done: there is no toast, no juice; ")


def test_plan_make_says_it_of_the_scene_that_has_most_of_it(treec: Treec) -> None:
    made = treec("plan", "make", "--task", "fetch pancakes and pour beer", "-L", ROOT)
    assert made.status == 2
    assert "unknown problem 'fetch pancakes and pour beer'" in made.err
    assert "cannot be done: there is no pancakes, no beer" in made.err
    made = treec("plan", "make", "--task", "cut the carot and a pepper", "-L", ROOT)
    assert made.err.rstrip().endswith("there is no carot; the nearest: 'carrot' for 'carot'")
    assert "did you mean 'cut the carrot and red bell pepper'?" in made.err
    made = treec("plan", "make", "--task", TOAST, "-L", ROOT)
    assert "cannot be done" not in made.err


@pytest.mark.parametrize("words", ["Cut a carrot and the red bell pepper.", "make pot of soup"])
def test_a_task_is_known_by_its_words_whatever_the_articles(project: Library, words: str) -> None:
    found = problem_in(project, words).entry
    assert found.name in ("task_8", "task_9")
    system = project.find("system", "dag_plan")
    assert find_problem(View(project, in_scene(system, "kitchen_3")), words).name == found.name
    with pytest.raises(ProblemError):
        problem_in(project, "the")
