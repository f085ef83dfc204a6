"""``python -m experiments.mosaic.planner``: MOSAIC's appendix H as a table, JSON and a figure."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from experiments.command import main, print_report
from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, open_library
from treec.cli.progress import progress
from treec_testing.cli.pool_options import JobsOption, OnOption, make_pool

if TYPE_CHECKING:
    from experiments.mosaic.report import MosaicReport
    from treec.files.library import Library
    from treec_testing.pool.spread import Pool

WHAT = "mosaic.planner"
PAGE = Path("docs/results/planner.md")
FIGURE = Path("docs/pictures/evaluation_planner.svg")


def command(
    system: Annotated[str, typer.Option("--system", help="System to evaluate.")] = "mosaic",
    seed: Annotated[
        int, typer.Option("--seed", help="Random seed of recipes, interactions and phrasing.")
    ] = 0,
    recipes: Annotated[int, typer.Option("--recipes", min=1, help="Number of recipes.")] = 5,
    n: Annotated[int, typer.Option("--n", min=1, help="Runs per recipe.")] = 3,
    jobs: JobsOption = None,
    on: OnOption = "",
    keep: Annotated[
        Path | None, typer.Option("--keep", help="New folder for journals and intents.")
    ] = None,
    output_format: FormatOption = OutputFormat.text,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write a figure (.svg).")
    ] = None,
    write: Annotated[bool, typer.Option("--write", help=f"Write the table into {PAGE}.")] = False,
    library: LibraryOption = None,
) -> int:
    """Evaluate a system with a simulated user.

    Prints the table of MOSAIC's appendix H: success rates by kind of interaction.
    """

    from experiments.mosaic.chart import to_svg
    from experiments.mosaic.report import to_json
    from experiments.mosaic.table import to_text

    if output is not None and output.suffix != ".svg":
        raise Stop(f"'{output.name}': a figure's file name ends in .svg")
    if keep is not None and keep.exists() and any(keep.iterdir()):
        raise Stop(f"{keep} is not empty: --keep needs a new folder")
    found = open_library(library)
    began = time.perf_counter()
    report = _evaluate(found, system, seed, recipes, n, make_pool(jobs, on), keep)
    took = _durations(report, time.perf_counter() - began)
    print_report(output_format, to_json(report), to_text(report))
    print(took, file=sys.stderr)
    if output is not None:
        _write(output, to_svg(report))
    if write:
        _write_page(found, report, took)
    return 0


def _evaluate(
    library: Library,
    system: str,
    seed: int,
    recipes: int,
    n: int,
    pool: Pool,
    keep: Path | None,
) -> MosaicReport:
    from experiments.mosaic.plan import DIFFICULTIES, draw_plans
    from experiments.mosaic.pool import run_trials
    from experiments.mosaic.report import make_report
    from experiments.mosaic.rows import ROWS
    from experiments.mosaic.trial import MosaicTrial, set_up
    from treec.check import check_library
    from treec.source.diagnostics import format_text

    errors = [d for d in check_library(library) if d.severity == "error"]
    if errors:
        print(format_text(errors, library.sources))
        raise Stop(f"'{system}' cannot run: its library has errors", 1)
    try:
        kitchen = set_up(library, system, contracts=True).kitchen
    except KeyError:
        raise Stop(f"unknown system '{system}'") from None
    if not kitchen.recipes:
        raise Stop(f"the system '{system}' has no recipes")
    trials = [
        MosaicTrial(row.key, plan, index, run, seed)
        for row in ROWS
        if not row.not_run
        for difficulty in DIFFICULTIES
        for index, plan in enumerate(draw_plans(kitchen, seed, recipes, difficulty))
        for run in range(n)
    ]
    with progress("runs", len(trials)) as tell:
        results = run_trials(library, system, trials, pool=pool, keep=keep, tell=tell)
    return make_report(system, seed, recipes, n, results)


def _durations(report: MosaicReport, seconds: float) -> str:
    """Describe wall-clock and CPU time, which the report omits because they vary."""
    easy = [r.real for r in report.results if r.trial.plan.difficulty == "easy"]
    cpu = [r.cpu for r in report.results if r.trial.plan.difficulty == "easy"]
    return (
        f"{len(report.results)} runs in {seconds:.1f} s; an Easy run took "
        f"{sum(easy) / len(easy):.2f} s of real time on average, {max(easy):.2f} s at most "
        f"({sum(cpu) / len(cpu):.2f} s and {max(cpu):.2f} s of CPU time)."
    )


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    except OSError as error:
        raise Stop(f"{path} cannot be written: {error.strerror}") from None
    print(f"{path}: written", file=sys.stderr)


def _write_page(library: Library, report: MosaicReport, took: str) -> None:
    from experiments.mosaic.chart import to_svg
    from experiments.mosaic.table import to_text
    from experiments.page import PageMarkerError, write_page

    options = f"--seed {report.seed} --recipes {report.recipes} --n {report.runs}"
    command = f"python -m experiments.mosaic.planner {options}"
    try:
        write_page(library.root / PAGE, to_text(report, failures=False), command, took, WHAT)
    except PageMarkerError as error:
        raise Stop(str(error)) from None
    _write(library.root / FIGURE, to_svg(report))
    print(f"{library.root / PAGE}: written", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main(command))
