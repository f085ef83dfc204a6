"""The command line of an experiment, in this process."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from experiments.command import main
from tests.cli.conftest import Result, treec
from tests.support.library import copy_library

__all__ = ["library", "treec"]

Experiment = Callable[..., Result]


@pytest.fixture
def experiment(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Experiment:
    """Runs the experiment ``AREA.NAME`` with arguments."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")

    def run(name: str, *args: object) -> Result:
        capsys.readouterr()
        module = import_module(f"experiments.{name}")
        status = main(module.command, [str(arg) for arg in args])
        printed = capsys.readouterr()
        return Result(status, printed.out, printed.err)

    return run


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A copy of the shipped library."""
    return copy_library(tmp_path / "library")
