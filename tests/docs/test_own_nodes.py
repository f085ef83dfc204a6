"""The node classes of docs/extending.md: checked and run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import treec
from tests.support.library import ROOT
from treec_testing import check_node

SECTION = "## Node classes of one's own"
SYSTEM = (
    "system: mine\nabout: Presses and weighs.\nuses: [trees]\nroot: main\ndomain: d\nscene: s\n"
    "at_end: stop\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    page = (ROOT / "docs/extending.md").read_text("utf-8")
    section = page.partition(SECTION)[2].partition("\n## ")[0]
    settings, tree, code = re.findall(r"```(?:toml|yaml|python)\n(.*?)```", section, re.DOTALL)
    for path, text in {
        "treec.toml": settings,
        "trees/main.tree.yaml": tree,
        "trees/mine.system.yaml": SYSTEM,
        "trees/d.domain.yaml": "domain: d\n",
        "trees/s.scene.yaml": "scene: s\ndomain: d\nobjects: {}\n",
        "depot/__init__.py": "",
        "depot/nodes.py": code,
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    return tmp_path


@pytest.mark.thorough
def test_its_classes_pass_the_trials(folder: Path) -> None:
    for name in ("press", "depot.nodes:Weigh"):
        check_node(name, library=folder)


def test_it_runs_on_virtual_time(folder: Path) -> None:
    lib = treec.open(folder)
    assert lib.check().ok, str(lib.check())
    result = lib.run("mine")
    ((t, text),) = [(r.t, r.data["text"]) for r in result.journal if r.kind == "log"]
    assert (round(t, 6), text) == (3.0, "12.0 kg")
