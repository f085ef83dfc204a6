from __future__ import annotations

import subprocess
import sys
from xml.etree import ElementTree

import pytest

from tests.render.pictures import KINDS, NASTY, dag, nasty, tree
from treec.render.graph import DrawnEdge, DrawnGraph, Vertex
from treec.render.measure import clean
from treec.render.palette import DARK, LIGHT, Palette
from treec_drawing.icons import fill_of, stroke_of
from treec_drawing.svg import render_svg

SVG = "{http://www.w3.org/2000/svg}"
EMPTY = DrawnGraph("nothing", ())


def _groups(svg: str) -> dict[str, ElementTree.Element]:
    root = ElementTree.fromstring(svg)
    return {g.attrib["data-id"]: g for g in root.iter(f"{SVG}g") if "data-id" in g.attrib}


def _squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("graph", [nasty("tree"), nasty("dag")], ids=["tree", "dag"])
def test_every_name_comes_out_as_it_is(graph: DrawnGraph) -> None:
    groups = _groups(render_svg(graph))
    assert set(groups) == {clean(vertex.id) for vertex in graph.vertices}
    for vertex in graph.vertices:
        group = groups[clean(vertex.id)]
        shown = "".join(
            "".join(t.itertext()) for t in group.iter(f"{SVG}text") if t.get("class") == "label"
        )
        assert _squeezed(shown) == _squeezed(clean(vertex.label))
        title = group.find(f"{SVG}title")
        assert title is not None
        assert title.text is not None
        assert clean(vertex.label) in title.text


def test_edge_labels_come_out_as_they_are() -> None:
    vertices = (Vertex("a", "a", "if"), Vertex("b", "b", "if"))
    for text in NASTY:
        edges = (DrawnEdge("a", "b", text),)
        for picture in (DrawnGraph("", vertices, edges), DrawnGraph("", vertices, edges, "dag")):
            root = ElementTree.fromstring(render_svg(picture))
            shown = [
                t.text or "" for t in root.iter(f"{SVG}text") if "edge-label" in t.get("class", "")
            ]
            assert _squeezed("".join(shown)) == _squeezed(clean(text)), repr(text)


@pytest.mark.parametrize("graph", [EMPTY, tree(300), dag(300), dag(40, cycles=9)])
def test_the_svg_is_well_formed_and_says_what_it_is(graph: DrawnGraph) -> None:
    root = ElementTree.fromstring(render_svg(graph))
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert title.text == graph.title
    assert desc is not None
    assert f"{len(graph.vertices)} nodes" in (desc.text or "")
    assert root.attrib["viewBox"] == f"0 0 {root.attrib['width']} {root.attrib['height']}"


@pytest.mark.thorough
def test_the_same_graph_gives_the_same_bytes_in_every_process() -> None:
    program = (
        "from treec_drawing.svg import render_svg\n"
        "from tests.render.pictures import dag, nasty, tree\n"
        "import hashlib\n"
        "text = ''.join(map(render_svg, [tree(60), dag(60, cycles=5), nasty('dag')]))\n"
        "print(hashlib.sha256(text.encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


def test_the_legend_names_the_kinds_in_use_and_no_others() -> None:
    graph = DrawnGraph(
        "",
        (Vertex("a", "a", "sequence_with_memory"), Vertex("b", "b", "skill", status="RUNNING")),
        (DrawnEdge("a", "b"),),
    )
    root = ElementTree.fromstring(render_svg(graph))
    keys = [t.text for t in root.iter(f"{SVG}text") if t.get("class") == "key"]
    assert keys == ["sequence with memory", "skill", "running"]


def test_a_status_shows_as_colour_and_as_a_sign() -> None:
    graph = DrawnGraph("", (Vertex("a", "a", "skill", status="FAILURE"),))
    group = _groups(render_svg(graph))["a"]
    assert "FAILURE" in group.attrib["class"].split()
    assert any(path.get("class") == "mark stroke" for path in group.iter(f"{SVG}path"))


def test_a_long_detail_is_shortened_and_whole_in_the_tooltip() -> None:
    detail = "status(agent) == 'Running' and " * 20
    group = _groups(render_svg(DrawnGraph("", (Vertex("a", "a", "while", detail),))))["a"]
    lines = [t.text or "" for t in group.iter(f"{SVG}text") if t.get("class") == "detail"]
    assert len(lines) == 3
    assert lines[-1].endswith("…")
    assert detail in (group.findtext(f"{SVG}title") or "")


def test_every_kind_can_be_drawn() -> None:
    for kind in (*KINDS, "unheard of"):
        ElementTree.fromstring(render_svg(DrawnGraph("", (Vertex("a", "a", kind),))))


def test_an_icon_is_filled_or_drawn_with_lines() -> None:
    assert fill_of("skill")
    assert not stroke_of("skill")
    assert stroke_of("sequence") == stroke_of("sequence").strip()
    assert not fill_of("sequence")


def test_a_kind_of_file_is_drawn_like_the_node_that_runs_it() -> None:
    assert fill_of("decision") == fill_of("ask") != ""


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_text_has_contrast(palette: Palette) -> None:
    fills = [fill for fill, _, _ in (*palette.families.values(), *palette.statuses.values())]
    for ground in (palette.ground, *fills):
        assert _contrast(palette.text, ground) >= 7
        assert _contrast(palette.quiet, ground) >= 4.5
    for fill, line, symbol in (*palette.families.values(), *palette.statuses.values()):
        assert _contrast(symbol, fill) >= 4.5
        assert _contrast(line, palette.ground) >= 2.4


def _contrast(one: str, other: str) -> float:
    """WCAG 2's contrast ratio."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_drawing_imports_nothing_heavy() -> None:
    program = (
        "import sys, treec_drawing.svg, treec.render.text, treec_drawing.dot\n"
        "print(sorted({'networkx', 'pydot', 'rich', 'py_trees', 'yaml'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
