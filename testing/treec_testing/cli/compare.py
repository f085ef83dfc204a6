"""``treec compare``: repeat the decisions of recorded runs and show those that change."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.check_library import CheckFormat
from treec.cli.common import LibraryOption, Stop, open_library
from treec.cli.correct import require_correct
from treec.cli.model_options import ApiBaseOption, open_chosen
from treec.world.spec import ModelOptions
from treec_testing.cli.findings_format import FindingsFormatOption, print_problems
from treec_testing.cli.read_run import read_run
from treec_testing.decisions.equivalence import format_decision

if TYPE_CHECKING:
    from treec.files.library import Library
    from treec.source.diagnostics import Diagnostic
    from treec_testing.decisions.compare import ComparisonRow, Contestant, DecisionComparison

RULES = "the nodes' own rules"
FLIPPED = "flipped"


def command(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN...", help="Folder or journal of each run; in a folder of runs, the latest."
        ),
    ],
    model: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", help="Model that decides again; give two to compare them."),
    ] = None,
    api_base: ApiBaseOption = None,
    library: LibraryOption = None,
    output_format: FindingsFormatOption = CheckFormat.text,
) -> int:
    """Repeat the decisions of recorded runs. Exit status 0 if all are the same, 1 if any changed.

    The library's current files decide, or those of --library: a copy with edited prompts, say. They
    are compared with the journals of the runs, or the first of two models with the second.
    """
    import asyncio

    from treec_testing.decisions.compare import compare, data_of
    from treec_testing.decisions.moments import MomentError

    found = open_library(library)
    recorded = [read_run(run, library) for run in runs]
    contestants = _contestants(found, model or [], api_base)
    try:
        comparison = asyncio.run(compare(recorded, contestants, _Progress(sys.stderr.isatty())))
    except MomentError as error:
        raise Stop(str(error)) from None
    if not comparison.rows:
        raise Stop("; ".join(comparison.left_out) or "no decisions in these runs")
    if output_format is CheckFormat.json:
        print(json.dumps(data_of(comparison), indent=2, ensure_ascii=False))
    elif output_format is CheckFormat.text:
        _print(comparison)
    else:
        names = {_diagnostic(found, comparison, row): _name(row) for row in comparison.flips}
        same = [_name(row) for row in comparison.rows if not row.flipped]
        about = {FLIPPED: "A decision of a recorded run is made otherwise."}
        print_problems(output_format, found.root, "treec compare", names, same, about)
    return 1 if comparison.flips else 0


def _contestants(library: Library, models: list[str], api_base: str | None) -> list[Contestant]:
    from treec_testing.decisions.compare import AS_RECORDED, Contestant

    if len(models) > 2:
        raise Stop("two models are compared at a time")
    require_correct(library, status=2)
    contestants = []
    for name in models:
        opened = open_chosen(library.root, None, ModelOptions(name, api_base))
        assert opened is not None
        contestants.append(Contestant(name, library, opened.transport))
    if len(contestants) == 2:
        return contestants
    return [Contestant(AS_RECORDED, library), *(contestants or [Contestant(RULES, library)])]


def _name(row: ComparisonRow) -> str:
    return f"{row.run}, {row.moment.label}: {row.moment.path}"


def _diagnostic(library: Library, comparison: DecisionComparison, row: ComparisonRow) -> Diagnostic:
    """A decision that differs, at the file of its node."""
    from treec.files.kinds import prompts
    from treec.source.diagnostics import Diagnostic
    from treec.source.text import Span

    entries = (e for e in library.entries if e.name == row.moment.node and e.kind in prompts())
    span = next((entry.node.span for entry in entries), Span("treec.toml", 1, 1, 1, 2))
    told = (
        f"{name}: {format_decision(decision)} (by {by})"
        for name, decision, by in zip(comparison.names, row.decisions, row.by, strict=True)
    )
    return Diagnostic(FLIPPED, "error", span, "\n".join((_name(row), *told)))


class _Progress:
    """A line that counts, on a terminal."""

    def __init__(self, live: bool) -> None:
        self._live = live

    def __call__(self, done: int, of: int) -> None:
        if self._live:
            end = "\n" if done == of else ""
            print(f"\r{done} of {of} decided again", end=end, file=sys.stderr, flush=True)


def _print(comparison: DecisionComparison) -> None:
    for row in comparison.flips:
        print(f"{row.moment.path}  {row.run}, {row.moment.label}")
        for line in row.observation.splitlines():
            print(f"    {line}")
        wide = max(map(len, comparison.names))
        for name, decision, by in zip(comparison.names, row.decisions, row.by, strict=True):
            print(f"  {name:<{wide}}  {format_decision(decision)}  (by {by})")
        print()
    for line in comparison.left_out:
        print(f"left out: {line}")
    wide = max(map(len, comparison.names))
    print(f"{'':<{wide}}  decisions  answers  tokens in/out   cost        s an answer")
    for name, spent in zip(comparison.names, comparison.spent, strict=True):
        cost = "-" if spent.cost is None else f"${spent.cost:.6f}"
        mean = "-" if spent.mean is None else f"{spent.mean:.2f}"
        tokens = f"{spent.input_tokens}/{spent.output_tokens}"
        counts = f"{spent.decided:>9}  {spent.answers:>7}"
        print(f"{name:<{wide}}  {counts}  {tokens:<14}  {cost:<10}  {mean}")
    flips, rows = len(comparison.flips), len(comparison.rows)
    print(f"{rows} decisions: {f'{flips} flipped' if flips else 'none flipped'}")
