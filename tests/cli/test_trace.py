"""`treec trace`: golden traces through the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from py_trees.behaviour import Behaviour
from py_trees.common import Status

from tests.cli.conftest import Treec
from tests.support.extensions import install
from tests.support.tiers import many
from tests.vectors import main as write_vectors
from treec.files.library import Library, load_file
from treec.nodes.python import NodePorts

VECTORS = Path(__file__).parents[1] / "data" / "bt_vectors" / "vectors.jsonl"


def test_every_golden_trace_agrees(treec: Treec, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in VECTORS.read_text("utf-8").splitlines()]
    write_vectors([str(VECTORS), str(tmp_path)])
    wrong = []
    for index, row in list(enumerate(rows))[:: many(4, 8)]:
        args = ("--ticks", len(row["ticks"]), "--output-format", "json")
        result = treec("trace", tmp_path / f"{index:04d}.tree.yaml", *args)
        wanted = {"ticks": row["ticks"], "halted_at_end": row["halted_at_end"]}
        if result.status != 0 or json.loads(result.out) != wanted:
            wrong.append(index)
    assert len(rows) == 800
    assert wrong == []


def test_a_trace_as_text(treec: Treec, tmp_path: Path) -> None:
    file = tmp_path / "two.tree.yaml"
    file.write_text(
        "tree: two\nroot:\n  - probe: {name: a, script: S}\n  - probe: {name: b, script: RF}\n"
    )
    result = treec("trace", file, "--ticks", 2)
    assert result.out.splitlines() == [
        "  1  RUNNING   a SUCCESS  b RUNNING",
        "  2  FAILURE   b FAILURE",
    ]


@pytest.mark.parametrize(
    ("text", "status", "part"),
    [
        ("tree: x\nroot:\n  - prob: {name: a, script: S}\n", 1, "did you mean 'probe'"),
        ("tree: x\nroot:\n  - probe: {name: a, script: SX}\n", 1, ":3:"),
        ("tree: x\nrot: []\n", 1, "did you mean 'root'"),
        ("tree: x\nroot:\n  - tree: y\n", 1, "'y'"),
    ],
)
def test_a_wrong_tree_is_told(
    treec: Treec, tmp_path: Path, text: str, status: int, part: str
) -> None:
    file = tmp_path / "wrong.tree.yaml"
    file.write_text(text)
    result = treec("trace", file)
    assert result.status == status
    assert part in result.out + result.err


def test_what_is_no_tree_file_cannot_be_traced(treec: Treec, tmp_path: Path) -> None:
    file = tmp_path / "README.md"
    file.write_text("# Hello\n")
    result = treec("trace", file)
    assert result.status == 2
    assert "has no tree" in result.err


def test_a_file_that_is_not_there(treec: Treec, tmp_path: Path) -> None:
    result = treec("trace", tmp_path / "none.tree.yaml")
    assert result.status == 2
    assert "none.tree.yaml" in result.err


class Rude(Behaviour):
    """Raises when it is ticked."""

    def __init__(self, name: str, ports: NodePorts) -> None:
        super().__init__(name)

    def update(self) -> Status:
        raise RuntimeError("no manners")


class Bare(Behaviour):
    """Is made otherwise than a tree makes it."""

    def __init__(self) -> None:
        super().__init__("bare")


@pytest.mark.parametrize(
    ("node", "part"),
    [("rude", ":4:5: a node failed: RuntimeError: no manners"), ("bare", ":4:5: x/bare: the node")],
)
def test_a_node_of_python_that_fails_is_told_at_its_line(
    treec: Treec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, node: str, part: str
) -> None:
    names = {"rude": "Rude", "bare": "Bare"}
    nodes = {n: f"{__name__}:{c}" for n, c in names.items()}
    install(tmp_path, monkeypatch, "rude", f"node_classes={nodes}")
    file = tmp_path / "x.tree.yaml"
    file.write_text(f"tree: x\nroot:\n  - probe: {{name: a, script: S}}\n  - {node}: {{}}\n")
    result = treec("trace", file)
    assert result.status == 1
    assert f"x.tree.yaml{part}" in result.err


OWN = """
from py_trees.behaviour import Behaviour
from py_trees.common import Status


class Twice(Behaviour):
    def __init__(self, name, ports):
        super().__init__(name)
        self.left = 2

    def update(self):
        self.left -= 1
        return Status.RUNNING if self.left else Status.SUCCESS
"""


def test_it_knows_the_librarys_own_node_classes_from_any_folder(
    treec: Treec, tmp_path: Path
) -> None:
    (tmp_path / "yard").mkdir()
    (tmp_path / "yard/__init__.py").touch()
    (tmp_path / "yard/twice.py").write_text(OWN)
    (tmp_path / "treec.toml").write_text(
        '[library]\npackage = "yard"\n\n[nodes]\ntwice = "yard.twice:Twice"\n'
    )
    file = tmp_path / "trees/own.tree.yaml"
    file.parent.mkdir()
    file.write_text(
        "tree: own\nroot:\n  parallel:\n    - twice: {}\n    - probe: {name: a, script: R}\n"
    )
    result = treec("trace", file, "--ticks", 2)
    assert result.out.splitlines() == [
        "  1  RUNNING   twice RUNNING  a RUNNING",
        "  2  RUNNING   twice SUCCESS  a RUNNING",
        "end  halted: a",
    ]
    file.write_text("tree: own\nroot:\n  - twcie: {}\n")
    assert "did you mean 'twice'" in treec("trace", file).err


def test_a_file_is_read_once(treec: Treec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []

    def load(library: Library, path: Path, shown: str) -> None:
        read.append(path)
        load_file(library, path, shown)

    monkeypatch.setattr("treec.files.library.load_file", load)
    file = tmp_path / "one.tree.yaml"
    file.write_text("tree: one\nroot:\n  - probe: {name: a, script: S}\n")
    assert treec("trace", file, "--ticks", 1).status == 0
    assert read == [file]
