"""Node classes of a library's own: `[nodes]` of its treec.toml."""

from __future__ import annotations

from pathlib import Path

import pytest

import treec

SYSTEM = "system: mine\nabout: Counts.\nuses: [trees]\nroot: main\ndomain: d\nscene: s\n"
DOMAIN = "domain: d\nstate:\n  count: {type: number, default: 0}\n"
TREE = "tree: main\nvars: {next: number}\nroot:\n  - plus: {number: $count, sum: $next}\n"
CLASS = """
from py_trees.behaviour import Behaviour
from py_trees.common import Status


class Plus(Behaviour):
    ports = {"number": "in number", "sum": "out number"}

    def __init__(self, name, ports):
        super().__init__(name)
        self.wired = ports

    def update(self):
        self.wired.set("sum", self.wired.get("number") + 1)
        return Status.SUCCESS
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path, text in {
        "treec.toml": '[library]\npackage = "counting"\n[nodes]\nplus = "counting.plus:Plus"\n',
        "trees/mine.system.yaml": SYSTEM,
        "trees/d.domain.yaml": DOMAIN,
        "trees/s.scene.yaml": "scene: s\ndomain: d\nobjects: {}\n",
        "trees/main.tree.yaml": TREE + "  - set: {count: $next}\n",
        "counting/__init__.py": "",
        "counting/plus.py": CLASS,
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    return tmp_path


def test_a_tree_uses_it_like_any_other_node(folder: Path) -> None:
    lib = treec.open(folder)
    assert lib.check().ok, str(lib.check())
    tree = lib.compile(seconds_per_tick=1.0)
    tree.setup()
    for _ in range(3):
        tree.tick_once()
    assert tree.value("count") == 3


def test_its_ports_are_checked_without_executing_it(folder: Path) -> None:
    (folder / "counting/plus.py").write_text("raise RuntimeError\n" + CLASS, "utf-8")
    tree = folder / "trees/main.tree.yaml"
    tree.write_text(TREE.replace("number: $count", "numbre: $count"), "utf-8")
    problems = treec.open(folder).check().problems
    told = [(p.code, p.span.line, p.message) for p in problems if p.severity == "error"]
    assert told == [("TC303", 4, "unknown port 'numbre' of the node 'plus'")]


def test_a_module_that_is_not_there_is_told_where_the_node_stands(folder: Path) -> None:
    (folder / "counting/plus.py").unlink()
    found = [p for p in treec.open(folder).check().problems if p.severity == "error"]
    assert [(p.code, p.span.path) for p in found] == [("TC301", "trees/main.tree.yaml")]
    assert (
        found[0].message == "the node 'plus' is counting.plus:Plus: unknown module 'counting.plus'"
    )


def test_a_class_that_is_not_there_is_told_where_the_node_stands(folder: Path) -> None:
    (folder / "counting/plus.py").write_text(CLASS.replace("Plus", "Plas"), "utf-8")
    (found,) = [p for p in treec.open(folder).check().problems if p.severity == "error"]
    message = "the node 'plus' is counting.plus:Plus: unknown class 'Plus' in counting.plus"
    assert (found.message, found.help) == (message, "did you mean 'Plas'?")


def test_a_tree_may_name_the_class_itself(folder: Path) -> None:
    (folder / "treec.toml").write_text('[library]\npackage = "counting"\n', "utf-8")
    tree = folder / "trees/main.tree.yaml"
    tree.write_text(tree.read_text("utf-8").replace("- plus:", "- counting.plus:Plus:"), "utf-8")
    lib = treec.open(folder)
    assert lib.check().ok, str(lib.check())
    embedded = lib.compile(seconds_per_tick=1.0)
    embedded.setup()
    for _ in range(3):
        embedded.tick_once()
    assert embedded.value("count") == 3


@pytest.mark.parametrize(
    ("node", "settings", "code", "message", "help"),
    [
        (
            "counting.plus:Plus: {numbre: $count, sum: $next}",
            'package = "counting"',
            "TC303",
            "unknown port 'numbre' of the node 'counting.plus:Plus'",
            "did you mean 'number'?",
        ),
        (
            "counting.plus:Pluss: {}",
            'package = "counting"',
            "TC301",
            "the node 'counting.plus:Pluss': unknown class 'Pluss' in counting.plus",
            "did you mean 'Plus'?",
        ),
        (
            "counting.plas:Plus: {}",
            'package = "counting"',
            "TC301",
            "the node 'counting.plas:Plus': unknown module 'counting.plas'",
            "did you mean 'counting.plus'?",
        ),
        (
            "counting.plus:Plus: {}",
            "",
            "TC301",
            "the node 'counting.plus:Plus': unknown module 'counting'",
            "name the library's Python package in treec.toml: [library] package",
        ),
    ],
)
def test_the_class_is_checked_without_executing_it(
    folder: Path, node: str, settings: str, code: str, message: str, help: str
) -> None:
    (folder / "treec.toml").write_text(f"[library]\n{settings}\n", "utf-8")
    (folder / "counting/plus.py").write_text("raise RuntimeError\n" + CLASS, "utf-8")
    tree = folder / "trees/main.tree.yaml"
    tree.write_text(f"tree: main\nvars: {{next: number}}\nroot:\n  - {node}\n", "utf-8")
    errors = [p for p in treec.open(folder).check().problems if p.severity == "error"]
    assert [(p.code, p.span.line, p.message, p.help) for p in errors] == [(code, 4, message, help)]


def test_what_is_no_name_of_a_class_is_refused(folder: Path) -> None:
    settings = folder / "treec.toml"
    settings.write_text(settings.read_text("utf-8").replace("plus:Plus", "plus"), "utf-8")
    assert "treec.toml:4:" in str(treec.open(folder).check())
