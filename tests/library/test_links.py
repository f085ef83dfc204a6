"""Nothing outside the library is read: no symbolic link and no `..` leads there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Treec, library, treec

__all__ = ["library", "treec"]

SECRET = "root:x:0:0:this stands outside\n"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "secret.tree.yaml").write_text(SECRET, "utf-8")
    (folder / "pairs.yaml").write_text(SECRET, "utf-8")
    return folder


@pytest.mark.parametrize("name", ["trees/p.tree.yaml", "treec.toml", "envs/warehouse.scene.yaml"])
def test_a_link_that_leads_out_is_refused_and_shows_nothing(
    treec: Treec, library: Path, outside: Path, name: str
) -> None:
    (library / name).unlink(missing_ok=True)
    (library / name).symlink_to(outside / "secret.tree.yaml")
    result = treec("check", "-L", library)
    assert result.status == 1
    why = "this cannot be read: it is a symbolic link that leads out of the library"
    assert f"{name}:1:1: error TC001: {why}" in result.out
    assert "stands outside" not in result.out + result.err


def test_python_that_a_link_leads_out_to_shows_nothing(
    treec: Treec, library: Path, outside: Path
) -> None:
    (library / "warehouse/words.py").symlink_to(outside / "secret.tree.yaml")
    result = treec("check", "-L", library)
    why = "this cannot be read: it is a symbolic link that leads out of the library"
    assert f"warehouse/words.py:1:1: error TC217: {why}" in result.out
    assert "stands outside" not in result.out + result.err


def test_a_link_within_the_library_is_one_more_file(treec: Treec, library: Path) -> None:
    scenario = library / "trees/scenarios/morning_shift.scenario.yaml"
    scenario.rename(library / "moved.scenario.txt")
    scenario.symlink_to(library / "moved.scenario.txt")
    assert treec("check", "-L", library).status == 0


def test_a_linked_folder_is_no_folder_of_the_library(
    treec: Treec, library: Path, outside: Path
) -> None:
    (library / "linked").symlink_to(outside, target_is_directory=True)
    assert treec("check", "-L", library).status == 0  # it is not looked into
    system = library / "trees/warehouse.system.yaml"
    text = system.read_text("utf-8")
    system.write_text(text.replace("uses: [trees,", "uses: [linked, trees,"), "utf-8")
    result = treec("check", "-L", library)
    assert "error TC604: 'linked' leads out of the library" in result.out
    assert "stands outside" not in result.out


@pytest.mark.parametrize("name", ["../../outside/pairs.yaml", "{}/pairs.yaml", "linked.yaml"])
def test_a_memory_outside_is_refused(treec: Treec, library: Path, outside: Path, name: str) -> None:
    name = name.format(outside)
    if name == "linked.yaml":
        (library / "prompts" / name).symlink_to(outside / "pairs.yaml")
    program = library / "prompts/subtask_to_skills.program.yaml"
    memory = f"memory: {{from: [{name}], key: subtask}}\n"
    program.write_text(program.read_text("utf-8") + memory, "utf-8")
    result = treec("check", "-L", library)
    assert f"error TC534: '{name}' leads out of the library" in result.out
    assert "stands outside" not in result.out


def test_nothing_is_remembered_outside(treec: Treec, library: Path, tmp_path: Path) -> None:
    tree = "tree: noted\nroot: {remember: {in: ../noted.db, key: a, answer: b}}\n"
    (library / "trees/noted.tree.yaml").write_text(tree, "utf-8")
    runs = tmp_path / "runs"
    result = treec("run", "noted", "--fast", "--runs", runs, "-L", library)
    assert result.status == 1
    assert "the memory '../noted.db' leads out of the folder of memories" in result.out
    assert not (library.parent / "noted.db").exists()
