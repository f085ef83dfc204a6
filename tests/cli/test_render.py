"""`treec render`: trees, the decisions of a system, recipes, as text, SVG and dot."""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.cli.conftest import WAREHOUSE, Treec

SVG = "{http://www.w3.org/2000/svg}"


def texts(file: Path) -> str:
    """All words of a picture, in order."""
    return " ".join(" ".join(t.itertext()) for t in ET.parse(file).iter(f"{SVG}text"))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("warehouse_main", ["dispatcher", "robot_worker", "Dispatch", "Subtask_To_Skills"]),
        ("warehouse", ["Dispatch", "Operator_Talk", "Propose_Work", "Stop_Robots"]),
        ("Morning Orders", ["inspect crate 12", "fetch crate 31"]),
        ("Dispatch", ["Change_Work"]),
    ],
)
def test_what_is_drawn(
    treec: Treec, library: Path, tmp_path: Path, name: str, words: list[str]
) -> None:
    for ending in ("txt", "svg", "dot"):
        file = tmp_path / f"picture.{ending}"
        result = treec("render", name, "-o", file, "--library", library)
        assert result.status == 0, result.err
        text = texts(file) if ending == "svg" else file.read_text("utf-8")
        for word in words:
            assert word in text, ending


HOSTILE = """\
tree: "a <b> & 'c' \\"d\\": e"
root:
  - {name: "same: \\"x\\" <i>", log: one}
  - {name: "same: \\"x\\" <i>", log: two}
  - {name: "]]> --> \\\\", log: three}
"""


def test_names_with_quotes_colons_markup_and_duplicates(treec: Treec, tmp_path: Path) -> None:
    import pydot

    file = tmp_path / "odd.tree.yaml"
    file.write_text(HOSTILE, "utf-8")
    svg = tmp_path / "odd.svg"
    assert treec("render", file, "-o", svg).status == 0
    assert texts(svg).count('same: "x" <i>') == 2
    dot = tmp_path / "odd.dot"
    assert treec("render", file, "-o", dot).status == 0
    (graph,) = pydot.graph_from_dot_data(dot.read_text("utf-8"))
    labels = [node.get_label() or "" for node in graph.get_nodes()]
    assert sum("same" in label for label in labels) == 2
    text = treec("render", file).out
    assert text.count('same: "x" <i>') == 2


def test_three_hundred_nodes(treec: Treec, tmp_path: Path) -> None:
    file = tmp_path / "many.tree.yaml"
    leaves = "".join(
        f"  - sequence:\n      - log: number {i}\n      - check: true\n" for i in range(100)
    )
    file.write_text(f"tree: many\nroot:\n{leaves}", "utf-8")
    svg = tmp_path / "many.svg"
    result = treec("render", file, "-o", svg)
    assert result.status == 0
    assert "302 nodes" in result.out
    assert texts(svg).count("number ") == 100


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("warehouse_mian",), "did you mean 'warehouse_main'"),
        (("warehouse_main", "-o", "x.png"), ".txt, .svg, .dot, .mmd or .html"),
        (("nothing.tree.yaml",), "no such file: nothing.tree.yaml"),
    ],
)
def test_what_cannot_be_drawn(
    treec: Treec, library: Path, args: tuple[str, ...], told: str
) -> None:
    result = treec("render", *args, "--library", library)
    assert result.status == 2
    assert told in result.err


@pytest.mark.thorough
def test_an_output_that_lacks_characters() -> None:
    command = [sys.executable, "-m", "treec", "render", "warehouse_main", "-L", str(WAREHOUSE)]
    environ = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(command, capture_output=True, text=True, env=environ, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "parallel" in done.stdout
