"""What commands share: the library they work on, and how they end."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from treec.files.library import Library, NoLibrary, find_root, load_library

LibraryOption = Annotated[
    Path | None,
    typer.Option("--library", "-L", help="The library's folder; found from here upward if absent."),
]


class Stop(Exception):
    """Ends a command: its text goes to standard error, its status to the shell."""

    def __init__(self, text: str, status: int = 2) -> None:
        super().__init__(text)
        self.status = status


def open_library(folder: Path | None) -> Library:
    """The library in a folder, or the one that the current folder lies in. Raises Stop."""
    try:
        root = find_root(Path.cwd()) if folder is None else _given(folder)
    except NoLibrary as error:
        raise Stop(str(error)) from None
    path = str(root)
    if path not in sys.path:
        sys.path.insert(0, path)  # for parsers and workers of the library's own
    return load_library(root)


def _given(folder: Path) -> Path:
    if not folder.is_dir():
        raise Stop(f"{folder} is no folder")
    if not (folder / "treec.toml").is_file():
        raise Stop(f"{folder} is no library: it has no treec.toml")
    return folder.resolve()


def wants_colour() -> bool:
    """Whether standard output is a terminal that shows colours."""
    import os

    return sys.stdout.isatty() and "NO_COLOR" not in os.environ
