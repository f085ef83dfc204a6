"""The library has no problem, and every scenario ends as it expects."""

from __future__ import annotations

from pathlib import Path

import pytest

from treec.cli import main

ROOT = Path(__file__).parents[1]
SCENARIOS = sorted(path.name.split(".")[0] for path in ROOT.rglob("*.scenario.yaml"))


def test_it_checks(capsys: pytest.CaptureFixture[str]) -> None:
    """No file has a problem."""
    assert main(["check", "--library", str(ROOT)]) == 0, capsys.readouterr().out


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_scenario(scenario: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The run ends as the scenario expects."""
    options = ["--fast", "--library", str(ROOT), "--runs", str(tmp_path)]
    status = main(["run", "my_robot", "--scenario", scenario, *options])
    assert status == 0, capsys.readouterr().out
