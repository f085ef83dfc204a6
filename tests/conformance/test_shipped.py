"""What ships with treec passes the trials, with the arguments that its libraries give."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.bench import library
from tests.support.files import KITCHEN, tree
from treec.api.find import find_library
from treec.conformance.report import try_subjects
from treec.conformance.subjects import find_subjects
from treec.files.library import Library
from treec.run.skill_trial import CannotTry

ROOT = Path(__file__).parents[2]
LIBRARIES = (".", "engine/treec/templates/warehouse", "engine/treec/templates/empty")
THOROUGH = pytest.mark.thorough
SYMBOLIC = " in symbolic"


def opened(folder: str) -> Library:
    return find_library(ROOT / folder)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "folder", ["engine/treec/templates/warehouse", pytest.param(".", marks=THOROUGH)]
)
def test_the_parsers_of_all_readings_pass(folder: str) -> None:
    found_in = opened(folder)
    targets = {entry.model.parser or entry.name for entry in found_in.of_kind("reading")}
    found = [s for target in sorted(targets) for s in find_subjects(found_in, target)]
    assert found
    report = try_subjects(found)
    assert report.ok, report


def test_the_node_class_of_the_warehouse_passes() -> None:
    report = try_subjects(find_subjects(opened("engine/treec/templates/warehouse"), "hysteresis"))
    assert report.ok, report


def test_the_household_that_sees_in_part_passes() -> None:
    report = try_subjects(find_subjects(opened("."), "household_partial"))
    assert report.ok, report


def test_a_worker_that_cannot_be_imported_keeps_no_other_from_being_tried(tmp_path: Path) -> None:
    both = "runs: {symbolic: treec.envs.symbolic:Effects, sapien: no_such_package:GoTo}"
    file = KITCHEN["pack/go_to.skill.yaml"]
    before = next(line for line in file.splitlines() if line.startswith("runs:"))
    files = {**tree("log: hello"), "pack/go_to.skill.yaml": file.replace(before, both)}
    loaded = library(tmp_path, files)
    symbolic, sapien = try_subjects(find_subjects(loaded, "go_to")).subjects
    assert not symbolic.wrong
    assert {"no module" in r.not_tried.lower() for r in sapien.results} == {True}
    with pytest.raises(CannotTry, match="No module named 'no_such_package'"):
        try_subjects(find_subjects(loaded, "no_such_package:GoTo"))


@pytest.mark.parametrize("folder", LIBRARIES)
@pytest.mark.few(1)
def test_the_symbolic_workers_of_all_skills_pass(folder: str) -> None:
    found_in = opened(folder)
    names = {e.name for e in found_in.of_kind("skill") if "symbolic" in e.model.runs}
    found = [s for n in sorted(names) for s in find_subjects(found_in, n) if SYMBOLIC in s.about]
    assert {s.about.split("'")[1] for s in found} == names
    report = try_subjects(found)
    assert report.ok, report


def test_a_system_that_cannot_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(CannotTry, match="no tree 'main'"):
        try_subjects(find_subjects(library(tmp_path, {}), "go_to"))
