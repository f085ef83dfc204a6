"""What the file of a tree reaches is read and checked when it is run, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.library import copy_warehouse
from treec.api.errors import CheckFailed
from treec.api.prepare_tree import prepare_any
from treec.files.library import load_around, load_library
from treec.world.spec import RunSpec

DEMO = "tree: demo\nabout: A demo.\nroot:\n  - probe: {name: leaf, script: S}\n"
OTHER = """\
system: other
about: Another system.
uses: [elsewhere, envs, skills]
root: lost
domain: warehouse
scene: warehouse
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The warehouse, with a tree that no system uses, and a system that is broken."""
    root = copy_warehouse(tmp_path / "library")
    for folder in ("demos/deep", "elsewhere"):
        (root / folder).mkdir(parents=True)
    (root / "demos/demo.tree.yaml").write_text(DEMO)
    (root / "demos/deep/more.tree.yaml").write_text(DEMO.replace("demo", "more"))
    (root / "elsewhere/other.system.yaml").write_text(OTHER)
    (root / "elsewhere/wrong.tree.yaml").write_text("tree: wrong\nroot: [{nowhere: 1}]\n")
    return root


def test_beside_a_tree_that_no_system_uses(root: Path) -> None:
    tree = root / "demos/demo.tree.yaml"
    found = load_around(root, tree)
    assert list(found.sources) == ["demos/deep/more.tree.yaml", "demos/demo.tree.yaml"]
    assert prepare_any(found, RunSpec(system=str(tree))).spec.tree == "demo"
    whole = load_library(root)  # an error elsewhere does not stop it
    assert prepare_any(whole, RunSpec(system=str(tree))).spec.tree == "demo"
    (root / "demos/deep/more.tree.yaml").write_text("tree: more\nroot: [{tree: nowhere}]\n")
    with pytest.raises(CheckFailed, match="'demo' does not run while its files have errors"):
        prepare_any(load_around(root, tree), RunSpec(system=str(tree)))


def test_the_folders_of_the_systems_with_a_tree(root: Path) -> None:
    tree = root / "trees/charge_when_low.tree.yaml"
    found = load_around(root, tree)
    assert [entry.name for entry in found.of_kind("system")] == ["warehouse"]
    assert {path.partition("/")[0] for path in found.sources} >= {"envs", "skills", "treec"}
    assert not any(path.startswith(("demos", "elsewhere")) for path in found.sources)
    assert not any(path.endswith(".scenario.yaml") for path in found.sources)


def test_in_a_system_that_is_named(root: Path) -> None:
    found = load_around(root, root / "demos/demo.tree.yaml", "other")
    assert [entry.name for entry in found.of_kind("system")] == ["other"]
    assert "elsewhere/wrong.tree.yaml" in found.sources
    assert "demos/demo.tree.yaml" in found.sources
    assert "trees/dispatcher.tree.yaml" not in found.sources
    unknown = load_around(root, root / "demos/demo.tree.yaml", "nowhere")  # or a pack's: all
    assert "trees/dispatcher.tree.yaml" in unknown.sources


def test_what_is_named_by_its_folder_is_read_when_it_is_looked_for(root: Path) -> None:
    found = load_around(root, root / "demos/demo.tree.yaml")
    assert found.find("skill", "drive") is None
    drive = found.find_qualified("skill", "drive/drive")
    assert drive is not None
    assert drive.path == "skills/drive/drive.skill.yaml"


def test_a_file_outside_reaches_nothing_of_the_library(root: Path, tmp_path: Path) -> None:
    (tmp_path / "demo.tree.yaml").write_text(DEMO)
    assert load_around(root, tmp_path / "demo.tree.yaml").sources == {}


def test_a_system_with_its_scenarios(root: Path) -> None:
    other = "scenario: lost\nabout: Of another system.\nsystem: other\n"
    (root / "elsewhere/lost.scenario.yaml").write_text(other)
    found = load_around(root, None, "warehouse", "morning_shift")
    assert {entry.name for entry in found.of_kind("scenario")} >= {"morning_shift", "direct_orders"}
    assert not any(path.startswith(("demos", "elsewhere")) for path in found.sources)
    for system, scenario in (("nowhere", None), ("warehouse", "lost")):  # what could be meant
        assert "elsewhere/lost.scenario.yaml" in load_around(root, None, system, scenario).sources


def test_a_system_is_judged_with_the_whole_library(root: Path) -> None:
    """Another system may reach what this one does not."""
    system = (root / "trees/warehouse.system.yaml").read_text()
    other = system.replace("system: warehouse", "system: other", 1)
    (root / "trees/other_main.tree.yaml").write_text(DEMO.replace("demo", "other_main"))
    (root / "elsewhere/other.system.yaml").write_text(
        "\n".join("root: other_main" if it.startswith("root:") else it for it in other.split("\n"))
    )
    setup = prepare_any(load_around(root, None, "warehouse"), RunSpec(system="warehouse"))
    assert "elsewhere/other.system.yaml" not in setup.view.library.sources
