"""Every drawing of some graphs, by check sum: `check_sums.txt`.

Other tests say what is in a picture; this one notices that it has changed. Look at the pictures
before you write the file anew (`treec render NAME -o a.svg`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.render.pictures import dag, nasty, tree
from tests.support import golden
from treec.render.gantt import Bar, Chart, describe, render_gantt
from treec.render.graph import DrawnGraph
from treec.render.measure import fit, wrap
from treec.render.page import PagePart, render_page
from treec.render.text import dag_lines, render_text, tree_lines
from treec_drawing.dot import render_dot
from treec_drawing.graph_page import render_graph_page
from treec_drawing.mermaid import render_mermaid
from treec_drawing.svg import render_svg
from treec_live.film_page import render_film, render_shots

GRAPHS: dict[str, DrawnGraph] = {
    **{f"tree {count}": tree(count, 1) for count in (1, 2, 10, 40)},
    "another tree": tree(40, 2),
    **{f"dag {count}": dag(count) for count in (2, 10, 40)},
    "dag to the right": dag(40, 5, "right"),
    "cycles": dag(40, 7, cycles=8),
    "nasty tree": nasty("tree"),
    "nasty dag": nasty("dag"),
}
DRAWINGS = {
    "svg": render_svg,
    "dot": render_dot,
    "mermaid": render_mermaid,
    "page": render_graph_page,
    "text": render_text,
    "coloured text": lambda graph: render_text(graph, True),
    "narrow text": lambda graph: render_text(graph, width=30),
}
CHART = Chart(
    "Who does what <when>",
    ("R1", "a person", "idle"),
    (
        Bar("R1", "fetch crate 1", 0.0, 4.5, "done", "fetched & put down"),
        Bar("R1", "charge", 5.0, 9.0, "stopped"),
        Bar("R1", "x", 9.0, 9.1, "failed"),
        Bar("a person", "a long label that does not fit into its bar", 1.0, 2.0, "open"),
        Bar("a person", "inspect crate 4", 3.0, 11.0, "scheduled", "<planned>"),
        Bar("a person", "rest", 11.0, 12.0, "out"),
    ),
)


def _texts() -> Iterator[tuple[str, str]]:
    for name, graph in GRAPHS.items():
        for form, draw in DRAWINGS.items():
            yield f"{name}, {form}", draw(graph)
    yield "lines of a tree", str(tree_lines(tree(40, 1)))
    yield "lines of a dag", str(dag_lines(dag(10), 40))
    yield "chart", render_gantt(CHART)
    yield "chart in words", describe(CHART)
    frames = [(0.5 * n, bytes([n] * 9)) for n in range(5)]
    yield "film", render_film(frames, "a <film>")
    yield "shots", render_shots([("first & last", [("eyes", b"1"), ("hand", b"2")]), ("none", [])])
    parts = (
        PagePart("Facts", (("a", "<b>"), ("c", "d"))),
        PagePart("A picture", html="<p>x</p>", note="a note & more"),
    )
    yield "page", render_page("A <title>", "the lead", parts)
    for width in (0, 1, 5, 12, 40):
        texts = ("stir pot", "准备生菜，然后端上桌", "👩‍🍳 cooks 🥗🇫🇷 é", "x" * 30)
        yield f"fit into {width}", str([fit(text, width) for text in texts])
        yield f"wrap at {width}", str([wrap(text, width, lambda t: 1.0 * len(t)) for text in texts])


@pytest.mark.needs_system("mosaic", "dag_plan", "helper", "household")
def test_check_sums() -> None:
    lines = [
        f"{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:16]} {len(text):6} {name}"
        for name, text in _texts()
    ]
    golden.check(Path(__file__).with_name("check_sums.txt"), "\n".join(lines) + "\n")
