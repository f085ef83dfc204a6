"""``treec coverage``: what of a system's files its scenarios, or recorded runs, have reached."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop

if TYPE_CHECKING:
    from treec_testing.coverage import Coverage


def command(
    system: Annotated[
        str | None, typer.Argument(help="System (default: the only one of the library).")
    ] = None,
    runs: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Recorded runs, or folders of such (default: all scenarios are played now)."
        ),
    ] = None,
    fail_under: Annotated[
        float, typer.Option("--fail-under", min=0, max=100, help="Status 1 below so many percent.")
    ] = 0.0,
    output_format: FormatOption = OutputFormat.text,
    library: LibraryOption = None,
) -> int:
    """List nodes, options and rules that no run has reached.

    A node is reached once it is ticked, an option once it is chosen, a rule once it has changed a
    choice or its actions were committed.
    """
    from treec.api.errors import TreecError
    from treec.api.find import find_library
    from treec.api.prepare import require_no_errors
    from treec.api.workspace import Workspace
    from treec.cli.find_run import find_run, journals_in, read_records
    from treec.cli.progress import progress
    from treec.files.view import View
    from treec_testing.coverage import Coverage

    try:
        workspace = Workspace(find_library(library))
        entry = workspace.system(system)
        require_no_errors(workspace.library, entry)
    except TreecError as error:
        raise Stop(str(error)) from None
    coverage = Coverage(View(workspace.library, entry))
    if runs:
        journals = [j for run in runs for j in journals_in(run) or [find_run(run, None, library)]]
        for journal in journals:
            coverage.take(read_records(journal))
    else:
        scenarios = workspace.library.of_kind("scenario")
        played = [one for one in scenarios if workspace.library.belongs_to(one, entry)]
        with progress("scenarios", len(played)) as advance:
            for scenario in played:
                coverage.take(workspace.run(entry.name, scenario=scenario.name).journal)
                advance()
    reached, total = coverage.count()
    percent = 100 * reached / total if total else 100.0
    if output_format is OutputFormat.json:
        print(json.dumps(_as_data(coverage, percent), ensure_ascii=False, indent=2))
    else:
        _print(coverage, f"{entry.name}: {reached} of {total} reached ({percent:.0f} %)")
    if percent < fail_under:
        raise Stop(f"{percent:.1f} % is less than {fail_under:g} %", 1)
    return 0


def _print(coverage: Coverage, total: str) -> None:
    from treec_testing.coverage import KINDS

    path = ""
    for part in coverage.missed():
        if part.span.path != path:
            path = part.span.path
            print(path)
        print(f"  {part.span.line:>4}  {part.kind:<6}  {part.name}")
    counts = ((kind, *coverage.count(kind)) for kind in KINDS)
    shown = ", ".join(f"{kind}s {reached} of {of}" for kind, reached, of in counts if of)
    runs = f"{coverage.runs} run{'' if coverage.runs == 1 else 's'}"
    print(f"{total} in {runs}: {shown}")
    if coverage.unknown:
        print(f"{coverage.unknown} nodes of these runs are in no file any more")


def _as_data(coverage: Coverage, percent: float) -> dict[str, object]:
    return {
        "percent": round(percent, 2),
        "runs": coverage.runs,
        "parts": [
            {
                "kind": part.kind,
                "name": part.name,
                "path": part.span.path,
                "line": part.span.line,
                "reached": coverage.reached[key],
            }
            for key, part in coverage.parts.items()
        ],
    }
