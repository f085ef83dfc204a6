"""Occupy-release pairs, by object and by graph, and what cannot be told."""

from __future__ import annotations

import pytest

from tests.systems.dag_plan.arms.conftest import graph as task_graph
from tests.systems.dag_plan.arms.schedule.test_paper import node
from treec_dag_plan.arms.model import GraphNode, TaskGraph
from treec_dag_plan.arms.pairs import PairError, find_pairs, pairs_of
from treec_dag_plan.arms.schedule.problem import problem_of


def told(*nodes: GraphNode) -> list[tuple[str, str]]:
    _, faults = find_pairs(TaskGraph(nodes))
    return [(fault.node, fault.message) for fault in faults]


def members(*nodes: GraphNode) -> list[tuple[str, ...]]:
    return [pair.members for pair in pairs_of(TaskGraph(nodes))]


def test_a_tool_and_its_uses() -> None:
    knife = next(pair for pair in pairs_of(task_graph(8)) if pair.thing == "knife")
    assert knife.members == ("node_2", "node_5", "node_8", "node_9")


def test_two_holds_of_one_thing_are_told_apart_by_the_graph() -> None:
    pots = [pair for pair in pairs_of(task_graph(9)) if pair.thing == "pot"]
    assert [(pair.occupy, pair.release, pair.arms) for pair in pots] == [
        ("node_2", "node_3", 2),
        ("node_6", "node_7", 2),
    ]


def test_names_that_do_not_agree_are_paired_by_the_graph() -> None:
    assert members(
        node(1, "grasp carrot", "occupy"), node(2, "put slices plate", "release", (1,))
    ) == [("node_1", "node_2")]


def test_names_that_do_not_agree_and_two_holds_that_could_be_meant() -> None:
    found = told(
        node(1, "grasp carrot", "occupy"),
        node(2, "grasp pepper", "occupy"),
        node(3, "put slices plate", "release", (1, 2)),
    )
    assert [id for id, _ in found] == ["node_1", "node_2", "node_3"]


def test_a_release_that_does_not_wait_for_its_occupy_node() -> None:
    _, faults = find_pairs(
        TaskGraph((node(1, "grasp cup", "occupy"), node(2, "put cup table", "release")))
    )
    assert [(f.node, f.help) for f in faults] == [
        ("node_1", "write node_1 among the edges of node_2"),
        ("node_2", "write node_1 among the edges of node_2"),
    ]


def test_a_tool_that_may_be_let_go_of_before_it_is_used() -> None:
    found = told(
        node(1, "grasp knife", "occupy"),
        node(2, "cut knife", "tool use", (1,)),
        node(3, "put knife table", "release", (1,)),
    )
    assert found == [("node_2", 'cut knife: "knife" may be let go of before')]


def test_a_thing_that_is_let_go_of_twice() -> None:
    found = told(
        node(1, "grasp cup", "occupy"),
        node(2, "put cup table", "release", (1,)),
        node(3, "put cup shelf", "release", (2,)),
    )
    assert found == [("node_3", "put cup shelf: node_2 has let go of it already")]


def test_a_release_that_could_end_either_of_two_holds() -> None:
    found = told(
        node(1, "grasp cup", "occupy"),
        node(2, "grasp cup", "occupy"),
        node(3, "put cup table", "release", (1, 2)),
    )
    assert found == [("node_3", "put cup table may end either of two holds: node_1 or node_2")]


def test_nested_holds_keep_their_own_members() -> None:
    assert members(
        node(1, "grasp jar", "occupy"),
        node(2, "grasp lid", "occupy", (1,)),
        node(3, "put lid table", "release", (2,)),
        node(4, "pour jar cup", "tool use", (1, 3)),
        node(5, "put jar table", "release", (4,)),
    ) == [("node_1", "node_4", "node_5"), ("node_2", "node_3")]


def test_a_node_for_both_arms_uses_both_things_that_are_held() -> None:
    graph = TaskGraph(
        (
            node(1, "grasp jar", "occupy"),
            node(2, "grasp cup", "occupy"),
            node(3, "pour jar cup", "tool use", (1, 2), 2),
            node(4, "put jar table", "release", (3,)),
            node(5, "put cup table", "release", (3,)),
        )
    )
    problem = problem_of(graph)
    assert (problem.own[2], problem.need[2], problem.used[2]) == ((0, 1), 0, 2)


def test_what_cannot_be_told_stops_the_schedule() -> None:
    with pytest.raises(PairError, match="node_1: grasp cup, and no release node lets go of it"):
        problem_of(TaskGraph((node(1, "grasp cup", "occupy"),)))
