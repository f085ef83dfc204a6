"""``treec report``: a run as one HTML file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol, cast

import typer

from treec.cli.basics import tool
from treec.cli.common import LibraryOption, RunsOption, Stop
from treec.cli.find_run import find_run, read_moment, read_records
from treec.extensions import registry

if TYPE_CHECKING:
    from treec.render.page import PagePart
    from treec.world.journal import Record

SUFFIXES = (".webp", ".gif")
"""Suffixes of films, which a package beside the core writes."""


class FilmReader(Protocol):
    """What environments with bodies have filmed of runs, as a package reads it."""

    def encoded(self, folder: Path, output: Path) -> bytes:
        """The film in a run's folder, in the format of the output. Raises Stop."""

    def parts(self, folder: Path, records: Sequence[Record]) -> Iterable[PagePart]:
        """The parts of a report about the film; none if there is none."""


def command(
    run: Annotated[
        Path | None, typer.Argument(help="Folder or journal of a run (default: the latest).")
    ] = None,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            help="Output: .html; .svg for the chart only; .webp or .gif for the film.",
        ),
    ] = Path("report.html"),
    at: Annotated[
        str | None,
        typer.Option("--at", help="Up to a moment: 12.5 (seconds), 1:05 or #14 (a tick)."),
    ] = None,
    runs: RunsOption = None,
    library: LibraryOption = None,
) -> int:
    """Write an HTML report of a run.

    It has a summary, a chart of who did what and when, the task graph, what was said and decided by
    whom and why, and what it cost; for a run in an
    environment with bodies also a film, and pictures of each skill; for one with
    `--see` what each look found.
    """
    from treec.api.report_page import chart_of, render_report
    from treec.render.gantt import render_gantt
    from treec.run.summary import summarize
    from treec.run.timeline import timeline_of

    if output.suffix not in (".html", ".svg", *SUFFIXES):
        raise Stop(
            "the output file must end in .html, .svg (the chart) "
            f"or {' or '.join(SUFFIXES)} (the film), not '{output.suffix}'"
        )
    journal = find_run(run, runs, library)
    records = read_records(journal)
    totals = summarize(records, read_moment(at))
    times = timeline_of(totals.run, journal.parent, records[: totals.records])
    if output.suffix in SUFFIXES:
        films = cast("FilmReader", tool("film", "a film cannot be written"))
        data = films.encoded(journal.parent, output)
    elif output.suffix == ".svg":
        data = render_gantt(chart_of(times)).encode()
    else:
        shown = _film_parts(journal.parent, times.records)
        data = render_report(totals, times, shown).encode()
    try:
        output.write_bytes(data)
    except OSError as error:
        raise Stop(f"{output} cannot be written: {error.strerror}") from None
    print(f"{output}: {len(times.spans)} activities of {len(times.agents)} agents")
    return 0


def _film_parts(folder: Path, records: Sequence[Record]) -> Iterable[PagePart]:
    if "film" not in registry().tools:
        return ()
    return cast("FilmReader", tool("film", "")).parts(folder, records)
