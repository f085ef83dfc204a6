"""``treec mcp``: an MCP server, by which an agent works on a library."""

from __future__ import annotations

from typing import Annotated

import typer

from treec.cli.common import LibraryOption, Stop, open_library
from treec.cli.spec_options import takes
from treec.source.durations import parse_duration
from treec.world.spec import ModelOptions


def _seconds(text: str) -> float:
    try:
        return parse_duration(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


@takes(ModelOptions, "model", "api_base", "max_cost", "max_tokens", "max_time")
def command(
    options: ModelOptions,
    library: LibraryOption = None,
    limit: Annotated[
        float,
        typer.Option(
            "--limit", parser=_seconds, metavar="DURATION", help="Longest time of one call."
        ),
    ] = 120.0,
) -> int:
    """Serve agents by the Model Context Protocol.

    An agent lists, checks, draws, runs, asks and replays one library (docs/editors.md). Its client
    starts the server, and talks to it on standard input and output. Runs are on virtual time, and
    no model is asked unless one is named here; MAX limits are those of each call.
    """
    from treec.requirements import needs_extra

    try:
        from treec_editor.mcp_server import make_server
    except ImportError as error:
        if error.name is not None and error.name.startswith("treec"):
            raise
        raise Stop(needs_extra("treec mcp", "mcp", error)) from None
    root = open_library(library).root
    make_server(root, _arguments(options), limit).run("stdio")
    return 0


def _arguments(options: ModelOptions) -> tuple[str, ...]:
    """The command line's options of the model; without one, none is asked."""
    if options.model is None:
        return ("--offline",)
    names = ("model", "api_base", "max_cost", "max_tokens", "max_time")
    given = ((name.replace("_", "-"), getattr(options, name)) for name in names)
    return tuple(
        f"--{name}={f'{value}s' if name == 'max-time' else value}"
        for name, value in given
        if value is not None
    )
