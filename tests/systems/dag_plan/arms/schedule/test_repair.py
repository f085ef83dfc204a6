"""A schedule made shorter piece by piece stays one that arms can do, and never gets longer."""

from __future__ import annotations

import math

import pytest

from tests.systems.dag_plan.arms.conftest import graph as task_graph
from tests.systems.dag_plan.arms.schedule.random_graphs import random_graph
from tests.systems.dag_plan.arms.schedule.simulate import problems
from tests.systems.dag_plan.arms.schedule.test_layout import scattered
from treec_dag_plan.arms.layout import ArmLayout
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.plan import PlanStage, stage
from treec_dag_plan.arms.schedule.beam_search import BeamSearch, Effort
from treec_dag_plan.arms.schedule.bounds import Bounds
from treec_dag_plan.arms.schedule.deadlock import arms_of
from treec_dag_plan.arms.schedule.geometry import geometry_of
from treec_dag_plan.arms.schedule.hold_edges import add_hold_edges
from treec_dag_plan.arms.schedule.moves import Moves, Work
from treec_dag_plan.arms.schedule.problem import SchedulingProblem, problem_of
from treec_dag_plan.arms.schedule.repair import ROUNDS, Repair, Round
from treec_dag_plan.arms.schedule.serial import Serial


def stages_of(problem: SchedulingProblem, works: tuple[Work, ...]) -> tuple[PlanStage, ...]:
    return tuple(
        stage(
            problem.arms,
            {arm: problem.ids[v] for v, arms in work for arm in arms_of(problem.arms, arms)},
        )
        for work in works
    )


def one_by_one(problem: SchedulingProblem, moves: Moves) -> tuple[Work, ...]:
    """The longest schedule: a node a stage."""
    order = Serial(problem).order()
    assert order is not None
    state, found = moves.start(), []
    for v in order:
        work = ((v, moves.arms_for(state, v)),)
        found.append(work)
        state = moves.do(state, work)
    return tuple(found)


def narrow(problem: SchedulingProblem, moves: Moves) -> tuple[Work, ...]:
    """A schedule as the windows find it when they keep one state alone."""
    windows = BeamSearch(moves, Bounds(add_hold_edges(problem)), Serial(problem, 100), Effort(1))
    found = windows.run(math.inf)
    assert found is not None
    return found


@pytest.mark.parametrize("number", range(1, 10))
def test_from_one_node_a_stage_it_comes_to_the_fewest(number: int) -> None:
    graph = task_graph(number)
    problem = problem_of(graph)
    moves, bounds = Moves(problem), Bounds(problem)
    works = one_by_one(problem, moves)
    assert len(works) == problem.size
    for round in ROUNDS:
        works = Repair(moves, bounds).run(works, round, math.inf)
    assert problems(graph, stages_of(problem, works)) == []
    assert len(works) <= bounds.least + 1


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.few(2)
def test_what_is_repaired_can_be_done(seed: int) -> None:
    graph = random_graph(seed, 160, (0.5, 1.0, 2.0)[seed % 3])
    problem = problem_of(graph)
    moves, bounds = Moves(problem), Bounds(problem)
    before = narrow(problem, moves)
    after = Repair(moves, bounds).run(before, ROUNDS[0], math.inf)
    assert problems(graph, stages_of(problem, after)) == []
    assert bounds.least <= len(after) <= len(before)


@pytest.mark.thorough
def test_it_saves_stages() -> None:
    """Not in each graph, but over a few of them half of what is above the bound."""
    above_before = above_after = 0
    for seed in range(6):
        problem = problem_of(random_graph(seed, 200))
        moves, bounds = Moves(problem), Bounds(problem)
        before = narrow(problem, moves)
        after = Repair(moves, bounds).run(before, ROUNDS[0], math.inf)
        above_before += len(before) - bounds.least
        above_after += len(after) - bounds.least
    assert above_after <= above_before / 2


@pytest.mark.parametrize("seed", range(4))
def test_arms_keep_apart_as_a_layout_says(seed: int) -> None:
    graph = random_graph(seed, 70)
    things = list(dict.fromkeys(t for node in graph.work() for t in node.objects))
    layout: ArmLayout = scattered(things, seed, 0.9)
    problem = problem_of(graph, tuple(layout.hands))
    moves, bounds = Moves(problem, geometry_of(problem, layout)), Bounds(problem)
    works = one_by_one(problem, moves)
    after = Repair(moves, bounds).run(works, Round((6, 10), 300), math.inf)
    assert problems(graph, stages_of(problem, after), layout) == []
    assert len(after) < len(works)


def test_it_ends_when_there_are_few_enough() -> None:
    problem = problem_of(random_graph(1, 120))
    moves, bounds = Moves(problem), Bounds(problem)
    works = one_by_one(problem, moves)
    enough = len(works) - 3
    stopped = len(Repair(moves, bounds).run(works, ROUNDS[0], math.inf, enough))
    assert enough - ROUNDS[0].sizes[0] < stopped <= enough
    assert stopped > len(Repair(moves, bounds).run(works, ROUNDS[0], math.inf))
    assert len(Repair(moves, bounds).run(works, ROUNDS[0], 0.0)) == len(works)


@pytest.mark.thorough
def test_arms_are_given_out_anew_behind_a_piece() -> None:
    """After a piece in which two arms have changed places, what they hold is still theirs."""
    graph: TaskGraph = random_graph(1001, 300, 1.0)
    problem = problem_of(graph)
    moves, bounds = Moves(problem), Bounds(problem)
    works = narrow(problem, moves)
    for round in ROUNDS[:2]:
        works = Repair(moves, bounds).run(works, round, math.inf)
    assert problems(graph, stages_of(problem, works)) == []
