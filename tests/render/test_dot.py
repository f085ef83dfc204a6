from __future__ import annotations

import pydot
import pytest

from tests.render.pictures import NASTY, dag, nasty, tree
from treec.render.graph import DrawnEdge, DrawnGraph, Vertex
from treec.render.measure import clean
from treec_drawing.dot import quote, render_dot


def _read(text: str) -> str:
    """What Graphviz shows for a quoted string."""
    inner = text[1:-1]
    escapes = {"n": "\n", "\\": "\\", '"': '"'}
    found, index = "", 0
    while index < len(inner):
        if inner[index] == "\\":
            index += 1
            found += escapes[inner[index]]
        else:
            found += inner[index]
        index += 1
    return found.replace("&amp;", "&")


@pytest.mark.parametrize("text", NASTY)
def test_quoted_text_is_read_back(text: str) -> None:
    assert _read(quote(text)) == clean(text)


def test_entities_are_shown_and_not_read() -> None:
    assert quote("a & b &lt; &#60;") == '"a & b &amp;lt; &amp;#60;"'


@pytest.mark.parametrize("graph", [tree(40), dag(40), nasty("tree"), nasty("dag")])
@pytest.mark.few(2)
def test_a_parser_finds_every_vertex_and_edge(graph: DrawnGraph) -> None:
    graphs = pydot.graph_from_dot_data(render_dot(graph))
    assert graphs is not None
    (parsed,) = graphs
    names = {node.get_name() for node in parsed.get_nodes()} - {"node", "edge", "graph"}
    assert len(names) == len(graph.vertices)
    assert len(parsed.get_edges()) == len(graph.edges)
    numbers = {vertex.id: f"n{index}" for index, vertex in enumerate(graph.vertices)}
    ends = [(edge.get_source(), edge.get_destination()) for edge in parsed.get_edges()]
    assert ends == [(numbers[e.source], numbers[e.target]) for e in graph.edges]


def test_styles_and_labels_of_edges() -> None:
    vertices = (Vertex("a", "a", "decision"), Vertex("b", "b", "action"))
    text = render_dot(
        DrawnGraph("t", vertices, (DrawnEdge("a", "b", "offer", "dashed"),), "dag", "right")
    )
    assert '  n0 -> n1 [label="offer", style=dashed];' in text
    assert "rankdir=LR" in text
