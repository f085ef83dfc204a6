"""``treec report``: a run that was kept, as one HTML file: who did what and when, and the graph."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from treec.cli.common import Stop
from treec.cli.last_run import last_run


def command(
    run: Annotated[
        Path | None, typer.Argument(help="A run: its folder, or its journal; the last one if none.")
    ] = None,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            help="x.html; x.svg for the chart alone, x.webp or x.gif for the film.",
        ),
    ] = Path("report.html"),
) -> int:
    """Write a report of a run: one HTML file with the times of all agents, the graph, a summary.

    Of a run in an environment with bodies it has a film, and pictures of what each skill did.
    """
    from treec.api.report_page import chart_of, page_of
    from treec.cli.film_file import MOVING, find, moving
    from treec.cli.report_film import film_parts
    from treec.render.gantt import render_gantt
    from treec.run.film import skills_done
    from treec.run.folder import JOURNAL
    from treec.run.summary import summarize
    from treec.run.timeline import timeline
    from treec.world.journal import JournalError, read_journal

    if output.suffix not in (".html", ".svg", *MOVING):
        raise Stop(
            "a report's name ends in .html, or .svg for the chart, "
            f"or {' or '.join(MOVING)} for the film, not '{output.suffix}'"
        )
    if run is None:
        run = last_run(None, None)
    journal = run / JOURNAL if run.is_dir() else run
    if not journal.is_file():
        raise Stop(f"there is no journal in {run}")
    try:
        records = list(read_journal(journal))
    except JournalError as error:
        raise Stop(str(error)) from None
    if not records:
        raise Stop(f"{journal} is empty: nothing had happened")
    totals, times = summarize(records), timeline(records)
    film = None if output.suffix == ".svg" else find(journal.parent)
    if output.suffix in MOVING:
        data = moving(film, output, f"in {run}")
    elif output.suffix == ".svg":
        data = render_gantt(chart_of(times)).encode()
    else:
        shown = () if film is None else film_parts(film, skills_done(records))
        data = page_of(totals, times, shown).encode()
    try:
        output.write_bytes(data)
    except OSError as error:
        raise Stop(f"{output} cannot be written: {error.strerror}") from None
    print(f"{output}: {len(times.spans)} pieces of work of {len(times.agents)} agents")
    return 0
