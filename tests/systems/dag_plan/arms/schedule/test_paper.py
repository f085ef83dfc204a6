"""DAG-Plan's rule: its nine counts in every order of writing, and where it is stuck."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.systems.dag_plan.arms.conftest import NUMBERS
from tests.systems.dag_plan.arms.conftest import graph as task_graph
from tests.systems.dag_plan.arms.schedule.random_graphs import random_graph, renamed, shuffled
from tests.systems.dag_plan.arms.schedule.simulate import problems
from treec_dag_plan.arms.layout import ArmLayout
from treec_dag_plan.arms.model import GraphNode, NodeType, TaskGraph
from treec_dag_plan.arms.schedule.deadlock import DeadlockError, DeadlockReport
from treec_dag_plan.arms.schedule.geometry import geometry_of
from treec_dag_plan.arms.schedule.methods import schedule
from treec_dag_plan.arms.schedule.paper import PaperRule, PaperVariant
from treec_dag_plan.arms.schedule.problem import problem_of

PAPER = [2, 4, 4, 6, 6, 6, 5, 7, 11]
"""Table 2, stages of DAG-Plan."""


def node(
    number: int, name: str, type: NodeType, after: tuple[int, ...] = (), arms: int = 1
) -> GraphNode:
    command, *things = name.split()
    ids = tuple(f"node_{n}" for n in after)
    return GraphNode(f"node_{number}", name, command, tuple(things), arms, ids, type)


@pytest.mark.parametrize("number", NUMBERS)
def test_the_papers_counts_in_whatever_order_nodes_are_written(number: int) -> None:
    graph = task_graph(number)
    for seed in range(60):
        other = renamed(shuffled(graph, seed), seed)
        plan = schedule(other, "paper")
        assert len(plan) == PAPER[number - 1]
        assert problems(other, plan.stages) == []


def test_without_check_1_task_9_holds_two_things_and_is_stuck() -> None:
    with pytest.raises(DeadlockError) as error:
        schedule(task_graph(9), "paper", check="off")
    stuck = error.value.stuck
    assert {thing for _, thing in stuck.holds} == {"carrot", "red_bell_pepper"}
    assert dict(stuck.reasons) == {
        "node_10": "waits for node_7",
        "node_12": "waits for node_7",
        "node_2": "needs 2 arms, and none is free",
    }
    assert "stuck after 2 stages: 3 of 13 nodes are done" in str(error.value)


def test_pair_closure_looks_past_the_first_use() -> None:
    graph = TaskGraph(
        (
            node(1, "grasp knife", "occupy"),
            node(2, "cut knife", "tool use", (1,)),
            node(3, "open box", "operate"),
            node(4, "cut knife", "tool use", (2, 3)),
            node(5, "put knife", "release", (4,)),
        )
    )
    problem = problem_of(graph)
    any_ = PaperRule(problem, PaperVariant(check="pair-any")).choose()
    closure = PaperRule(problem, PaperVariant(check="pair-closure")).choose()
    assert (any_, closure) == ((0, 2), (2, None))


def test_a_hold_that_its_own_release_keeps_waiting_is_refused_for_ever() -> None:
    graph = TaskGraph(
        (
            node(1, "grasp jar", "occupy"),
            node(2, "open lid", "operate", (1,)),
            node(3, "put jar", "release", (1, 2)),
        )
    )
    found = PaperRule(problem_of(graph)).run()
    assert isinstance(found, DeadlockReport)
    assert found.reasons == (("node_1", "check 1 refuses it: node_3 waits for node_2"),)
    assert len(schedule(graph)) == 3


def test_at_fifty_nodes_most_random_graphs_are_stuck() -> None:
    stuck = 0
    for seed in range(20):
        try:
            schedule(random_graph(seed, 50), "paper")
        except DeadlockError:
            stuck += 1
    assert stuck > 10


FAR = ArmLayout(
    {"a": (-1.0, 0.0), "b": (1.0, 0.0), "c": (-0.9, 0.0), "d": (0.4, 0.0)},
    {"left": (-1.0, 1.0), "right": (1.0, 1.0)},
    limit=1.0,
)


def opened(*things: str) -> TaskGraph:
    return TaskGraph(
        tuple(node(n, f"open {thing}", "operate") for n, thing in enumerate(things, 1))
    )


def test_targets_that_are_too_far_apart_are_not_done_together() -> None:
    problem = problem_of(opened("a", "b"))
    first = PaperRule(problem, geometry=geometry_of(problem, FAR)).choose()
    assert first is not None
    assert None in first


def test_arms_do_not_cross() -> None:
    near = replace(FAR, limit=None)
    problem = problem_of(opened("b", "a"))
    assert PaperRule(problem, geometry=geometry_of(problem, near)).choose() == (1, 0)


def test_the_pair_of_the_lowest_cost_is_chosen() -> None:
    problem = problem_of(opened("b", "a", "c", "d"))
    rule = PaperRule(problem, geometry=geometry_of(problem, replace(FAR, limit=None)))
    cost = {pair: rule._cost(pair) for pair in ((1, 2), (1, 0), (2, 3), (1, 3), (3, 0), (2, 0))}
    assert rule.choose() == min(cost, key=cost.__getitem__)


def test_one_node_alone_goes_to_the_nearer_arm() -> None:
    problem = problem_of(opened("b"))
    assert PaperRule(problem, geometry=geometry_of(problem, FAR)).choose() == (None, 0)
