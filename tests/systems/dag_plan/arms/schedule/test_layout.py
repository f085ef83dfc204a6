"""Layouts: read with findings at their lines, and what they forbid."""

from __future__ import annotations

import random

import pytest

from tests.support.tiers import first_fast
from tests.systems.dag_plan.arms.conftest import NUMBERS
from tests.systems.dag_plan.arms.conftest import graph as task_graph
from tests.systems.dag_plan.arms.schedule.random_graphs import random_graph
from tests.systems.dag_plan.arms.schedule.simulate import problems
from treec.source.diagnostics import Diagnostic
from treec_dag_plan.arms.layout import ArmLayout, read_layout
from treec_dag_plan.arms.schedule.cp_sat import solve
from treec_dag_plan.arms.schedule.geometry import geometry_of
from treec_dag_plan.arms.schedule.methods import schedule
from treec_dag_plan.arms.schedule.problem import ScheduleError, problem_of

GOOD = """\
layout: table
about: Seen from above.
distance: 0.8
crossing: {axis: x, margin: 0.05}
hands: {left: [-0.3, 0.0], right: [0.3, 0.0]}
objects:
  apple: [-0.2, 0.5]
  plate: [0.1, 0.5]
"""


def wrong(text: str) -> list[tuple[int, int, str]]:
    layout, found = read_layout(text)
    assert layout is None
    return [(d.span.line, d.span.column, d.message) for d in found if isinstance(d, Diagnostic)]


def test_a_layout_is_read() -> None:
    layout, found = read_layout(GOOD)
    assert found == []
    assert layout == ArmLayout(
        {"apple": (-0.2, 0.5), "plate": (0.1, 0.5)},
        {"left": (-0.3, 0.0), "right": (0.3, 0.0)},
        0.8,
        0,
        0.05,
    )


def test_without_a_limit_and_a_rule_only_crossing_counts() -> None:
    layout, _ = read_layout("hands: {a: [0, 0]}\nobjects: {x: [0, 0]}\n")
    assert layout is not None
    assert (layout.limit, layout.axis, layout.margin) == (None, 0, 0.0)


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "message"),
    [
        ("distance: 0.8", "distance: 80cm", 3, 11, "a number, not '80cm'"),
        ("distance: 0.8", "distance: -1", 3, 11, "more than 0"),
        ("distance: 0.8", "distance: .inf", 3, 11, "below 1,000,000"),
        ("distance", "distence", 3, 1, "unknown key 'distence'"),
        ("axis: x", "axis: w", 4, 18, "'axis' is x, y or z"),
        ("margin", "marge", 4, 21, "unknown key 'marge' of 'crossing'"),
        ("{axis: x, margin: 0.05}", "sometimes", 4, 11, "true, false, or"),
        ("[-0.2, 0.5]", "0.5", 7, 10, "an object's position is [x, y]"),
        ("[-0.2, 0.5]", "[1, 2, 3]", 7, 10, "has 3 numbers"),
        ("[-0.2, 0.5]", "[1, yes]", 7, 14, "a number, not 'yes'"),
        ("objects:", "things:", 6, 1, "unknown key 'things'"),
    ],
)
def test_what_is_wrong_is_told_at_its_place(
    old: str, new: str, line: int, column: int, message: str
) -> None:
    found = wrong(GOOD.replace(old, new, 1))
    assert any((at, col) == (line, column) and message in said for at, col, said in found), found


def test_a_thing_without_a_place_is_named() -> None:
    layout, _ = read_layout(GOOD)
    with pytest.raises(ScheduleError, match="node_3: the layout does not place 'bread'"):
        schedule(task_graph(1), layout=layout)


def test_a_thing_is_where_it_was_put() -> None:
    layout, _ = read_layout(GOOD + "  bread: [0, 0.4]\n  stove_body: [1, 1]\n")
    assert layout is not None
    text = task_graph(9)
    things = {thing: (0.0, float(n)) for n, thing in enumerate(_things(9))}
    problem = problem_of(text)
    where = geometry_of(problem, ArmLayout(things, layout.hands)).where
    into = problem.ids.index("node_10")  # put "carrot" into "pot", which is on the stove by then
    assert where[into] == things["stove_body"]


def _things(number: int) -> list[str]:
    nodes = task_graph(number).work()
    return list(dict.fromkeys(thing for node in nodes for thing in node.objects))


def scattered(things: list[str], seed: int, limit: float | None) -> ArmLayout:
    rng = random.Random(seed)
    places = {thing: (rng.uniform(-1, 1), rng.uniform(0, 1)) for thing in things}
    return ArmLayout(places, {"left": (-0.5, 0.0), "right": (0.5, 0.0)}, limit)


@pytest.mark.few(9, thorough=1000)
@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("seed", range(3))
def test_with_a_layout_plans_are_shortest_and_proved(number: int, seed: int) -> None:
    graph = task_graph(number)
    layout = scattered(_things(number), seed, 1.0)
    plan = schedule(graph, layout=layout)
    assert problems(graph, plan.stages, layout) == []
    assert plan.optimal
    problem = problem_of(graph)
    found = solve(problem, problem.size, geometry=geometry_of(problem, layout), seconds=60)
    assert found.optimal
    assert found.begins is not None
    assert max(found.begins) + 1 == len(plan)


@pytest.mark.parametrize("seed", first_fast((1, 3, 5, 4, 2), 4))
@pytest.mark.few(2)
def test_random_graphs_with_layouts_can_be_done(seed: int) -> None:
    graph = random_graph(seed, 30 if seed % 2 else 70, 1.0)
    things = list(dict.fromkeys(t for node in graph.work() for t in node.objects))
    layout = scattered(things, seed, 0.9)
    plan = schedule(graph, layout=layout, seconds=5)
    assert problems(graph, plan.stages, layout) == []
    assert len(plan) >= plan.lower_bound
