"""Run an experiment's command line as `treec` runs its own: the same errors and exit statuses."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import typer

from treec import crash
from treec.cli.app import run
from treec.cli.common import OutputFormat
from treec.cli.interrupts import own_process


def main(command: Callable[..., Any] | typer.Typer, argv: Sequence[str] | None = None) -> int:
    """Run a function's command line, or an application of several commands; see `treec.cli.main`.

    Returns the exit status. Without ``argv`` the arguments are those of this process.
    """
    if argv is None:
        own_process()
    before = crash.count()
    status = run(argv, lambda: _application(command))
    return crash.STATUS if crash.count() > before else status


def print_report(output_format: OutputFormat, data: object, text: str) -> None:
    """Print what an experiment found, as JSON or as text."""
    if output_format is OutputFormat.json:
        print(json.dumps(data, indent=2, ensure_ascii=False))
    else:
        print(text, end="")


def _application(command: Callable[..., Any] | typer.Typer) -> typer.Typer:
    if isinstance(command, typer.Typer):
        return command
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command()(command)
    return app
