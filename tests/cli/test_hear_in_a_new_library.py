"""A library that `treec init` wrote hears what people say everywhere, by files alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Treec


@pytest.fixture
def root(tmp_path: Path, treec: Treec) -> Path:
    root = tmp_path / "depot"
    assert treec("init", root).status == 0
    return root


def with_reading(root: Path, treec: Treec, *packs: str) -> str:
    """Add a reading and read it in the tree; return what `treec new` said."""
    system = root / "trees/depot.system.yaml"
    text = system.read_text("utf-8")
    system.write_text(text.replace("./envs]", ", ".join(["./envs", *packs]) + "]"), "utf-8")
    done = treec("new", "reading", "My_Talk", "-L", root)
    assert done.status == 0, done
    tree = root / "trees/depot_main.tree.yaml"
    tree.write_text(tree.read_text("utf-8") + "  - read: My_Talk\n", "utf-8")
    return done.out


def test_it_has_an_ear_at_once(root: Path, treec: Treec) -> None:
    with_reading(root, treec, "treec/everyday_english")
    checked = treec("check", "-L", root)
    assert checked.status == 0, checked
    heard = treec("hear", "R1, stop!", "-L", root)
    assert heard.out.splitlines()[0] == 'stop agent: "R1"'
    given = "{proposals: [{id: p1, agent: R1, subtask: s1}], subtasks: [s1]}"
    heard = treec("hear", "Yes please", "--given", given, "-L", root)
    assert heard.out.splitlines()[0] == 'accept proposals: ["p1"]'


def test_without_the_shared_file_it_says_what_to_add(root: Path, treec: Treec) -> None:
    said = with_reading(root, treec)
    assert "treec/everyday_english in the system's `uses`" in said
    assert treec("hear", "stop", "-L", root).out.startswith("stop")
    told = treec("check", "-L", root)
    assert "no template is for the act 'accept': only a model can give it" in told.out
