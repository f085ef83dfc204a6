"""``treec check``: all problems of a library at once."""

from __future__ import annotations

from typing import Annotated

import typer

from treec.cli.check_library import CheckFormat, check
from treec.cli.common import IgnoreOption, LibraryOption, SelectOption


def command(
    which: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WHICH]...",
            help="Show only the problems of these files, folders or definitions, such as a recipe "
            "by its name (default: all).",
        ),
    ] = None,
    library: LibraryOption = None,
    select: SelectOption = None,
    ignore: IgnoreOption = None,
    deep: Annotated[
        list[str] | None,
        typer.Option(
            help="Instead, try code: a skill, reading, node, environment, module:Name.",
            metavar="NAME",
        ),
    ] = None,
    fix: Annotated[
        bool,
        typer.Option(
            "--fix",
            help="Correct what is certain: the nearest name, quotes. Each correction must leave "
            "fewer problems and none that is new; everything else stays as it is, to the byte.",
        ),
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show what --fix would change, and change nothing.")
    ] = False,
    output_format: Annotated[
        CheckFormat,
        typer.Option(
            "--output-format",
            help="text for people; json; annotations of GitHub; SARIF 2.1.0; a JUnit report.",
        ),
    ] = CheckFormat.text,
) -> int:
    """Check all files of a library.

    With --deep the library's Python code is run: workers, parsers, node classes and
    environments are tried with good and bad input.

    Exit status 0 without errors, 1 with errors, 2 if the check could not run.
    """
    return check(which, library, select, ignore, deep, fix, diff, output_format)
