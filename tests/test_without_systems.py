"""The core without the published systems: what stands in `systems/` can be taken away."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import test_architecture

ROOT = Path(__file__).parents[1]
WITHOUT = """
import sys
from importlib.abc import MetaPathFinder

gone = sys.argv.pop(1).split(",")


class Gone(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if any(f"{name}.".startswith(f"treec.systems.{one}.") for one in gone):
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)


sys.meta_path.insert(0, Gone())
from treec import extensions

found = extensions._entry_points
extensions._entry_points = lambda: [point for point in found() if point.name not in gone]
from treec.cli import main

sys.exit(main(sys.argv[1:]))
"""


def treec(folder: Path, gone: str, *args: str) -> subprocess.CompletedProcess[str]:
    """Run a command where the systems that ``gone`` names are not installed."""
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, gone, *args],
        cwd=folder,
        env={**os.environ, "COLUMNS": "100"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def depot(tmp_path: Path) -> Path:
    """A library of no system: crates and docks."""
    return Path(shutil.copytree(ROOT / "tests" / "data" / "depot", tmp_path / "depot"))


STILL = getattr(test_architecture, "STILL", ())
GONE = ["mosaic"] if STILL else ["mosaic", "dag_plan", "mosaic,dag_plan"]


@pytest.mark.parametrize("gone", GONE)
def test_a_neutral_library_is_checked_and_run(depot: Path, gone: str) -> None:
    checked = treec(depot, gone, "check")
    assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout
    ran = treec(depot, gone, "run", "depot", "--scenario", "one_order", "--fast")
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout
    assert "fetch crate" in ran.stdout


def test_commands_of_what_is_gone_are_unknown_and_the_others_are_there(depot: Path) -> None:
    helped = treec(depot, "mosaic", "evaluate", "--help")
    assert helped.returncode == 0
    assert "skills" in helped.stdout
    assert "planner" not in helped.stdout


def test_its_functions_are_unknown(depot: Path) -> None:
    file = depot / "depot_main.tree.yaml"
    file.write_text(
        "tree: depot_main\nroot:\n  - check: wishes('soup')\n  - wait: {until: all_done}\n", "utf-8"
    )
    with_it, without = treec(depot, "nobody", "check"), treec(depot, "mosaic", "check")
    assert "wishes" not in with_it.stdout
    assert "wishes" in without.stdout
