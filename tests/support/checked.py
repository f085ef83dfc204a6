"""Files read and libraries checked, kept between tests: commands do both hundreds of times.

A file is read again if its path or its text is another. The result of a check is taken from an
earlier one if every file that was read has the same text, and all other files of the library have
the same path, size and time of change.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from treec import check
from treec.files import library
from treec.files.library import Library
from treec.source import yaml
from treec.source.diagnostics import Diagnostic
from treec.source.text import SourceFile
from treec.source.yaml_nodes import Document

ASIDE = frozenset({".git", ".venv", "__pycache__", "build", "docs", "engine", "runs", "tests"})
"""Folders that hold nothing of a library."""
_check = check.check_library
_kept: dict[object, list[Diagnostic]] = {}


def install() -> None:
    """Let commands use what an earlier test has checked; before they are imported."""
    check.check_library = check_library
    library.read_documents = read_documents  # type: ignore[assignment]


def read_documents(file: SourceFile) -> tuple[list[Document], list[Diagnostic]]:
    """As `treec.source.yaml.read_documents`."""
    documents, problems = _documents(file.path, file.text)
    return list(documents), list(problems)


@lru_cache(maxsize=2048)
def _documents(path: str, text: str) -> tuple[list[Document], list[Diagnostic]]:
    return yaml.read_documents(SourceFile(path, text))


def check_library(
    of: Library,
    *systems: Any,
    selection: Any = None,
    only: Any = None,
    **more: Any,
) -> list[Diagnostic]:
    """As `treec.check.check_library`; with packs of others, nothing is kept."""
    if set(of.packs) - {"treec"} or systems or more:
        return _check(of, *systems, selection=selection, only=only, **more)
    key = (
        tuple(_files(of.root)),
        tuple((path, file.text) for path, file in of.sources.items()),
        tuple(of.diagnostics),
        len(of.entries),
        tuple(entry.model.system for entry in of.of_kind("scenario")),  # it may be lent
        check.load_rules(),
        selection,
        only and (only.path, only.name, only.model.model_dump_json()),
    )
    if key not in _kept:
        _kept[key] = _check(of, selection=selection, only=only)
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
