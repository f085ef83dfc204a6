"""`treec rename` changes a declared name in all files, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Treec
from tests.support.library import copy_warehouse


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return copy_warehouse(tmp_path / "warehouse")


def texts(library: Path) -> dict[str, bytes]:
    return {str(it): it.read_bytes() for it in sorted(library.rglob("*.yaml"))}


@pytest.mark.thorough
def test_a_name_is_changed_in_all_files_and_nothing_else(library: Path, treec: Treec) -> None:
    before = texts(library)
    shown = treec("rename", "drive", "ride", "--diff", "-L", library)
    assert shown.status == 0
    assert texts(library) == before
    done = treec("rename", "drive", "ride", "-L", library)
    assert done.out == "skill 'drive' is now 'ride': 9 places in 9 files\n"
    after = texts(library)
    changed = [path for path in before if before[path] != after[path]]
    assert len(changed) == 9
    assert shown.out.count("\n+++ b/") == 9
    assert treec("check", "-L", library).status == 0
    assert treec("rename", "ride", "drive", "-L", library).status == 0
    assert texts(library) == before


def test_a_name_that_cannot_be_changed_is_left(library: Path, treec: Treec) -> None:
    broken = library / "trees/broken.tree.yaml"
    broken.write_text("tree: broken\nroot:\n  - {skill: scan, with: [\n", "utf-8")
    before = texts(library)
    port = "trees/charge_when_low.tree.yaml:agent"
    for names, why in (
        (("scan", "look"), "cannot be read, correct it first: trees/broken.tree.yaml:3:"),
        (("agent", "who", "--kind", "port"), "or by its file: trees/robot_worker.tree.yaml:agent"),
        ((port, "subtask: x"), "'subtask: x' cannot be a name"),
        (("trees/robot.tree.yaml:agent", "who"), "unknown file 'trees/robot.tree.yaml'"),
        (("drvie", "ride"), "unknown name 'drvie'; did you mean 'drive'?"),
        (("drive", "pick"), "'drive' cannot become 'pick'"),
        (("drive", "ride", "--kind", "tree"), "unknown tree 'drive'"),
    ):
        done = treec("rename", *names, "-L", library)
        assert done.status == 2
        assert why in done.err
    assert texts(library) == before
