"""A copy of the warehouse to change at will, and the command line to try it with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support import holes
from tests.support.library import ROOT, WAREHOUSE, copy_warehouse
from treec.cli import main

__all__ = ["ROOT", "WAREHOUSE", "Result", "Treec"]


@dataclass(frozen=True)
class Result:
    """What a command printed and its status."""

    status: int
    out: str
    err: str


Treec = Callable[..., Result]


@pytest.fixture
def treec(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Treec:
    """Runs a command line in this process."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")

    def run(*args: object) -> Result:
        capsys.readouterr()
        status = main([str(arg) for arg in args])
        printed = capsys.readouterr()
        if any(str(arg)[-1:] in ("", "=") for arg in args):  # the message may quote nothing
            holes.take()
        return Result(status, printed.out, printed.err)

    return run


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A copy of the warehouse."""
    return copy_warehouse(tmp_path / "library")
