"""``treec check``: all problems of a library at once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from treec.cli.common import FormatOption, LibraryOption, OutputFormat, open_library, wants_colour


def command(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Show only the problems of these files or folders (default: all)."),
    ] = None,
    library: LibraryOption = None,
    output_format: FormatOption = OutputFormat.text,
) -> int:
    """Check all files of a library.

    Exit status 0 without errors, 1 with errors, 2 if the check could not run.
    """
    import json

    from treec.check import check_library
    from treec.extensions import registry
    from treec.source.diagnostics import format_summary, format_text, to_json

    found = open_library(library)
    problems = check_library(found)
    if paths:
        selected = [_path_shown(path, found.root) for path in paths]
        problems = [p for p in problems if any(_below(p.span.path, w) for w in selected)]
    if output_format is OutputFormat.json:
        print(json.dumps([to_json(problem) for problem in problems], indent=2, ensure_ascii=False))
    elif problems:
        print(format_text(problems, found.sources, colour=wants_colour()))
        print()
        print(format_summary(problems))
    else:
        print(f"{len(found.entries)} definitions in {len(found.sources)} files: nothing is wrong")
    wrong = any(problem.severity == "error" for problem in problems)
    return 1 if wrong or registry().problems else 0


def _path_shown(path: Path, root: Path) -> str:
    from treec.cli.common import Stop

    if not path.exists():
        raise Stop(f"there is no {path}")
    try:
        return path.resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        raise Stop(f"{path} lies outside the library {root}") from None


def _below(path: str, prefix: str) -> bool:
    return prefix == "." or path == prefix or path.startswith(prefix + "/")
