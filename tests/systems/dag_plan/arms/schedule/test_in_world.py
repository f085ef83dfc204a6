"""Every schedule of every method can be done in the world that its graph is about."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import pytest

from tests.systems.dag_plan.arms.schedule.in_world import fits_the_kitchen, kitchen_for
from tests.systems.dag_plan.arms.schedule.random_graphs import random_graph, renamed, shuffled
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.plan import ArmPlan, Method, stage
from treec_dag_plan.arms.problem import AllocationProblem
from treec_dag_plan.arms.schedule.deadlock import DeadlockError
from treec_dag_plan.arms.schedule.methods import schedule
from treec_dag_plan.arms.schedule.paper import Check
from treec_dag_plan.arms.schedule.problem import problem_of
from treec_dag_plan.arms.schedule.shortest import efforts
from treec_dag_plan.arms.validate import validate
from treec_dag_plan.arms.validate_read import steps_of

Task = Callable[[int], AllocationProblem]
KINDS = ("hatch", "thing", "door", "knife", "spoon", "jar", "fork")
"""What every kind of block has in it."""


def graph_for(seed: int, size: int, links: float) -> TaskGraph:
    """The first random graph from a seed on that a kitchen has the commands for."""
    return next(
        g for n in range(100) if fits_the_kitchen(g := random_graph(seed + 1000 * n, size, links))
    )


def wrong(graph: TaskGraph, plan: ArmPlan, task: Task) -> str:
    world = kitchen_for(graph, task(1).world, plan.arms)
    violation = validate(steps_of(plan, graph), world).violation
    return "" if violation is None else str(violation)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.few(4)
def test_the_shortest_and_the_papers_can_be_done(seed: int, task: Task) -> None:
    graph = graph_for(seed, (12, 30, 60, 120)[seed % 4], (0.5, 1.0, 3.0)[seed % 3])
    plan = schedule(graph)
    assert wrong(graph, plan, task) == ""
    done = [id for stage in plan.stages for id in stage.nodes]
    assert sorted(done) == sorted(node.id for node in graph.work())
    for check in get_args(Check):
        try:
            other = schedule(graph, "paper", check=check)
        except DeadlockError:
            continue
        assert wrong(graph, other, task) == ""
        assert len(other) >= plan.lower_bound


@pytest.mark.parametrize("seed", range(4))
def test_so_can_those_of_cp_sat_and_of_more_arms(seed: int, task: Task) -> None:
    graph = graph_for(seed, 18, 1.0)
    ways: tuple[tuple[Method, int], ...] = (("cp-sat", 2), ("shortest", 3), ("shortest", 4))
    fewest = len(schedule(graph))
    for method, count in ways:
        arms = tuple(f"arm_{n}" for n in range(count))
        plan = schedule(graph, method, arms=arms, seconds=20)
        assert wrong(graph, plan, task) == ""
        assert len(plan) <= fewest


def test_a_wrong_schedule_is_found_out(task: Task) -> None:
    """The world is no rubber stamp: two stages that change places are seen by it."""
    graph = graph_for(3, 30, 1.0)
    plan = schedule(graph)
    found = 0
    for place in range(len(plan) - 1):
        stages = list(plan.stages)
        stages[place], stages[place + 1] = stages[place + 1], stages[place]
        swapped = ArmPlan(tuple(stages), plan.arms)
        found += bool(wrong(graph, swapped, task))
    assert found > len(plan) // 2
    gone = ArmPlan((stage(plan.arms, {}), *plan.stages[1:]), plan.arms)
    assert wrong(graph, gone, task)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
def test_so_they_can_with_other_names_and_in_another_order(seed: int, task: Task) -> None:
    graph = graph_for(seed, 100, 2.0)
    other = shuffled(graph, seed)
    assert wrong(other, schedule(other), task) == ""
    assert len(schedule(renamed(graph, seed)).stages) >= schedule(graph).lower_bound


def test_the_generator_has_all_that_is_promised() -> None:
    """Nested holds, crossed tools, two-arm nodes, chains and stars of tool uses, shuffled lists."""
    graph = random_graph(1, 400)
    problem = problem_of(graph)
    names = " ".join(thing for node in graph.nodes for thing in node.objects)
    assert all(kind in names for kind in KINDS)
    assert max(hold.arms for hold in problem.holds) == 2
    assert max(node.arms for node in graph.work() if node.type == "operate") == 2
    nested = [
        (a, b)
        for a in problem.holds
        for b in problem.holds
        if problem.after[a.occupy] >> b.occupy & 1 and problem.before[a.release] >> b.release & 1
    ]
    assert nested
    numbers = [int(node.id.removeprefix("node_")) for node in graph.nodes]
    assert numbers != sorted(numbers)
    assert len(efforts(400)) > 1
