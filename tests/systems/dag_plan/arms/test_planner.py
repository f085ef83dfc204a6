"""A classical planner plans the tasks without a model; its sequences become checked graphs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from subprocess import CompletedProcess, TimeoutExpired

import pytest

from treec_dag_plan.arms import planner
from treec_dag_plan.arms.commands import action_of
from treec_dag_plan.arms.deorder import deorder
from treec_dag_plan.arms.planner import NoPlanFound, PlannerMissing, find_sequence
from treec_dag_plan.arms.problem import AllocationProblem
from treec_dag_plan.arms.schedule.methods import schedule
from treec_dag_plan.arms.world import ArmWorld, GroundAction
from treec_dag_plan.arms.world_logic import read_term

from .conftest import NUMBERS, graph

Task = Callable[[int], AllocationProblem]

needs_planner = pytest.mark.skipif(
    find_spec(planner.PACKAGE) is None, reason="Fast Downward is not installed"
)


def sequence(world: ArmWorld, *steps: tuple[str, str]) -> list[GroundAction]:
    """Actions by their words and arm."""
    found = [action_of(world, words, [arm]) for words, arm in steps]
    assert all(isinstance(action, GroundAction) for action in found), found
    return [action for action in found if isinstance(action, GroundAction)]


@needs_planner
@pytest.mark.parametrize(
    "number",
    [
        NUMBERS[0],
        *(pytest.param(n, marks=pytest.mark.thorough) for n in NUMBERS[1:3]),
        *(pytest.param(n, marks=pytest.mark.slow) for n in NUMBERS[3:]),  # 6 to 10 s each
    ],
)
def test_a_planned_graph_is_right_and_as_short_as_the_reference(task: Task, number: int) -> None:
    problem = task(number)
    checked = deorder(problem.world, find_sequence(problem, 10))
    assert checked.good, [str(one) for one in checked.problems]
    assert not checked.problems
    assert not checked.cut
    assert checked.graph is not None
    assert len([*checked.graph.work()]) == len([*graph(number).work()])
    assert len(schedule(checked.graph)) <= len(schedule(graph(number)))


@needs_planner
def test_a_goal_that_cannot_be_reached_is_proved(task: Task) -> None:
    problem = task(1)
    goal = (read_term("at(plate) == apple"),)
    with pytest.raises(NoPlanFound) as caught:
        find_sequence(replace(problem, world=replace(problem.world, goal=goal)))
    assert caught.value.proved


def test_a_missing_planner_is_named_with_its_extra(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planner, "find_spec", lambda name: None)
    with pytest.raises(PlannerMissing, match=r"treec\[plans\]"):
        find_sequence(task(1))


def test_independent_holds_are_not_ordered(task: Task) -> None:
    world = task(1).world
    checked = deorder(
        world,
        sequence(
            world,
            ('grasp "apple"', "left"),
            ('put "apple" onto "plate"', "left"),
            ('grasp "bread"', "left"),
            ('put "bread" onto "plate"', "left"),
        ),
    )
    assert checked.good
    assert checked.graph is not None
    assert {node.id: node.after for node in checked.graph.nodes} == {
        "node_1": (),
        "node_2": ("node_1",),
        "node_3": (),
        "node_4": ("node_3",),
        "node_5": ("node_2", "node_4"),
    }


def test_what_is_needed_before_stays_before(task: Task) -> None:
    """The bread is in the toaster before that is switched on, which is known only from effects."""
    world = task(2).world
    checked = deorder(
        world,
        sequence(
            world,
            ('grasp "bread"', "left"),
            ('put "bread" into "toaster"', "left"),
            ('switch_on "toaster"', "right"),
            ('switch_off "toaster"', "right"),
            ('grasp "apple"', "left"),
            ('put "apple" onto "plate"', "left"),
        ),
    )
    assert checked.good
    assert checked.graph is not None
    after = {node.name: node.after for node in checked.graph.nodes}
    assert after['switch_on "toaster"'] == ("node_2",)
    assert after['grasp "apple"'] == ()


def test_a_sequence_that_misses_the_goal_is_no_good_graph(task: Task) -> None:
    world = task(1).world
    steps = sequence(world, ('grasp "apple"', "left"), ('put "apple" onto "table"', "left"))
    assert not deorder(world, steps).good


@needs_planner
@pytest.mark.parametrize(
    ("ended", "message", "proved"),
    [
        ((11, "search stopped\n"), "no sequence of sub-tasks reaches the goal", True),
        ((23, "Time limit reached\n"), "no plan was found in 3 s: --seconds gives it more", False),
        (None, "no plan was found in 3 s: --seconds gives it more", False),
        ((35, "a\nbad input\n"), "the planner has failed: bad input", False),
        ((35, ""), "the planner has failed: exit code 35", False),
    ],
)
def test_what_is_said_of_a_planner_without_a_plan(
    task: Task,
    monkeypatch: pytest.MonkeyPatch,
    ended: tuple[int, str] | None,
    message: str,
    proved: bool,
) -> None:
    def run(command: list[str], **options: object) -> CompletedProcess[str]:
        assert command[-2:] == ["domain.pddl", "problem.pddl"]
        assert options["timeout"] == 3.0 + planner.SLACK
        if ended is None:
            raise TimeoutExpired(command, 3.0)
        return CompletedProcess(command, ended[0], ended[1], "")

    monkeypatch.setattr(planner.child, "run", run)
    with pytest.raises(NoPlanFound) as caught:
        find_sequence(task(1), 3.0)
    assert (str(caught.value), caught.value.proved) == (message, proved)
