"""A copy of the library to change at will, and the command line to try it with."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from treec.cli import main

ROOT = Path(__file__).parents[2]
PARTS = ("trees", "prompts", "skills", "envs", "treec.toml")


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
        return Result(status, printed.out, printed.err)

    return run


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A copy of the project's library."""
    root = tmp_path / "library"
    root.mkdir()
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, root / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, root / part)
    return root
