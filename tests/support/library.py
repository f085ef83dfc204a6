"""The libraries that tests use: the shipped one, the warehouse, and copies to change at will.

The warehouse (a template that treec ships) is the fixture of tests of the core: robots, an operator
who talks to them, a recipe, contracts, faults, and no published system. Tests of what ships with a
system use the shipped library.
"""

from __future__ import annotations

import shutil
from pathlib import Path

ROOT = Path(__file__).parents[2]
WAREHOUSE = ROOT / "engine/treec/templates/warehouse"
PARTS = ("trees", "prompts", "skills", "envs", "treec.toml")
_PYTHON = shutil.ignore_patterns("__pycache__", "*.py", "*.pyc", "*.bin", "*.json")


def copy_library(to: Path) -> Path:
    """Copy the shipped library's files to a new folder; its Python is the installed one."""
    to.mkdir()
    (to / "templates").mkdir()  # the pack names it; what is in it is no part of the library
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, to / part, ignore=_PYTHON)
        else:
            shutil.copy2(source, to / part)  # with its times: see tests.support.checked
    return to


def copy_warehouse(to: Path) -> Path:
    """Copy the warehouse, its Python included, to a new folder."""
    return Path(shutil.copytree(WAREHOUSE, to, ignore=shutil.ignore_patterns("__pycache__")))
