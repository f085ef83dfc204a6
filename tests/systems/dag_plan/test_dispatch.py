"""What is begun when: every node once, edges kept, no arm at two things, never stuck."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.systems.dag_plan.arms.schedule.random_graphs import random_graph
from treec_dag_plan.arms.dispatch import Dispatcher, DispatchState
from treec_dag_plan.arms.layout import read_layout
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.read import read_graph
from treec_dag_plan.arms.schedule.geometry import geometry_of
from treec_dag_plan.arms.schedule.problem import SchedulingProblem, problem_of

ROOT = Path(__file__).parents[3]
SECONDS = {"occupy": 9.0, "release": 9.0, "operate": 11.0, "tool use": 12.0}
ARMS = ("left", "right")
Slots = list[tuple[str, tuple[str, ...], float, float]]


def reference(task: int) -> TaskGraph:
    graph, _ = read_graph(ROOT / f"trees/dag_plan/graphs/task_{task}.yaml")
    assert graph is not None
    return graph


def dispatcher(graph: TaskGraph, arms: tuple[str, ...] = ARMS) -> Dispatcher:
    def takes(node: str, arms: tuple[str, ...]) -> float:
        return SECONDS[graph.by_id[node].type]

    return Dispatcher(problem_of(graph, arms), takes)


def is_right(problem: SchedulingProblem, slots: Slots) -> None:
    """Every node once, after what it waits for; an arm does one thing, and what it holds stays."""
    assert sorted(node for node, _, _, _ in slots) == sorted(problem.ids)
    ends = {node: end for node, _, _, end in slots}
    who = {node: set(arms) for node, arms, _, _ in slots}
    starts = {node: start for node, _, start, _ in slots}
    graph = problem.graph
    for node, _, start, _ in slots:
        assert all(ends[b] <= start + 1e-6 for b in graph.by_id[node].after if b in ends), node
    for one, arms, start, end in slots:
        for other, others, begin, until in slots:
            if one != other and set(arms) & set(others):
                assert end <= begin + 1e-6 or until <= start + 1e-6, (one, other)
    for hold in problem.holds:
        taken, left = problem.ids[hold.occupy], problem.ids[hold.release]
        members = {problem.ids[v] for v in range(problem.size) if hold.members >> v & 1}
        assert who[taken] <= who[left]
        for node in starts:
            if node not in members and who[node] & who[taken]:
                both = problem.types[problem.ids.index(node)] in ("tool use", "release")
                outside = ends[node] <= starts[taken] + 1e-6 or starts[node] >= ends[left] - 1e-6
                assert outside or both, f"{node} by a hand that holds since {taken}"


@pytest.mark.parametrize("task", range(1, 10))
def test_the_nine_tasks_come_to_their_end(task: int) -> None:
    made = dispatcher(reference(task))
    is_right(made.problem, made.slots())


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.few(10)
def test_random_graphs_come_to_their_end(seed: int) -> None:
    made = dispatcher(random_graph(seed, 5 + seed))
    is_right(made.problem, made.slots())


@pytest.mark.parametrize("seed", range(3))
def test_large_graphs_come_to_their_end(seed: int) -> None:
    made = dispatcher(random_graph(seed, 300))
    is_right(made.problem, made.slots())


@pytest.mark.parametrize("arms", [("one",), ("a", "b", "c"), ("a", "b", "c", "d")])
def test_any_number_of_arms(arms: tuple[str, ...]) -> None:
    made = dispatcher(reference(5), arms)
    is_right(made.problem, made.slots())


def makespan(made: Dispatcher) -> float:
    return max(end for _, _, _, end in made.slots())


def test_more_arms_are_never_slower() -> None:
    spans = [makespan(dispatcher(reference(5), tuple("abcd"[:n]))) for n in (1, 2, 3)]
    assert spans == sorted(spans, reverse=True)
    assert spans[0] == pytest.approx(sum(SECONDS[n.type] for n in reference(5).work()))


@pytest.mark.parametrize("task", range(1, 10))
def test_arms_that_go_on_freely_are_never_later_than_in_stages(task: int) -> None:
    from treec_dag_plan.arms.schedule.paper import PaperRule

    graph = reference(task)
    made = dispatcher(graph)
    stages = PaperRule(made.problem).run()
    assert isinstance(stages, tuple)
    staged = sum(max(SECONDS[graph.by_id[id].type] for id in stage.nodes) for stage in stages)
    assert makespan(made) <= staged + 1e-6


def test_what_cannot_be_done_now_is_left_out() -> None:
    made = dispatcher(reference(5))
    moment = DispatchState(
        frozenset(), {}, {}, frozenset(ARMS), lambda node, arms: node != "node_1"
    )
    assert [node for node, _ in made.begin(moment)] == ["node_3"]


def test_an_arm_that_is_out_gets_nothing() -> None:
    made = dispatcher(reference(5))
    moment = DispatchState(frozenset(), {}, {}, frozenset({"left"}))
    ((_, arms),) = made.begin(moment)
    assert arms == ("left",)


def test_what_a_hand_holds_is_put_down_by_that_hand() -> None:
    made = dispatcher(reference(5))
    done = frozenset({"node_1", "node_2", "node_3"})
    moment = DispatchState(done, {}, {"node_2": ("left",)}, frozenset(ARMS))
    assert dict(made.begin(moment))["node_4"] == ("left",)


def test_what_is_under_way_is_waited_for() -> None:
    made = dispatcher(reference(5))
    running = {"node_1": (("right",), 4.0), "node_3": (("left",), 9.0)}
    assert made.begin(DispatchState(frozenset(), running, {}, frozenset())) == []


def test_arms_do_not_cross() -> None:
    layout, _ = read_layout(ROOT / "trees/dag_plan/layouts/kitchen_2.yaml")
    assert layout is not None
    made = dispatcher(reference(5))
    place = geometry_of(made.problem, layout)
    free = Dispatcher(made.problem, made.takes, place)
    slots = free.slots()
    is_right(made.problem, slots)
    number = {id: v for v, id in enumerate(made.problem.ids)}
    for one, arms, start, end in slots:
        for other, others, begin, until in slots:
            if arms == ("left",) and others == ("right",) and start < until and begin < end:
                assert place.beside(number[one], number[other])
