from __future__ import annotations

import pytest

from tests.render.pictures import dag, nasty, tree
from treec.render.graph import DrawnEdge, DrawnGraph, Status, Vertex
from treec.render.measure import cells
from treec.render.text import Line, dag_lines, render_text, tree_lines


def _worker(wait: Status | None = None, take: Status | None = None) -> DrawnGraph:
    vertices = (
        Vertex("0", "worker", "sequence", status=wait and "RUNNING"),
        Vertex("1", "wait", "wait", "until: queue(agent)", wait),
        Vertex("2", "work", "selector"),
        Vertex("3", "take", "take", "queue: $agent", take),
        Vertex("4", "report", "report"),
    )
    edges = (
        DrawnEdge("0", "1"),
        DrawnEdge("0", "2"),
        DrawnEdge("2", "3"),
        DrawnEdge("2", "4", "on failure", "dashed"),
    )
    return DrawnGraph("robot_worker", vertices, edges)


def _flat(lines: list[Line]) -> list[str]:
    return ["".join(text for text, _ in line) for line in lines]


def test_a_tree() -> None:
    assert render_text(_worker()) == (
        "robot_worker\n"
        "→ worker\n"
        "├─ wait  until: queue(agent)\n"
        "└─ ? work\n"
        "   ├─ take  queue: $agent\n"
        "   └╌ (on failure) report\n"
    )


def test_statuses() -> None:
    assert render_text(_worker("RUNNING", "FAILURE")).splitlines()[1:] == [
        "▸ → worker",
        "├─ ▸ wait  until: queue(agent)",
        "└─ · ? work",
        "   ├─ ✗ take  queue: $agent",
        "   └╌ · (on failure) report",
    ]


def test_colour_dims_details_and_marks_statuses() -> None:
    text = render_text(_worker("SUCCESS"), colour=True)
    assert "\x1b[32m✓ \x1b[0mwait\x1b[2m  until: queue(agent)\x1b[0m" in text


def test_a_dag_in_working_order_with_repeated_labels_told_apart() -> None:
    vertices = tuple(
        Vertex(name, label, "subtask")
        for name, label in (("mix", "mix"), ("get", "get"), ("s1", "stir pot"), ("s2", "stir pot"))
    )
    edges = (DrawnEdge("get", "mix"), DrawnEdge("s1", "mix"), DrawnEdge("mix", "s2", "then"))
    assert render_text(DrawnGraph("soup", vertices, edges, "dag")) == (
        "soup\n"
        "get\n"
        "stir pot [s1]\n"
        "mix  after: get, stir pot [s1]\n"
        "stir pot [s2]  after: mix (then)\n"
    )


def test_a_back_edge_is_marked() -> None:
    vertices = tuple(Vertex(name, name, "decision") for name in "ab")
    graph = DrawnGraph(
        "", vertices, (DrawnEdge("a", "b"), DrawnEdge("b", "a")), "dag", incoming="from"
    )
    assert _flat(dag_lines(graph)) == ["◆ a  from: ↺ b", "◆ b  from: a"]


@pytest.mark.parametrize("graph", [tree(40), dag(40, cycles=5), nasty("tree"), nasty("dag")])
@pytest.mark.parametrize("width", [1, 20, 60])
def test_lines_keep_to_the_width_and_hold_no_control_characters(
    graph: DrawnGraph, width: int
) -> None:
    lines = render_text(graph, width=width).split("\n")
    assert all(cells(line) <= width for line in lines)
    assert all(
        character.isprintable() or character == "\u200d" for line in lines for character in line
    )
    assert len(lines) == len(graph.vertices) + 2


def test_collapsed_vertices_say_how_much_they_hide() -> None:
    assert _flat(tree_lines(_worker(), collapse=["2"])) == [
        "→ worker",
        "├─ wait  until: queue(agent)",
        "└─ ? work  … 2 more",
    ]


def test_a_tree_is_folded_to_a_height_and_what_runs_stays() -> None:
    graph = _worker("RUNNING")
    assert _flat(tree_lines(graph, height=3)) == [
        "▸ → worker",
        "├─ ▸ wait  until: queue(agent)",
        "└─ · ? work  … 2 more",
    ]
    assert len(tree_lines(graph, height=5)) == 5


@pytest.mark.parametrize("height", [1, 5, 30, 500])
def test_any_tree_fits_any_height(height: int) -> None:
    assert len(tree_lines(tree(300), 80, height)) <= height


def test_a_tree_too_high_says_how_many_lines_are_missing() -> None:
    lines = _flat(tree_lines(_worker("RUNNING"), height=2))
    assert lines == ["▸ → worker", "… 2 more lines"]
