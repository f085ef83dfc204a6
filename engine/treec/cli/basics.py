"""What commands share that need no typer: errors, opening the library, the output."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path

from treec.api.errors import TreecError
from treec.api.find import find_library
from treec.files.library import Library


class OutputFormat(StrEnum):
    """Output formats of commands."""

    text = "text"
    json = "json"


class Stop(Exception):
    """Ends a command with a message on standard error and an exit status."""

    def __init__(self, text: str, status: int = 2) -> None:
        super().__init__(text)
        self.status = status


def reason(error: Exception) -> str:
    """Why something failed: for an error of the system without its number and its file."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def open_library(
    folder: Path | None,
    *,
    or_none: bool = False,
    tree: Path | None = None,
    system: str | None = None,
    scenario: str | None = None,
) -> Library:
    """See `treec.api.find.find_library`. Raises Stop."""
    try:
        return find_library(folder, or_none=or_none, tree=tree, system=system, scenario=scenario)
    except TreecError as error:
        raise Stop(str(error)) from None


def tool(name: str, what: str) -> object:
    """See `treec.source.tools.find_tool`. Raises Stop."""
    from treec.source.tools import find_tool  # most commands call none

    try:
        return find_tool(name, what)
    except TreecError as error:
        raise Stop(str(error)) from None


def wants_colour() -> bool:
    """Whether to colour standard output."""
    import os

    return sys.stdout.isatty() and "NO_COLOR" not in os.environ
