"""Notice when files of a library change, by their modification times and sizes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from treec.files.library import library_files
from treec.files.own_package import OwnPackage

EVERY = 0.5
"""Real seconds between two looks at the files."""

Stamps = Mapping[str, tuple[int, int]]
"""The modification time and size of each file, by its path in the library."""


def stamps(root: Path, package: OwnPackage | None = None) -> Stamps:
    """Return the stamps of a library's files, and of its own Python ``package``."""
    files = list(library_files(root))
    if package is not None:
        files += sorted(package.folder.rglob("*.py"))
    found = {}
    for path in files:
        try:
            stat = path.stat()
        except OSError:  # it was removed just now
            continue
        shown = path.relative_to(root) if path.is_relative_to(root) else path
        found[shown.as_posix()] = (stat.st_mtime_ns, stat.st_size)
    return found


def changed_files(before: Stamps, now: Stamps) -> list[str]:
    """Return the paths that were added, removed or written, sorted."""
    return sorted(path for path in {*before, *now} if before.get(path) != now.get(path))


def list_files(paths: Iterable[str]) -> str:
    """Return paths for people: the first three, and how many more."""
    found = list(paths)
    shown = ", ".join(found[:3])
    return shown if len(found) <= 3 else f"{shown} and {len(found) - 3} more"
