"""The shipped library: where it is, and a copy of it to change at will."""

from __future__ import annotations

import shutil
from pathlib import Path

ROOT = Path(__file__).parents[2]
PARTS = ("trees", "prompts", "skills", "envs", "treec.toml")
_PYTHON = shutil.ignore_patterns("__pycache__", "*.py", "*.pyc", "*.bin", "*.json")


def copy_library(to: Path) -> Path:
    """A copy of the library's files in a new folder; its Python is the installed one."""
    to.mkdir()
    (to / "templates").mkdir()  # the pack names it; what is in it is no part of the library
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, to / part, ignore=_PYTHON)
        else:
            shutil.copy2(source, to / part)  # with its times: see tests.support.checked
    return to
