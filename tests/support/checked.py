"""Checks of one library, kept between tests: commands check the shipped library hundreds of times.

The result is taken from an earlier check where every file that was read has the same text, and all
other files of the library have the same path, size and time of change.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from treec import check
from treec.files.library import Library
from treec.source.diagnostics import Diagnostic

ASIDE = frozenset({".git", ".venv", "__pycache__", "build", "docs", "engine", "runs", "tests"})
"""Folders that hold nothing of a library."""
_check = check.check_library
_kept: dict[object, list[Diagnostic]] = {}


def install() -> None:
    """Let commands use what an earlier test has checked; before they are imported."""
    check.check_library = check_library


def check_library(library: Library, *systems: Any) -> list[Diagnostic]:
    """As `treec.check.check_library`; with packs, whose Python is elsewhere, nothing is kept."""
    if library.packs or systems:
        return _check(library, *systems)
    key = (
        tuple(_files(library.root)),
        tuple((path, file.text) for path, file in library.sources.items()),
        tuple(library.diagnostics),
        len(library.entries),
        check.load_rules(),
    )
    if key not in _kept:
        _kept[key] = _check(library)
    return list(_kept[key])


def _files(root: Path) -> Iterator[tuple[str, int, int]]:
    """Path, size and time of change of each file."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in ASIDE)
        inside = folder[len(str(root)) :]
        for name in sorted(files):
            path = f"{folder}/{name}"
            found = os.stat(path) if os.path.exists(path) else os.lstat(path)
            yield f"{inside}/{name}", found.st_size, found.st_mtime_ns
