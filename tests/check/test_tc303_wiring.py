from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.check.library import view_of
from tests.support.extensions import using
from treec.check.tc301_unknown_node import check as unknown
from treec.check.tc303_wiring import check
from treec.extensions import Extension


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package that registers a node and must not be imported."""
    folder = tmp_path / "site" / "speaking"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("raise ImportError('imported while checking')\n")
    (folder / "nodes.py").write_text(
        "import torch\nfrom py_trees.behaviour import Behaviour\n\n\nclass Speak(Behaviour):\n"
        "    ports = {'text': 'in text', 'done': 'out bool'}\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    with using(Extension("speaking", node_classes={"speak": "speaking.nodes:Speak"})):
        yield


@pytest.mark.usefixtures("package")
def test_ports_of_a_python_node_are_read_without_importing_it(tmp_path: Path) -> None:
    text = (
        "tree: a\nvars: {heard: bool}\nroot:\n"
        "  - speak: {text: hello, done: $heard}\n"
        "  - speak: {text: hello, done: true}\n"
        "  - speak: {txt: hello, done: $heard}\n"
        "  - speak: {done: $heard}\n"
        "  - speek: {}\n"
    )
    view = view_of(tmp_path / "library", {"a.tree.yaml": text})
    found = [(p.span.line, p.span.column, p.message) for p in check(view)]
    assert found == [
        (5, 32, "'done' is an out port, which must be wired to a variable"),
        (6, 13, "unknown port 'txt' of the node 'speak'"),
        (7, 5, "the node 'speak' needs its port 'text'"),
    ]
    (problem,) = unknown(view)
    assert (problem.span.line, problem.help) == (8, "did you mean 'speak'?")
    assert "speaking" not in sys.modules
