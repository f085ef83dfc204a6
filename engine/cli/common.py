"""What commands share: the library they work on, and how they end."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from treec.files.library import Library, NoLibrary, find_root, load_library
from treec.files.own_package import PackageConflict, provide
from treec.files.packs import PackError, find_pack, pack_names

LibraryOption = Annotated[
    Path | None,
    typer.Option(
        "--library",
        "-L",
        help="The library's folder, or an installed pack (default: the library of this folder).",
    ),
]


class Stop(Exception):
    """Ends a command: its text goes to standard error, its status to the shell."""

    def __init__(self, text: str, status: int = 2) -> None:
        super().__init__(text)
        self.status = status


def open_library(folder: Path | None, *, or_none: bool = False) -> Library:
    """The library in a folder, an installed pack, or the library of the current folder.

    With ``or_none``, an empty library where the current folder lies in none. Raises Stop.
    """
    if folder is not None:
        library = _given(folder)
    else:
        try:
            library = load_library(find_root(Path.cwd()))
        except NoLibrary as error:
            if not or_none:
                raise Stop(str(error)) from None
            library = Library(Path.cwd())
    try:
        provide(library.package)
    except PackageConflict as error:
        raise Stop(str(error)) from None
    return library


def _given(folder: Path) -> Library:
    if folder.is_dir():
        if not (folder / "treec.toml").is_file():
            raise Stop(f"{folder} is no library: it has no treec.toml")
        return load_library(folder.resolve())
    name = folder.as_posix()
    if name not in pack_names():
        raise Stop(f"{folder} is no folder")
    try:
        library = load_library(find_pack(name).root)
    except PackError as error:
        raise Stop(error.message) from None
    library.work = Path.cwd()
    return library


def wants_colour() -> bool:
    """Whether standard output is a terminal that shows colours."""
    import os

    return sys.stdout.isatty() and "NO_COLOR" not in os.environ
