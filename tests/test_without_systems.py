"""The core without the published systems: what stands in `systems/` can be taken away."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

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


GONE = ["mosaic", "dag_plan", "mosaic,dag_plan"]


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


# Core tests that still take the shipped library, or a run of a system, for their fixture.
SYSTEM_FIXTURES = (
    "tests/run/test_reload.py",
    "tests/run/test_summary.py::test_a_journal_file_is_enough",
    "tests/run/test_status_recorder.py",
)
ROOMS = [
    "world",
    "source",
    "files",
    "compile",
    "nodes",
    "team",
    "program",
    "plan",
    "extensions",
    "check",
    "render",
    "run",
]
CORE_TESTS = (
    *(f"tests/{room}" for room in ROOMS),
    "tests/test_graph.py",
    "tests/test_core_words.py",
    "tests/test_without_systems.py",
)


@pytest.mark.slow
@pytest.mark.parametrize("system", ["mosaic", "dag_plan"])
def test_deleting_a_system_leaves_a_core_whose_tests_pass(tmp_path: Path, system: str) -> None:
    """Its folder, its tests and its entry point are taken out of a copy of the checkout."""
    copy, site = tmp_path / "copy", tmp_path / "site"
    for path in subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines():
        if path.startswith((f"systems/{system}/", f"tests/systems/{system}/")):
            continue
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, copy / path, follow_symlinks=False)
    project = copy / "pyproject.toml"
    lines = project.read_text("utf-8").splitlines(keepends=True)
    kept = [line for line in lines if f'"treec.systems.{system}.' not in line]
    assert len(kept) == len(lines) - 1
    project.write_text("".join(kept), "utf-8")
    info = site / "treec-0.1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: treec\nVersion: 0.1.0\n", "utf-8")
    points = tomllib.loads(project.read_text("utf-8"))["project"]["entry-points"]
    (info / "entry_points.txt").write_text(
        "".join(
            f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in found.items())
            for group, found in points.items()
        ),
        "utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *CORE_TESTS]
        + [f"--deselect={test}" for test in SYSTEM_FIXTURES],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (site, copy / "src", copy)))},
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
