"""`treec check --deep`: tries workers of one's own."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from treec.cli import main

ROOT = Path(__file__).parents[2]
WAREHOUSE = str(ROOT / "engine/treec/templates/warehouse")
BAD = "tests.testing.bad_workers:EndsAgain"


@pytest.fixture
def shed(tmp_path: Path) -> Path:
    """A copy of the warehouse."""
    return shutil.copytree(WAREHOUSE, tmp_path / "shed")


@pytest.mark.thorough
def test_a_skill_whose_worker_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--deep", "charge", "-L", WAREHOUSE]) == 0
    assert capsys.readouterr().out == (
        "warehouse.charging:Charge (worker of the skill 'charge' in symbolic)\n"
        "8 trials, nothing is wrong\n"
    )


@pytest.mark.thorough
def test_a_class_that_misbehaves(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--deep", BAD, "-L", WAREHOUSE]) == 1
    out = capsys.readouterr().out
    assert "tests/testing/bad_workers.py:" in out
    assert "error W02: host.finish() was called after host.finish()" in out
    assert "= help: tried: An order is carried out, and time goes on after its end" in out
    assert "self._outcome = outcome" in out


@pytest.mark.thorough
def test_json_lists_what_was_found_whatever_the_code_prints(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert main(["check", "--deep", BAD, "-L", WAREHOUSE, "--output-format", "json"]) == 1
    problem, *_ = json.loads(capfd.readouterr().out)
    assert (problem["code"], problem["severity"]) == ("W02", "error")
    assert problem["line"] > 1


@pytest.mark.thorough
def test_an_unknown_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--deep", "chrge", "-L", WAREHOUSE]) == 2
    assert "unknown code 'chrge'; did you mean 'charge'?" in capsys.readouterr().err


@pytest.mark.thorough
def test_workers_of_an_environment_that_has_nothing_else_are_tried(
    shed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    skill = next(it for it in shed.rglob("*.skill.yaml") if it.name.startswith("charge"))
    text = skill.read_text("utf-8")
    worker = "symbolic: warehouse.charging:Charge"
    assert worker in text
    skill.write_text(text.replace(worker, f"{worker}, depot: warehouse.charging:Charge"), "utf-8")
    assert main(["check", "--deep", "charge", "-L", str(shed)]) == 0
    out = capsys.readouterr().out
    assert "(worker of the skill 'charge' in depot)\n8 trials, nothing is wrong" in out


@pytest.mark.thorough
def test_files_with_errors_are_no_bug_in_treec(
    shed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    domain = next(shed.rglob("*.domain.yaml"))
    text = domain.read_text("utf-8")
    assert "    args: [Agent]\n" in text
    domain.write_text(text.replace("    args: [Agent]\n", "", 1), "utf-8")
    assert main(["check", "--deep", "charge", "-L", str(shed)]) == 2
    told = capsys.readouterr().err
    assert "no order can be made while files have errors: " in told
    assert f"{domain.name}:" in told
    assert "the key 'args' is missing; 'treec check' tells all" in told


def test_explain_prints_a_trial(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "w05"]) == 0
    assert "W05: `cancel` is called before `start`" in capsys.readouterr().out
