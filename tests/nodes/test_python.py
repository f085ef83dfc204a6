from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest
from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.composites import Selector

from tests.support.bench import Bench
from tests.support.extensions import install
from tests.support.files import tree
from treec.nodes.python import NodePorts, wire
from treec.run.run import CannotRun


class Louder(Behaviour):
    """Writes a text in capitals to its out port."""

    ports: ClassVar[dict[str, str]] = {"text": "in text", "out": "out text"}

    def __init__(self, name: str, ports: NodePorts) -> None:
        super().__init__(name)
        self.io = ports

    def update(self) -> Status:
        """Read, and write."""
        self.io.set("out", str(self.io.get("text")).upper())
        return Status.SUCCESS


class Either(Selector):
    """A composite: the first child that does not fail."""

    ports: ClassVar[dict[str, str]] = {}

    def __init__(self, name: str, ports: NodePorts, children: list[Behaviour]) -> None:
        super().__init__(name, memory=False, children=children)


class Broken:
    """Cannot be made."""

    def __init__(self, name: str, ports: NodePorts) -> None:
        raise RuntimeError("no licence")


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package with nodes of its own."""
    names = {"louder": "Louder", "broken": "Broken", "either": "Either"}
    nodes = {n: f"{__name__}:{c}" for n, c in names.items()}
    install(tmp_path, monkeypatch, "loud", f"node_classes={nodes}")


HEAD = "vars: {loud: text}\n"


def test_a_class_that_an_extension_declares_reads_and_writes_its_ports(tmp_path: Path) -> None:
    root = "sequence:\n  - louder: {text: $mood, out: $loud}\n  - check: loud == 'CALM'"
    b = Bench(tmp_path / "lib", tree(root, HEAD))
    assert b.nodes["main/louder"].name == "louder"
    assert b.tick() is Status.SUCCESS


def test_a_composite_is_given_its_children(tmp_path: Path) -> None:
    low, loud = "    - check: mood == 'none'\n", "    - louder: {text: $mood, out: $loud}\n"
    root = f"- either: {{}}\n  children:\n{low}{loud}- check: loud == 'CALM'"
    b = Bench(tmp_path / "lib", tree(root, HEAD))
    assert b.nodes["main/either/louder"].name == "louder"
    assert b.tick() is Status.SUCCESS


def test_modifiers_stand_around_it(tmp_path: Path) -> None:
    b = Bench(tmp_path / "lib", tree("louder: {text: $mood, out: $loud}\ninvert: true", HEAD))
    assert b.tick() is Status.FAILURE


def test_a_port_that_is_not_wired_is_not_the_trees_variable(tmp_path: Path) -> None:
    head = "vars: {out: text}\n"
    b = Bench(tmp_path / "lib", tree("louder: {text: $mood}", head))
    b.tick()
    assert "UndefinedName" in str(b.told("node.failed")[0].data["reason"])


@pytest.mark.parametrize("name", ["broken", "nowhere"])
def test_a_class_that_is_not_there_or_cannot_be_made_is_said_when_compiling(
    tmp_path: Path, name: str
) -> None:
    with pytest.raises(CannotRun, match=f"main: .*{name}"):
        Bench(tmp_path / "lib", tree(f"{name}: {{text: a}}"))


def test_ports_hand_over_values_as_they_are(tmp_path: Path) -> None:
    """`treec check` has compared the types; nothing is converted at run time."""
    b = Bench(tmp_path / "lib", tree("sequence:\n  - louder: {text: $mood, out: $loud}", HEAD))
    ports = wire(b.nodes["main/louder"].io._frame, {"text": "3"}, b.run.runtime, print)  # type: ignore[attr-defined]
    assert ports.get("text") == "3"
