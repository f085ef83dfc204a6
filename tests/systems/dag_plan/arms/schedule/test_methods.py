"""Every schedule is one that arms can do; the exact one is never above another."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.tiers import many
from tests.systems.dag_plan.arms.conftest import NUMBERS
from tests.systems.dag_plan.arms.conftest import graph as task_graph
from tests.systems.dag_plan.arms.schedule.random_graphs import random_graph, renamed, shuffled
from tests.systems.dag_plan.arms.schedule.simulate import problems
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.schedule.bounds import Bounds
from treec_dag_plan.arms.schedule.cp_sat import solve
from treec_dag_plan.arms.schedule.deadlock import DeadlockError
from treec_dag_plan.arms.schedule.methods import schedule
from treec_dag_plan.arms.schedule.paper import Check
from treec_dag_plan.arms.schedule.problem import problem_of

SHORTEST = [2, 4, 4, 6, 6, 6, 5, 6, 11]
SEEDS = st.integers(0, 10**6)
LINKS = st.sampled_from((0.3, 1.0, 2.0, 3.0))
QUIETLY = settings(
    max_examples=many(40, 5),
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


def proved(graph: TaskGraph) -> int:
    """The fewest stages as CP-SAT finds them, told nothing of our bounds."""
    problem = problem_of(graph)
    found = solve(problem, problem.size, seconds=60)
    assert found.optimal
    assert found.begins is not None
    return max(found.begins) + 1


@pytest.mark.parametrize("number", NUMBERS)
def test_the_nine_tasks_are_shortest_and_proved(number: int) -> None:
    graph = task_graph(number)
    plan = schedule(graph)
    assert problems(graph, plan.stages) == []
    assert (len(plan), plan.optimal) == (SHORTEST[number - 1], True)
    assert plan.seconds < 0.5
    assert proved(graph) == len(plan)


@given(SEEDS, st.integers(4, 30), LINKS)
@QUIETLY
def test_schedules_of_random_graphs_can_be_done(seed: int, size: int, links: float) -> None:
    graph = random_graph(seed, size, links)
    plan = schedule(graph)
    assert problems(graph, plan.stages) == []
    assert plan.optimal
    assert Bounds(problem_of(graph)).least <= plan.lower_bound == len(plan)
    for check in get_args(Check):
        try:
            other = schedule(graph, "paper", check=check)
        except DeadlockError:
            continue
        assert problems(graph, other.stages) == []
        assert len(other) >= len(plan)


@pytest.mark.parametrize("seed", range(12))
def test_what_is_called_optimal_is_proved_again(seed: int) -> None:
    graph = random_graph(seed, 12 + 2 * seed, (0.5, 1.0, 2.0)[seed % 3])
    plan = schedule(graph)
    assert plan.optimal
    assert proved(graph) == len(plan)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 130))
def test_what_is_called_optimal_is_proved_again_at_forty_nodes(seed: int) -> None:
    graph = random_graph(seed, 40, (0.5, 1.0, 2.0)[seed % 3])
    plan = schedule(graph, seconds=600)  # on a busy machine 30 s are less
    assert plan.optimal
    assert proved(graph) == len(plan)


@pytest.mark.parametrize("seed", range(6))
def test_order_and_names_change_no_count(seed: int) -> None:
    graph = random_graph(seed, 26, 1.5)
    other = renamed(shuffled(graph, seed), seed)
    assert len(schedule(graph)) == len(schedule(other))


@pytest.mark.slow
@given(SEEDS, st.integers(41, 110), LINKS)
@settings(QUIETLY, max_examples=many(10, 5))
def test_schedules_of_larger_random_graphs_can_be_done(seed: int, size: int, links: float) -> None:
    graph = random_graph(seed, size, links)
    plan = schedule(graph, seconds=5)
    assert problems(graph, plan.stages) == []
    bound = Bounds(problem_of(graph)).least
    assert bound <= plan.lower_bound <= len(plan) <= 1.02 * bound + 2
    assert plan.optimal == (plan.lower_bound == len(plan))


@pytest.mark.parametrize(("seed", "links"), [(1, 0.5), (2, 1.0), (3, 3.0)])
@pytest.mark.few(1)
def test_large_graphs_never_deadlock_and_are_near_the_bound(seed: int, links: float) -> None:
    graph = random_graph(seed, 150, links)
    plan = schedule(graph)
    assert problems(graph, plan.stages) == []
    assert plan.lower_bound <= len(plan) <= 1.02 * plan.lower_bound + 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "links"),
    [(1000, 0.5), (1000, 1.0), (1000, 2.0), (2000, 0.5), (2000, 1.0), (2000, 3.0)],
)
def test_thousands_of_nodes_are_within_two_percent(size: int, links: float) -> None:
    graph = random_graph(0, size, links)
    plan = schedule(graph, seconds=600)
    assert problems(graph, plan.stages) == []
    assert len(plan) <= 1.02 * plan.lower_bound


@pytest.mark.parametrize("seed", range(4))
def test_more_arms_need_no_more_stages_than_fewer(seed: int) -> None:
    graph = random_graph(seed, 24, 1.0)
    counts = []
    for arms in (("left", "right"), ("a", "b", "c"), ("a", "b", "c", "d"), tuple("abcdef")):
        plan = schedule(graph, arms=arms)
        assert problems(graph, plan.stages) == []
        assert plan.optimal
        counts.append(len(plan))
        problem = problem_of(graph, arms)
        assert len(plan) >= Bounds(problem).least
    assert counts == sorted(counts, reverse=True)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_optimal_for_three_arms_is_proved_again(seed: int) -> None:
    graph = random_graph(seed, 18, 1.0)
    arms = ("left", "right", "third")
    problem = problem_of(graph, arms)
    found = solve(problem, problem.size, seconds=60)
    assert found.optimal
    assert found.begins is not None
    assert len(schedule(graph, arms=arms)) == max(found.begins) + 1


@pytest.mark.parametrize("seed", range(3))
def test_cp_sat_is_never_above_and_says_what_it_proved(seed: int) -> None:
    graph = random_graph(seed, 20, 1.0)
    plan = schedule(graph, "cp-sat", seconds=30)
    assert problems(graph, plan.stages) == []
    assert (len(plan), plan.optimal) == (len(schedule(graph)), True)


def test_a_graph_of_nothing_has_no_stages() -> None:
    plan = schedule(TaskGraph(()))
    assert (len(plan), plan.optimal, plan.lower_bound) == (0, True, 0)
