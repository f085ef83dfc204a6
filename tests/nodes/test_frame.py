from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.bench import Bench
from tests.support.files import tree
from treec.nodes.frame import Cell, Frame, Wired
from treec.source.errors import UndefinedName


def frame(folder: Path) -> tuple[Bench, Frame]:
    b = Bench(folder, tree("check: true"))
    return b, Frame(b.run.scope, b.team, {"x": Cell(1), "who": Cell(b.team.agent("R1"))})


def test_its_own_names_come_before_the_worlds(tmp_path: Path) -> None:
    _, outer = frame(tmp_path)
    outer.cells["mood"] = Cell("mine")
    assert outer.lookup("mood") == "mine"
    assert outer.lookup("level") == 0
    with pytest.raises(UndefinedName):
        outer.lookup("nothing")


def test_a_port_reads_and_writes_through(tmp_path: Path) -> None:
    _, outer = frame(tmp_path)
    inner = Frame(outer.parent, outer.team, {"port": Wired("$x", outer), "fix": Wired(5, outer)})
    assert inner.lookup("port") == 1
    assert inner.set("port", 2)
    assert outer.lookup("x") == 2
    assert not inner.set("fix", 6)
    assert not inner.set("x", 3)  # a tree does not see the one around it


def test_entities_are_as_they_are_now(tmp_path: Path) -> None:
    b, outer = frame(tmp_path)
    b.emit("agent.interrupted", agent="R1")
    assert outer.lookup("who").status == "Interrupted"  # type: ignore[attr-defined]


def test_a_loops_frame_sets_the_trees_variables(tmp_path: Path) -> None:
    _, outer = frame(tmp_path)
    inner = outer.inner({"item": "a"})
    assert inner.set("x", 9)
    assert outer.lookup("x") == 9
