"""A view of a few files, for tests of single rules."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from treec.files.library import load_library
from treec.files.view import View


def view_of(root: Path, files: Mapping[str, str], system: str | None = None) -> View:
    """The files as a library, and all of it as one view, or as a system's."""
    for name, text in {"treec.toml": "", **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    library = load_library(root)
    assert library.diagnostics == []
    return View(library, library.find("system", system) if system else None)
