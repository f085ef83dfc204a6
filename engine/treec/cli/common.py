"""What commands share: options, and what `treec.cli.basics` has."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from treec.cli.basics import OutputFormat, Stop, open_library, reason, wants_colour

__all__ = [
    "FormatOption",
    "IgnoreOption",
    "LibraryOption",
    "OutputFormat",
    "RunsOption",
    "SelectOption",
    "Stop",
    "group",
    "open_library",
    "reason",
    "wants_colour",
]

LibraryOption = Annotated[
    Path | None,
    typer.Option(
        "--library",
        "-L",
        help="Folder of the library, or a pack (default: the current library).",
    ),
]
SelectOption = Annotated[
    list[str] | None,
    typer.Option(help="Report only these rules: TC312, or TC5 for all that begin so."),
]
IgnoreOption = Annotated[
    list[str] | None, typer.Option(help="Do not report these rules; may be repeated.")
]
FormatOption = Annotated[
    OutputFormat, typer.Option("--output-format", help="text for people, json for tools.")
]
RunsOption = Annotated[
    Path | None, typer.Option("--runs", help="Folder of runs (default: runs/ in the library).")
]


def group(name: str, help: str) -> typer.Typer:
    """An empty group of commands."""
    app = typer.Typer(name=name, help=help, no_args_is_help=True, rich_markup_mode=None)
    app.callback()(lambda: None)  # keeps a single command a subcommand
    return app
