"""docs/judges.md: its files are right, and its rules answer as it says."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Treec, treec
from tests.docs.pages import ROOT, Written, steps
from treec.check import check_library
from treec.files.library import load_library

__all__ = ["treec"]

REST = {
    "treec.toml": "[library]\n",
    "trees/bench.system.yaml": "system: bench\nabout: A bench.\nuses: [trees, prompts, envs]\n"
    "root: main\ndomain: bench\nscene: bench\n",
    "envs/bench.scene.yaml": "scene: bench\ndomain: bench\nobjects:\n"
    "  dish 1: {type: Dish, looks: spotless mug}\n  dish 2: {type: Dish, looks: white plate}\n",
    "envs/r1.agent.yaml": "agent: R1\nis: Robot\nabout: An arm.\ncan: []\nstarts: {moves: true}\n",
    "envs/anna.agent.yaml": "agent: Anna\nis: Person\nabout: A colleague.\nstarts: {gap: 0.2}\n",
}


def write_page(folder: Path) -> None:
    """Write the files of the page, and what else the library needs."""
    written = [one for one in steps(ROOT / "docs/judges.md") if isinstance(one, Written)]
    for path, text in {**REST, **{one.path: one.text for one in written}}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")


def test_its_files_are_right_and_its_examples_hold(tmp_path: Path, treec: Treec) -> None:
    write_page(tmp_path)
    assert [found.message for found in check_library(load_library(tmp_path))] == []
    (tmp_path / "near.yaml").write_text("{who: Anna, gap: 0.2, moving: true}\n", "utf-8")
    done = treec("ask", "Unsafe", "--given", tmp_path / "near.yaml", "-L", tmp_path)
    assert done.out.endswith("decided by offline: unsafe: 1.0\n")
    assert "yes: They are within half a metre of an arm that moves." in done.out
    done = treec("ask", "Dish", "-L", tmp_path)
    assert (done.status, done.out) == (2, "")
    assert "Dish is asked about one thing at a time: --given FILE with 'dish'" in done.err


def test_a_misspelt_fact_is_reported_once(tmp_path: Path) -> None:
    write_page(tmp_path)
    judge = tmp_path / "prompts/unsafe.judge.yaml"
    judge.write_text(judge.read_text("utf-8").replace("  unsafe:\n", "  unsave:\n"), "utf-8")
    found = [(one.code, one.message) for one in check_library(load_library(tmp_path))]
    assert found == [("TC881", "unknown fact or state 'unsave'")]
