"""A graph is read as it is meant, or told what is wrong with it, at its line."""

from __future__ import annotations

import time
from pathlib import Path

import networkx
import pytest

from treec_dag_plan.arms.read import read_graph, read_parts

from .conftest import GRAPHS, NUMBERS

GOOD = """\
nodes:
  node_1: {name: grasp "apple", arm_num: 1, edge: [], type: occupy, description: Take it.}
  node_2: {name: put "apple" onto "plate", arm_num: 1, edge: [1], type: release}
  node_3: {name: task complete, arm_num: 0, edge: [2], type: complete}
"""


def found(text: str) -> list[tuple[str, int, str]]:
    """The codes of what is wrong with a graph, the lines, and what is marked there."""
    graph, problems = read_graph(text)
    assert (graph is None) is any(problem.severity == "error" for problem in problems)
    lines = text.split("\n")
    return [
        (p.code, s.line, lines[s.line - 1][s.column - 1 : s.end_column - 1])
        for p in problems
        for s in (p.span,)
    ]


@pytest.mark.parametrize("number", NUMBERS)
def test_the_nine_graphs_are_read_without_a_finding(number: int) -> None:
    graph, problems = read_graph(GRAPHS / f"task_{number}.yaml")
    assert problems == []
    assert graph is not None
    assert graph.nodes[-1].type == "complete"


def test_a_node_has_its_parts() -> None:
    graph, _ = read_graph(GOOD)
    assert graph is not None
    first, second, last = graph.nodes
    assert (first.id, first.command, first.objects, first.arms) == (
        "node_1",
        "grasp",
        ("apple",),
        1,
    )
    assert (first.type, first.after, first.description) == ("occupy", (), "Take it.")
    assert (second.command, second.objects, second.after) == (
        "put onto",
        ("apple", "plate"),
        ("node_1",),
    )
    assert (last.type, last.arms, last.command, last.objects) == ("complete", 0, "", ())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("edge: [1]", "edge: [node_1]"),
        ("edge: [1]", "edge: 1"),
        ("edge: [1]", "edge: node_1"),
        ("edge: [1]", "edge: ['grasp \"apple\"']"),
        ("edge: []", "edge: none"),
        ("edge: []", "edge:"),
        ("arm_num: 1", 'arm_num: "1"'),
        ("type: release", "type: Release"),
        ("nodes:\n", ""),
        ("node_1:", "1:"),
        ("node_1:", "Node 1:"),
        ('"apple"', "“apple”"),
        ('"apple"', "„apple“"),
        ('"apple"', "«apple»"),
        ('"apple"', "'apple'"),
        ("name: grasp", "name:   grasp  "),
    ],
)
def test_what_can_only_be_meant_in_one_way_is_read_so(old: str, new: str) -> None:
    assert old in GOOD
    text = GOOD.replace("{", "\n    ").replace("}", "").replace(", ", "\n    ")
    old = old.replace(", ", "\n    ")
    sloppy, problems = read_graph(text.replace(old, new))
    assert problems == []
    wanted, _ = read_graph(GOOD)
    assert sloppy is not None
    assert wanted is not None
    assert [(n.id, n.objects, n.after, n.type) for n in sloppy.nodes] == [
        (n.id, n.objects, n.after, n.type) for n in wanted.nodes
    ]


@pytest.mark.parametrize("name", ["яблоко", "pomme d'or", "苹果", "put", "into", "salt and pepper"])
def test_objects_may_have_any_name(name: str) -> None:
    graph, problems = read_graph(GOOD.replace('"apple"', f'"{name}"'))
    assert problems == []
    assert graph is not None
    assert graph.nodes[1].objects == (name, "plate")
    assert graph.nodes[1].command == "put onto"


@pytest.mark.parametrize(
    ("old", "new", "code", "line", "marked"),
    [
        ("edge: [1]", "edge: [1, 7]", "TC706", 3, "7"),
        ("edge: [1]", "edge: [2]", "TC706", 3, "2"),
        ("edge: [1]", "edge: {a: 1}", "TC703", 3, "{a: 1}"),
        ("edge: [1]", "edge: [[1]]", "TC706", 3, "[1]"),
        ("edge: [1]", "edge: [1, 1]", "TC709", 3, "1"),
        ("edge: []", "edge: [2]", "TC708", 2, "2"),
        ("node_2:", "node_01:", "TC707", 3, "node_01"),
        ("node_2:", "node_1:", "TC004", 3, "node_1"),
        ("type: occupy", "type: grab", "TC704", 2, "grab"),
        ("arm_num: 1, edge: []", "arm_num: one, edge: []", "TC703", 2, "one"),
        ("arm_num: 1, edge: []", "arm_num: 0, edge: []", "TC703", 2, "0"),
        ("arm_num: 0", "arm_num: 1", "TC703", 4, "1"),
        ("arm_num: 1, edge: [1]", "arms_num: 1, edge: [1]", "TC703", 3, "arms_num"),
        ('grasp "apple"', "grasp apple", "TC705", 2, "grasp apple"),
        ('grasp "apple"', "'\"apple\"'", "TC705", 2, "'\"apple\"'"),
        ("name: task complete, ", "", "TC703", 4, "node_3"),
    ],
)
def test_what_is_wrong_is_told_at_its_place(
    old: str, new: str, code: str, line: int, marked: str
) -> None:
    assert old in GOOD
    text = GOOD.replace(old, new)
    assert (code, line, marked) in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "just words",
        "- node_1",
        "nodes:",
        "nodes: []",
        "nodes: {a: 1}",
        '{"a": [',
        "\x00",
        "[[[",
    ],
)
def test_what_is_no_graph_is_a_finding_and_no_exception(text: str) -> None:
    graph, problems = read_graph(text)
    assert graph is None
    assert problems


def test_a_misspelt_key_of_one_node_hides_no_missing_key_of_another() -> None:
    text = GOOD.replace("arm_num: 1, edge: []", "arms_num: 1, edge: []")
    text = text.replace("arm_num: 1, edge: [1]", "edge: [1]")
    messages = [problem.message for problem in read_graph(text)[1]]
    assert "unknown key 'arms_num' of a node" in messages
    assert "node_2 has no 'arm_num'" in messages


def test_every_circle_is_told_once() -> None:
    text = "nodes:\n" + "".join(
        f'  node_{n}: {{name: open "door_{n}", arm_num: 1, edge: [{after}], type: operate}}\n'
        for n, after in ((1, 2), (2, 3), (3, 1), (4, 5), (5, 4), (6, 5))
    )
    assert [code for code, _, _ in found(text)] == ["TC708", "TC708"]


def test_what_stands_nowhere_else_is_told_of_a_half_read_graph() -> None:
    reading = read_parts(GOOD.replace("type: release", "type: let go"))
    assert reading.graph is not None
    assert [node.id for node in reading.graph.nodes] == ["node_1", "node_3"]
    assert not reading.sound


def large(count: int) -> str:
    nodes = (
        f'  node_{n}:\n    name: open "door_{n}"\n    arm_num: 1\n'
        f"    edge: {list(range(max(1, n - 4), n))}\n    type: operate\n"
        for n in range(1, count + 1)
    )
    return "nodes:\n" + "".join(nodes)


def test_two_thousand_nodes_are_read_at_once() -> None:
    text = large(2000)
    began = time.process_time()
    graph, problems = read_graph(text)
    assert time.process_time() - began < 3  # a fifth of a second; a slow machine is no mistake
    assert problems == []
    assert graph is not None
    assert len(graph.nodes) == 2000


@pytest.mark.parametrize("count", [2501, 6000, 100_000])
@pytest.mark.few(1)
def test_too_many_nodes_are_refused_in_one_finding(count: int, tmp_path: Path) -> None:
    path = tmp_path / "graph.yaml"
    path.write_text(large(count), "utf-8")
    graph, problems = read_graph(path)
    assert graph is None
    assert [problem.code for problem in problems] == ["TC701"]
    assert problems[0].message == f"this graph has {count:,} nodes"
    assert "2,500 nodes" in (problems[0].help or "")


@pytest.mark.parametrize("count", [2501, 6000, 100_000])
@pytest.mark.parametrize("form", ["{}", "'{}'", "Node {}"])
@pytest.mark.few(3)
def test_too_many_are_counted_however_they_are_numbered(
    count: int, form: str, tmp_path: Path
) -> None:
    path = tmp_path / "graph.yaml"
    node = '{name: open "door", arm_num: 1, edge: [], type: operate}'
    lines = (f"  {form.format(n)}: {node}\n" for n in range(1, count + 1))
    path.write_text("nodes:\n" + "".join(lines), "utf-8")
    graph, problems = read_graph(path)
    assert graph is None
    assert [(p.code, p.message) for p in problems] == [("TC701", f"this graph has {count:,} nodes")]


def test_numbers_as_keys_are_read_however_many_they_are() -> None:
    node = '{name: open "door", arm_num: 1, edge: [], type: operate}'
    text = "nodes:\n" + "".join(f"  {n}: {node}\n" for n in range(1, 301))
    graph, problems = read_graph(text)
    assert problems == []
    assert graph is not None
    assert len(graph.nodes) == 300


def test_a_few_nodes_with_too_many_words_are_told_so(tmp_path: Path) -> None:
    path = tmp_path / "graph.yaml"
    path.write_text(large(3) + "# " + "x" * 1_100_000, "utf-8")
    _, (problem,) = read_graph(path)
    assert problem.code == "TC701"
    assert "bytes" in problem.message
    assert "2,500" not in (problem.help or "")


def test_a_graph_is_handed_out_for_networkx() -> None:
    graph, _ = read_graph(GRAPHS / "task_1.yaml")
    assert graph is not None
    drawn = graph.digraph()
    assert networkx.is_directed_acyclic_graph(drawn)
    assert set(drawn.edges) == {(b, node.id) for node in graph.nodes for b in node.after}
    first = graph.nodes[0]
    assert drawn.nodes[first.id] == {"name": first.name, "type": first.type, "arms": first.arms}
