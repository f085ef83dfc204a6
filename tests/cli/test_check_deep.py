"""`treec check --deep`: tries workers of one's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import treec
from treec.api.errors import TreecError
from treec.cli import main

ROOT = Path(__file__).parents[2]
WAREHOUSE = str(ROOT / "engine/treec/templates/warehouse")


def test_a_skill_whose_worker_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--deep", "charge", "-L", WAREHOUSE]) == 0
    out = capsys.readouterr().out
    assert out.startswith("warehouse.charging:Charge (worker of the skill 'charge' in symbolic)\n")
    assert "trials, nothing is wrong" in out
    assert "not tried: W31: the order has no such argument" in out


def test_a_class_that_misbehaves(capsys: pytest.CaptureFixture[str]) -> None:
    name = "tests.conformance.bad_workers:PrintsAtStart"
    assert main(["check", "--deep", name, "-L", WAREHOUSE]) == 1
    out = capsys.readouterr().out
    assert "bad_workers.py" in out
    assert "error W36: it printed" in out
    assert "= help: tried: Standard output is read" in out
    assert "logging.getLogger(__name__)" in out


def test_json_lists_every_trial(capsys: pytest.CaptureFixture[str]) -> None:
    name = "tests.conformance.bad_workers:PrintsAtStart"
    args = ["check", "--deep", name, "-L", WAREHOUSE, "--output-format", "json"]
    assert main(args) == 1
    (subject,) = json.loads(capsys.readouterr().out)
    trials = {trial["id"]: trial for trial in subject["trials"]}
    assert trials["W01"]["result"] == "passed"
    assert trials["W30"]["because"] == "the order has no such argument"
    assert trials["W36"]["severity"] == "error"
    assert trials["W36"]["line"] > 1
    assert trials["W36"]["example"]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("chrge", "did you mean 'charge'?"),
        ("warehouse.nothing:Here", "cannot be imported: ModuleNotFoundError"),
        ("warehouse.charging:FULL", "neither a py_trees behaviour"),
    ],
)
def test_what_cannot_be_tried(name: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--deep", name, "-L", WAREHOUSE]) == 2
    assert says in capsys.readouterr().err


def test_explain_prints_a_trial(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "w17"]) == 0
    assert "W17: `cancel` is called before `start`" in capsys.readouterr().out


def test_the_same_from_python() -> None:
    from tests.conformance.bad_workers import PrintsAtStart

    assert treec.check_deep("charge", library=WAREHOUSE).ok
    report = treec.check_deep(PrintsAtStart)
    assert list(report.wrong) == ["W36"]
    with pytest.raises(TreecError, match="did you mean 'charge'"):
        treec.check_deep("chrge", library=WAREHOUSE)
