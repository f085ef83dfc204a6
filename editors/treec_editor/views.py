"""The view that an editor looks from: that of a system which uses the file."""

from __future__ import annotations

from treec.files.library import Library
from treec.files.view import View, views_of


def view_of(library: Library, path: str) -> View:
    """Return the first view with entries of a file, or that of all files."""
    for view in views_of(library):
        if any(entry.path == path for entry in view.entries):
            return view
    return View(library)
