"""What ships with treec passes the trials, with the arguments that its libraries give."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tests.support.bench import library
from tests.support.files import KITCHEN, tree
from treec.api.errors import TreecError
from treec.api.find import find_library
from treec_testing import check_environment, check_node
from treec_testing.__main__ import make_trial
from treec_testing.report import try_code
from treec_testing.subjects import find_subjects
from treec_testing.trial import TRIALS, WORKER

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "engine/treec/templates"


@pytest.mark.thorough
@pytest.mark.parametrize(
    "folder", [TEMPLATES / "warehouse", pytest.param(ROOT, marks=pytest.mark.slow)]
)
def test_the_parsers_of_all_readings_pass(folder: Path) -> None:
    readings = {entry.name for entry in find_library(folder).of_kind("reading")}
    report = try_code(sorted(readings), folder, "parser")
    assert not report.wrong, report


@pytest.mark.thorough
def test_the_node_class_of_the_warehouse_passes() -> None:
    check_node("hysteresis", library=TEMPLATES / "warehouse")


@pytest.mark.thorough
def test_the_household_that_sees_in_part_passes() -> None:
    check_environment("household_partial", library=ROOT)


@pytest.mark.few(1)
@pytest.mark.parametrize("folder", [TEMPLATES / "warehouse", TEMPLATES / "empty", ROOT])
def test_the_symbolic_workers_of_all_skills_pass(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    library = find_library(folder)
    skills = [e.name for e in library.of_kind("skill") if "symbolic" in e.model.runs]
    subjects = find_subjects(library, skills, WORKER, {})
    symbolic = [subject for subject in subjects if subject.about.endswith(" in symbolic")]
    assert {subject.about.split("'")[1] for subject in symbolic} == set(skills)
    trials = [trial for trial in TRIALS.values() if trial.kind == WORKER]
    results = {(s.about, t.id): make_trial(s, t)[0] for s in symbolic for t in trials}
    assert {key: wrong for key, wrong in results.items() if wrong} == {}


@pytest.mark.thorough
def test_a_worker_that_cannot_be_imported_keeps_no_other_from_being_tried(tmp_path: Path) -> None:
    both = "runs: {symbolic: treec.envs.symbolic:Effects, sapien: no_such_package:GoTo}"
    file = KITCHEN["pack/go_to.skill.yaml"]
    before = next(line for line in file.splitlines() if line.startswith("runs:"))
    files = {**tree("log: hello"), "pack/go_to.skill.yaml": file.replace(before, both)}
    library(tmp_path, files)
    report = try_code(["go_to"], tmp_path)
    assert not report.wrong
    reasons = {r.subject.rpartition(" ")[2]: r.not_tried.lower() for r in report.results}
    assert reasons["symbolic)"] == ""
    assert "no module named 'no_such_package'" in reasons["sapien)"]
    with pytest.raises(TreecError, match="No module named 'no_such_package'"):
        try_code(["no_such_package:GoTo"], tmp_path)


@pytest.mark.thorough
def test_a_system_that_cannot_run_is_told(tmp_path: Path) -> None:
    library(tmp_path, {})
    with pytest.raises(TreecError, match="unknown tree 'main'"):
        try_code(["go_to"], tmp_path)
