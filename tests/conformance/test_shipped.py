"""What ships with treec passes the trials, with the arguments that its libraries give."""

from __future__ import annotations

from pathlib import Path

import pytest

from treec.api.find import find_library
from treec.conformance.report import try_subjects
from treec.conformance.subjects import find_subjects
from treec.files.library import Library

ROOT = Path(__file__).parents[2]
LIBRARIES = (".", "templates/warehouse", "templates/empty")
THOROUGH = pytest.mark.thorough
SYMBOLIC = " in symbolic"


def opened(folder: str) -> Library:
    return find_library(ROOT / folder)


@pytest.mark.parametrize("folder", ["templates/warehouse", pytest.param(".", marks=THOROUGH)])
def test_the_parsers_of_all_readings_pass(folder: str) -> None:
    library = opened(folder)
    targets = {entry.model.parser for entry in library.of_kind("reading")}
    found = [s for target in sorted(targets) for s in find_subjects(library, target)]
    assert found
    report = try_subjects(found)
    assert report.ok, report


def test_the_node_class_of_the_warehouse_passes() -> None:
    report = try_subjects(find_subjects(opened("templates/warehouse"), "hysteresis"))
    assert report.ok, report


@pytest.mark.parametrize("folder", LIBRARIES)
def test_the_symbolic_workers_of_all_skills_pass(folder: str) -> None:
    library = opened(folder)
    names = {entry.name for entry in library.of_kind("skill")}
    found = [s for n in sorted(names) for s in find_subjects(library, n) if SYMBOLIC in s.about]
    assert {s.about.split("'")[1] for s in found} == names
    report = try_subjects(found)
    assert report.ok, report
