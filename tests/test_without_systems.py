"""The core without the published systems: what stands in `systems/` can be taken away."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from docs.make_house import FOLDERS
from tests.support.tiers import first_fast
from treec_testing.decisions.cases import RECORDINGS
from treec_testing.recordings.folder import RecordingFolder

ROOT = Path(__file__).parents[1]
WITHOUT = """
import sys
from importlib.abc import MetaPathFinder

gone = sys.argv.pop(1).split(",")


class Gone(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if any(f"{name}.".startswith(f"treec_{one}.") for one in gone):
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)


sys.meta_path.insert(0, Gone())
from treec import installed

found = installed.entry_points
installed.entry_points = lambda group: [it for it in found(group) if it.name not in gone]
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


@pytest.mark.parametrize("gone", first_fast(reversed(GONE), 1))
@pytest.mark.thorough
def test_a_neutral_library_is_checked_and_run(depot: Path, gone: str) -> None:
    checked = treec(depot, gone, "check")
    assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout
    ran = treec(depot, gone, "run", "depot", "--scenario", "one_order", "--fast")
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout
    assert "fetch crate" in ran.stdout


def test_commands_of_what_is_gone_are_unknown_and_the_others_are_there(depot: Path) -> None:
    helped = treec(depot, "mosaic", "recipe", "--help")
    assert helped.returncode == 2
    assert "recipe" in helped.stderr
    assert treec(depot, "mosaic", "plan", "--help").returncode == 0


FILES = {
    "mosaic": (
        *("systems/treec_mosaic/", "tests/systems/mosaic/", "templates/mosaic/"),
        *("experiments/mosaic/", "tests/experiments/mosaic/"),
        *("trees/mosaic/", "trees/one_prompt/", "trees/recipes/", "trees/scenarios/"),
        *("trees/contracts/", "prompts/mosaic/", "prompts/one_prompt/", "prompts/recipes/"),
        *("prompts/shared/", "envs/kitchen/", "skills/*.yaml"),
        "learning/treec_learning/experiments/reach.learning.yaml",
    ),
    "dag_plan": (
        *("systems/treec_dag_plan/", "tests/systems/dag_plan/", "templates/dag_plan/"),
        *("experiments/dag_plan/", "tests/experiments/dag_plan/"),
        *("trees/dag_plan/", "trees/dag_plan_stages/", "prompts/dag_plan/"),
        *("envs/dual_kitchen/*.yaml", "learning/treec_learning/experiments/subtasks.learning.yaml"),
    ),
}
"""What makes up a system: its folder and tests, and its YAML, without which nothing else checks."""


def belongs(path: str, system: str) -> bool:
    """Whether a file is the system's."""
    return any(
        path.startswith(files.removesuffix("*.yaml"))
        and path.endswith(".yaml" if files.endswith("*.yaml") else "")
        for files in FILES[system]
    )


def delete(system: str, copy: Path) -> None:
    """Copy the checkout without a system: its files, its entry point, its parts of the pack."""
    paths = subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines()
    own = [path for path in paths if belongs(path, system) and path.endswith(".yaml")]
    texts = [(ROOT / path).read_text("utf-8") for path in own]
    nodes = {name for text in texts for name in re.findall(r"\A\w+: (\w+)$", text, re.M)}
    for path in paths:
        parts = Path(path).parts
        tests_of_prompts = parts[:2] == ("tests", "decisions") and (
            any(part in nodes for part in parts[2:]) or is_case_of(path, system, nodes)
        )
        if not belongs(path, system) and not tests_of_prompts:
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, copy / path, follow_symlinks=False)
    recordings = RecordingFolder(copy / RECORDINGS)
    for part in recordings.unused_parts(recordings.read_all()):
        part.unlink()
    drop_lines(copy / "systems/pyproject.toml", lambda line: f'"treec_{system}.' in line)

    def has_gone(line: str) -> bool:
        folders = re.search(r"folders = \[(.*?)\]", line)
        names = re.findall(r'"(.*?)"', folders[1]) if folders else []
        return any(not any((copy / name).rglob("*.yaml")) for name in names)

    drop_lines(copy / "treec.toml", has_gone)


def is_case_of(path: str, system: str, nodes: set[str]) -> bool:
    """Whether a file is a case of one of these nodes, or of one of the system's systems."""
    text = (ROOT / path).read_text("utf-8") if path.endswith(".case.yaml") else ""
    return re.search(rf"^system: {system}(_\w+)?$", text, re.M) is not None or not (
        nodes.isdisjoint(re.findall(r"^node: (.*)$", text, re.M))
    )


def drop_lines(file: Path, wanted: Callable[[str], bool]) -> None:
    """Take lines out of a file, at least one."""
    lines = file.read_text("utf-8").splitlines(keepends=True)
    left = [line for line in lines if not wanted(line)]
    assert len(left) < len(lines)
    file.write_text("".join(left), "utf-8")


def install(system: str, copy: Path, site: Path) -> None:
    """What pip would write of the copy's projects; what is not there is not found elsewhere."""
    for file in (copy / "pyproject.toml", *sorted(copy.glob("*/pyproject.toml"))):
        project = tomllib.loads(file.read_text("utf-8"))["project"]
        name, version = project["name"], project["version"]
        info = site / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir(parents=True)
        lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
        lines += [f"Requires-Dist: {needed}" for needed in project["dependencies"]]
        for extra, needed in project.get("optional-dependencies", {}).items():
            lines.append(f"Provides-Extra: {extra}")
            for package in needed:
                requirement, _, marker = package.partition(";")
                when = f"({marker.strip()}) and " if marker else ""
                lines.append(f"Requires-Dist: {requirement.strip()} ; {when}extra == '{extra}'")
        (info / "METADATA").write_text("\n".join(lines) + "\n", "utf-8")
        text = "".join(
            f"[{group}]\n" + "".join(f"{point} = {target}\n" for point, target in found.items())
            for group, found in project.get("entry-points", {}).items()
        )
        (info / "entry_points.txt").write_text(text, "utf-8")
    (site / "sitecustomize.py").write_text(GONE_FINDER.replace("SYSTEM", system), "utf-8")


GONE_FINDER = """
import sys


class Gone:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if f"{name}.".startswith("treec_SYSTEM."):
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)


sys.meta_path.insert(0, Gone)
"""


GENERATED = (
    ("-m", "treec", "schema", "--write"),
    ("docs/make_reference.py",),
    ("docs/make_house.py",),
)
"""Written anew after the deletion, as after any change of kinds of files, rules and events."""
LEFT_OUT = (
    "tests/docs/test_pages.py::test_links_lead_somewhere",
    "tests/docs/test_pages.py::test_no_page_speaks_of_a_command_that_is_not_there",
)
"""Pages written by hand stay, and some of them speak of what was deleted."""


@pytest.mark.slow
@pytest.mark.parametrize("system", ["mosaic", "dag_plan"])
def test_deleting_a_system_leaves_a_core_whose_tests_pass(tmp_path: Path, system: str) -> None:
    """All fast tests run in a copy of the checkout from which a system was deleted.

    A test about files that ship with a system is marked `needs_system` and skipped there. Left
    out are two tests of pages written by hand, which still describe the system.
    """
    copy, site = tmp_path / "copy", tmp_path / "site"
    delete(system, copy)
    install(system, copy, site)
    path = os.pathsep.join(map(str, (site, *(copy / room for room in FOLDERS), copy)))
    tests = ("-m", "pytest", "-q", "-p", "no:cacheprovider", *(f"--deselect={t}" for t in LEFT_OUT))
    for command in (("-m", "treec", "check"), *GENERATED, tests):
        done = subprocess.run(
            [sys.executable, *command],
            cwd=copy,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            timeout=1800,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
