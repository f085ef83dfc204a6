"""Whether open holds can be closed, held against trying everything; graphs that no order can do."""

from __future__ import annotations

import random
from functools import cache

import pytest

from tests.systems.dag_plan.arms.schedule.random_graphs import random_graph
from tests.systems.dag_plan.arms.schedule.simulate import problems
from tests.systems.dag_plan.arms.schedule.test_paper import node
from treec_dag_plan.arms.model import GraphNode, TaskGraph
from treec_dag_plan.arms.schedule.bounds import Bounds
from treec_dag_plan.arms.schedule.deadlock import DeadlockError
from treec_dag_plan.arms.schedule.exact import ExactSearch
from treec_dag_plan.arms.schedule.hold_edges import add_hold_edges
from treec_dag_plan.arms.schedule.methods import schedule
from treec_dag_plan.arms.schedule.moves import Moves
from treec_dag_plan.arms.schedule.problem import SchedulingProblem, problem_of
from treec_dag_plan.arms.schedule.serial import Serial


def can_end(problem: SchedulingProblem, done: int) -> bool:
    """By trying every order of single nodes."""

    @cache
    def ends(done: int) -> bool:
        if done == problem.everything:
            return True
        open_ = problem.open_holds(done)
        free = len(problem.arms) - sum(problem.holds[h].arms for h in open_)
        return any(
            not problem.pred[v] & ~done
            and problem.need[v] <= free
            and not done >> v & 1
            and ends(done | 1 << v)
            for v in range(problem.size)
        )

    return ends(done)


def tangled(seed: int) -> TaskGraph:
    """Holds that wait for each other's nodes at random: some such graphs cannot be done."""
    rng = random.Random(seed)
    nodes: list[GraphNode] = []
    for thing in range(4):
        first = len(nodes) + 1
        nodes.append(node(first, f"grasp t{thing}", "occupy"))
        nodes.append(node(first + 1, f"pour t{thing}", "tool use", (first,)))
        nodes.append(node(first + 2, f"put t{thing}", "release", (first + 1,)))
    for _ in range(5):
        a, b = sorted(rng.sample(range(4), 2))
        if rng.random() < 0.5:
            before, after = 3 * a + rng.randint(1, 3), 3 * b + rng.randint(1, 3)
        else:  # the later thing's taking before the earlier one's use or letting go
            before, after = 3 * b + 1, 3 * a + rng.randint(2, 3)
        nodes[after - 1] = node_after(nodes[after - 1], f"node_{before}")
    return TaskGraph(tuple(nodes))


def node_after(old: GraphNode, before: str) -> GraphNode:
    from dataclasses import replace

    return old if before in old.after else replace(old, after=(*old.after, before))


def test_safety_is_what_trying_everything_says() -> None:
    answers = set()
    for seed in range(300):
        try:
            problem = problem_of(tangled(seed))
        except ValueError:
            continue  # a circle
        serial, moves = Serial(problem), Moves(problem)
        possible = can_end(problem, 0)
        assert (serial.order() is not None) == possible
        answers.add(possible)
        if not possible:
            with pytest.raises(DeadlockError):
                schedule(problem.graph)
            continue
        state = moves.start()
        for work in moves.of(state):
            next = moves.do(state, work)
            at = serial.at(next.done, tuple(h for h, _ in next.open))
            assert serial.is_safe(at) == can_end(problem, next.done)
    assert answers == {True, False}


def test_the_bound_and_the_search_agree_with_trying_everything() -> None:
    for seed in range(60):
        problem = problem_of(random_graph(seed, 11, 1.5))
        found = ExactSearch(Moves(problem), Bounds(problem), 10**6, float("inf")).run(
            problem.size + 1
        )
        assert found.stages is not None
        assert Bounds(problem).least <= len(found.stages) == breadth_first(problem)


def breadth_first(problem: SchedulingProblem) -> int:
    """The fewest stages by looking at every set of nodes that arms can do together."""
    level, count = {0}, 0
    while problem.everything not in level:
        following = set()
        for done in level:
            ready = [
                v for v in range(problem.size) if not done >> v & 1 and not problem.pred[v] & ~done
            ]
            free = len(problem.arms) - sum(problem.holds[h].arms for h in problem.open_holds(done))
            for mask in range(1, 1 << len(ready)):
                some = [v for n, v in enumerate(ready) if mask >> n & 1]
                inside = [
                    h
                    for v in some
                    if problem.types[v] in ("tool use", "release")
                    for h in problem.own[v]
                ]
                if len(inside) == len(set(inside)) and sum(problem.need[v] for v in some) <= free:
                    following.add(done | sum(1 << v for v in some))
        level, count = following, count + 1
    return count


def test_three_holds_for_two_arms_are_named() -> None:
    graph = TaskGraph(
        (
            node(1, "grasp a", "occupy"),
            node(2, "grasp b", "occupy", (1,)),
            node(3, "grasp c", "occupy", (2,)),
            node(4, "put a", "release", (3,)),
            node(5, "put b", "release", (3,)),
            node(6, "put c", "release", (3,)),
        )
    )
    with pytest.raises(DeadlockError) as error:
        schedule(graph)
    assert dict(error.value.stuck.reasons) == {
        "node_1": "(grasp a) cannot be let go of before others have been taken, too: b, c; "
        "there are 2 arms"
    }
    assert len(schedule(graph, arms=("a", "b", "c"))) == 4


def test_the_guide_has_no_circles_and_only_more_edges() -> None:
    for seed in range(40):
        problem = problem_of(random_graph(seed, 60, 2.0))
        guide = add_hold_edges(problem)
        assert len(guide.order) == problem.size
        assert all(own & more == own for own, more in zip(problem.pred, guide.pred, strict=True))
        assert guide.pred != problem.pred or seed


def around(count: int, chained: bool = False) -> TaskGraph:
    """A tray that is held while many things are put onto it, in turn if `chained`."""
    nodes = [node(1, "grasp tray", "occupy")]
    puts: list[int] = []
    for thing in range(count):
        number = len(nodes) + 1
        after = puts[-1:] if chained and puts else [1]
        nodes.append(node(number, f"grasp t{thing}", "occupy", tuple(after)))
        nodes.append(node(number + 1, f"put t{thing}", "release", (number,)))
        puts.append(number + 1)
    nodes.append(node(len(nodes) + 1, "put tray", "release", (1, *puts)))
    return TaskGraph(tuple(nodes))


@pytest.mark.thorough
@pytest.mark.parametrize("chained", [False, True])
def test_a_hold_around_a_thousand_things_does_not_recurse(chained: bool) -> None:
    graph = around(1000, chained)
    serial = Serial(problem_of(graph))
    order = serial.order()
    assert order is not None
    assert len(order) == 2002
    assert serial.is_safe(serial.at(1, (0,)))


def test_arms_that_are_free_inside_a_long_hold_work_in_the_same_stages() -> None:
    """A hold of more things than the search tries in vain is begun by the beam search, too."""
    found = schedule(around(150), arms=("a", "b", "c"))
    assert len(found) == found.lower_bound == 152


def cuts(count: int, chained: bool = False) -> TaskGraph:
    """A knife that is held while many things are cut, which others bring; in turn if `chained`."""
    nodes = [node(1, "grasp knife", "occupy")]
    done: list[int] = []
    for thing in range(count):
        number = len(nodes) + 1
        before = done[-1:] if chained else []
        nodes.append(node(number, f"grasp t{thing}", "occupy"))
        nodes.append(node(number + 1, f"put t{thing}", "release", (number,)))
        nodes.append(node(number + 2, "cut knife", "tool use", (1, number + 1, *before)))
        done.append(number + 2)
    nodes.append(node(len(nodes) + 1, "put knife", "release", (1, *done)))
    return TaskGraph(tuple(nodes))


@pytest.mark.parametrize(
    ("count", "chained"),
    [
        (100, True),
        pytest.param(100, False, marks=pytest.mark.slow),
        pytest.param(300, True, marks=pytest.mark.slow),
        pytest.param(300, False, marks=pytest.mark.slow),
        pytest.param(1000, True, marks=pytest.mark.slow),
        pytest.param(1000, False, marks=pytest.mark.slow),
    ],
)
@pytest.mark.thorough
def test_a_tool_is_taken_while_the_other_arm_still_brings_what_it_is_used_on(
    count: int, chained: bool
) -> None:
    """Half of the things are brought by both arms, the others while the knife cuts these."""
    graph = cuts(count, chained)
    found = schedule(graph, seconds=1200)
    assert problems(graph, found.stages) == []
    assert len(found) == found.lower_bound == 3 * count // 2 + 2


def test_two_tools_with_no_arm_left_to_bring_things_are_used_in_turn() -> None:
    """No arm is free beside two open tools, so what they wait for is not brought meanwhile."""
    first, second = cuts(12), cuts(12)
    shift = len(first.nodes)
    others = tuple(
        node(
            number + shift,
            " ".join(f"{word}b" if n else word for n, word in enumerate(one.name.split())),
            one.type,
            tuple(int(id.split("_")[1]) + shift for id in one.after),
        )
        for number, one in enumerate(second.nodes, 1)
    )
    graph = TaskGraph((*first.nodes, *others))
    found = schedule(graph, seconds=5)
    assert problems(graph, found.stages) == []
    assert len(found) <= 1.05 * found.lower_bound


def test_only_what_free_arms_can_do_in_time_is_left_for_later() -> None:
    problem = problem_of(cuts(10))
    early = add_hold_edges(problem, meanwhile=True)
    knife = problem.holds[0].occupy
    assert add_hold_edges(problem).pred[knife].bit_count() == 10
    assert early.pred[knife].bit_count() == 5  # 11 stages, two for each of the other five
    three = problem_of(cuts(10), ("a", "b", "c"))
    assert add_hold_edges(three, meanwhile=True).pred[three.holds[0].occupy].bit_count() == 0


def test_a_hold_that_cannot_end_is_still_refused() -> None:
    """Two things that are each put down only after the other, and a third that needs an arm."""
    nodes = (
        node(1, "grasp tray", "occupy"),
        node(2, "grasp cup", "occupy", (1,)),
        node(3, "grasp pan", "occupy", (2,)),
        node(4, "put cup", "release", (3,)),
        node(5, "put pan", "release", (4,)),
        node(6, "put tray", "release", (5,)),
    )
    serial = Serial(problem_of(TaskGraph(nodes)))
    assert serial.order() is None
    assert not serial.is_safe(serial.at(1, (0,)), (0,))
    assert not serial.is_safe(serial.at(0b11, (0, 1)), (1,))
