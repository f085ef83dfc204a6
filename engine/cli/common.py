"""What commands share: the library they work on, and how they end."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from treec.api.errors import TreecError
from treec.api.find import find_library
from treec.files.library import Library

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
    """See `treec.api.find.find_library`. Raises Stop."""
    try:
        return find_library(folder, or_none=or_none)
    except TreecError as error:
        raise Stop(str(error)) from None


def wants_colour() -> bool:
    """Whether standard output is a terminal that shows colours."""
    import os

    return sys.stdout.isatty() and "NO_COLOR" not in os.environ
