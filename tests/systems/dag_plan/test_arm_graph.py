"""What should be so after what is done, in whatever order the arms have done it."""

from __future__ import annotations

from pathlib import Path

from treec.files.library import load_library
from treec_dag_plan.arms.arm_graph import ArmGraph
from treec_dag_plan.arms.layout import ArmLayout, read_layout
from treec_dag_plan.arms.problem import problem_in
from treec_dag_plan.arms.read import read_graph

ROOT = Path(__file__).parents[3]
POT = ("left", "right")
DONE = {
    "node_1": ("right",),
    "node_2": POT,
    "node_3": POT,
    "node_4": ("right",),
    "node_5": ("right",),
    "node_6": POT,
    "node_7": POT,
    "node_11": ("left",),
}
"""Of the pot of soup: the pot stands on the stove, the left hand has taken the pepper since."""


def arm_graph(task: int, layout: ArmLayout | None = None) -> ArmGraph:
    problem = problem_in(load_library(ROOT), f"task_{task}")
    graph, _ = read_graph(ROOT / f"trees/dag_plan/graphs/task_{task}.yaml")
    assert graph is not None
    return ArmGraph(problem, graph, ("left", "right"), layout)


def test_what_starts_elsewhere_than_in_its_scene_is_thought_there() -> None:
    layout, _ = read_layout(ROOT / "trees/dag_plan/layouts/kitchen_2.yaml")
    assert layout is not None
    for task, place in ((4, "table"), (5, "bowl")):  # washed, it starts on the table
        dispatcher = arm_graph(task, layout).dispatcher
        assert dispatcher.geometry is not None
        node = next(n.id for n in dispatcher.problem.graph.work() if n.name == 'grasp "bowl"')
        assert dispatcher.geometry.where[dispatcher.number[node]] == layout.objects[place]
    assert layout.with_things_at({"bowl": "moon"}) is layout  # it does not know where that is


def test_what_a_hand_has_taken_last_does_not_undo_what_it_did_before() -> None:
    soup = arm_graph(9)
    start = dict(soup.world.start)
    now = start
    for node, arms in DONE.items():
        now = soup.action(node, arms).apply(now)
    assert soup.undone(DONE, start, now, {}) == []
    assert soup.unexpected_facts(DONE, start, now) == {}


def test_what_somebody_has_undone_is_still_seen() -> None:
    soup = arm_graph(9)
    start = dict(soup.world.start)
    now = start
    for node, arms in DONE.items():
        now = soup.action(node, arms).apply(now)
    key = next(key for key, value in now.items() if value == "stove" and "pot" in str(key))
    del now[key]
    assert "node_7" in soup.undone(DONE, start, now, {})
