"""``treec program check``: all problems of a generated program, with line and column."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from treec.cli.common import (
    FormatOption,
    LibraryOption,
    OutputFormat,
    Stop,
    open_library,
    reason,
    wants_colour,
)


def check(
    file: Annotated[Path, typer.Argument(help="The program's text; - reads standard input.")],
    system: Annotated[
        str | None,
        typer.Option(
            "--system",
            help="The system that the program is for (default: that which it fits best).",
        ),
    ] = None,
    scene: Annotated[
        str | None,
        typer.Option(
            "--scene",
            help="The scene whose things it may name (default: names such as Mug_3 are taken for "
            "things of the class before the underscore).",
        ),
    ] = None,
    output_format: FormatOption = OutputFormat.text,
    library: LibraryOption = None,
) -> int:
    """Check a generated program. Exit status 0 without findings, 1 with findings.

    Errors (TC750, TC751) would keep it from running. Warnings (TC752) are steps that cannot be
    right by what their skills declare: taking with a full hand, opening what does not open or is
    open.
    """
    import json

    from treec.source.diagnostics import format_summary, format_text, to_json
    from treec.source.text import SourceFile
    from treec_helper.program_text import NoProgramFile, check_text

    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Stop(f"{file} cannot be read: {reason(error)}") from None
    source = SourceFile(str(file), text)
    try:
        found = check_text(open_library(library), source, system, scene)
    except NoProgramFile as error:
        raise Stop(str(error)) from None
    if output_format is OutputFormat.json:
        data = {
            "system": found.system,
            "program": found.program,
            "problems": [to_json(problem) for problem in found.problems],
        }
        print(json.dumps(data, indent=2, ensure_ascii=False))
    else:
        if found.problems:
            print(format_text(found.problems, {source.path: source}, wants_colour()))
        print(f"checked as {found.program} of {found.system}: {format_summary(found.problems)}")
    return 1 if found.problems else 0
