"""The command line and a copy of the shipped library."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import treec
from tests.support.library import copy_library

__all__ = ["library", "treec"]


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A copy of the shipped library."""
    return copy_library(tmp_path / "library")
