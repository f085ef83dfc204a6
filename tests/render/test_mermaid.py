"""Pictures as Mermaid flowcharts and as pages."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from tests.render.pictures import nasty, tree
from treec.render.graph import DrawnEdge, DrawnGraph, Vertex
from treec_drawing.graph_page import render_graph_page
from treec_drawing.mermaid import render_mermaid

LINE = re.compile(
    r"  (n\d+ (-->|-\.->)(\|\"[^\"|]*\"\|)? n\d+|n\d+[\[({]+\"[^\"\n]*\"[\])}]+|flowchart (TD|LR))"
)


def test_a_chart() -> None:
    graph = DrawnGraph(
        "t",
        (Vertex("a", "sequence", "sequence"), Vertex("b", 'say "hi"', "skill", "retry 2")),
        (DrawnEdge("a", "b", "x|y", "dashed"),),
    )
    assert render_mermaid(graph) == (
        "flowchart TD\n"
        '  n0("→ sequence")\n'
        '  n1["say #34;hi#34;<br>(skill)<br>retry 2"]\n'
        '  n0 -.->|"x#124;y"| n1\n'
    )


@pytest.mark.parametrize("shape", ["tree", "dag"])
def test_no_name_can_break_a_chart(shape: str) -> None:
    graph = nasty(shape)  # type: ignore[arg-type]
    first, *lines = render_mermaid(graph).splitlines()
    assert first.startswith("flowchart ")
    assert len(lines) == len(graph.vertices) + len(graph.edges)
    for line in lines:
        assert LINE.fullmatch(line), line
        label = re.sub(r"#\d+;|<br>", "", line.partition('"')[2].rpartition('"')[0])
        assert not set(label) & set('"<>&#;|[]{}`\\'), line


class Tags(HTMLParser):
    """The elements of a page, and what stands in them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.buttons: list[dict[str, str | None]] = []
        self.texts: list[str] = []
        self.opened: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "button":
            self.buttons.append(dict(attrs))
            self.texts.append("")
        if tag not in ("meta", "input", "rect", "path", "line", "circle"):
            self.opened.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.opened:
            assert self.opened.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.opened and self.opened[-1] == "button":
            self.texts[-1] += data


@pytest.mark.parametrize("shape", ["tree", "dag"])
def test_a_page_has_every_node_in_its_outline_and_drawing(shape: str) -> None:
    graph = nasty(shape)  # type: ignore[arg-type]
    page = render_graph_page(graph)
    tags = Tags(page)
    assert len(tags.buttons) == len(graph.vertices)
    assert tags.opened == []
    assert page.count("<script>") == 1
    assert "<b>" not in page
    assert "default-src 'none'" in page
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")


def test_an_outline_is_nested_as_the_tree_is() -> None:
    graph = tree(300)
    tags = Tags(render_graph_page(graph))
    assert [b["data-id"] for b in tags.buttons] == [id for id, _ in graph.walk()]
