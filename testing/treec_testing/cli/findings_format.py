"""Findings of cases and of compared runs in the formats that `treec check` has, too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli import check_formats as formats
from treec.cli.check_library import CheckFormat

if TYPE_CHECKING:
    from treec.source.diagnostics import Diagnostic
    from treec_testing.decisions.findings import Tally

FindingsFormatOption = Annotated[
    CheckFormat,
    typer.Option(
        "--output-format",
        help="text for people, json for tools, github for annotations in pull requests, sarif "
        "for code scanning, junit for test reports.",
    ),
]


def print_findings(output_format: CheckFormat, root: Path, tally: Tally) -> None:
    """Print findings for a service that runs tests; cases without one have passed."""
    from treec_testing.decisions.findings import KINDS

    names = {finding.diagnostic(): finding.case for finding in tally.findings}
    passed = [case for case in tally.ids if case not in set(names.values())]
    print_problems(output_format, root, "treec snapshot", names, passed, KINDS)


def print_problems(
    output_format: CheckFormat,
    root: Path,
    command: str,
    names: Mapping[Diagnostic, str],
    passed: Iterable[str],
    kinds: Mapping[str, str],
) -> None:
    """Print problems, each with the name of its test case; ``kinds`` say what their codes mean."""
    shown = formats.shown_from_here(root)
    problems: Sequence[Diagnostic] = list(names)
    if output_format is CheckFormat.sarif:
        print(formats.sarif(problems, shown, kinds))
    elif output_format is CheckFormat.junit:
        print(formats.junit(problems, list(passed), shown, command, names.__getitem__))
    elif problems:
        print(formats.github(problems, shown))
