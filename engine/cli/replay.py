"""``treec replay``: a run that was kept, played again from its journal alone."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import LibraryOption, Stop
from treec.cli.last_run import last_run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treec.run.replay import ReplayMoment
    from treec.world.journal import Record

OLD = "its journal says nothing of the tree's nodes (an older treec wrote it): only what happened"


class ReplayFormat(StrEnum):
    """How a replay is printed."""

    text = "text"
    json = "json"


def command(
    run: Annotated[
        Path | None, typer.Argument(help="A run: its folder or journal; the last one if absent.")
    ] = None,
    at: Annotated[
        str | None,
        typer.Option("--at", help="One moment: 12.5 (seconds), 1:05, #14 (a tick), end."),
    ] = None,
    begin: Annotated[str | None, typer.Option("--from", help="Begin at a moment.")] = None,
    until: Annotated[str | None, typer.Option("--until", help="End at a moment.")] = None,
    speed: Annotated[
        float | None, typer.Option("--speed", min=0.01, help="Seconds of the run a real one.")
    ] = None,
    step: Annotated[
        bool, typer.Option("--step", help="Wait for Enter after every tick; q ends.")
    ] = False,
    tree: Annotated[
        bool, typer.Option("--tree", help="The whole tree at every tick, not its changes.")
    ] = False,
    whole: Annotated[
        bool, typer.Option("--all", help="Fold nothing: modifiers, and facts of the scene.")
    ] = False,
    output_format: Annotated[ReplayFormat, typer.Option("--output-format")] = ReplayFormat.text,
    runs: Annotated[
        Path | None, typer.Option("--runs", help="Where runs are kept; runs/ in the library.")
    ] = None,
    library: LibraryOption = None,
) -> int:
    """Play a run again: which nodes had which status at each tick, who did what, what held."""
    import sys

    from treec.cli.live_paint import Printer
    from treec.cli.replay_play import Pace, play, show_moment

    if at is not None and (begin or until or speed or step or tree):
        raise Stop("--at shows one moment: leave out --from, --until, --speed, --step and --tree")
    if speed and step:
        raise Stop("--speed and --step are two ways to wait: choose one")
    as_json = output_format is ReplayFormat.json
    if as_json and (speed or step or tree):
        raise Stop("--output-format json is for programs, which neither wait nor look at trees")
    one, first, last = _moment(at), _moment(begin), _moment(until)
    run = last_run(runs, library) if run is None else run
    records = _records(run)
    if not any(record.kind == "tree" for record in records):
        print(f"treec: {run}: {OLD}", file=sys.stderr)
    if as_json:
        import json

        from treec.cli.replay_json import moment_data, run_data

        told = run_data(records, first, last) if one is None else moment_data(records, one)
        print(json.dumps(told, ensure_ascii=False, indent=2))
    elif one is not None:
        show_moment(Printer(sys.stdout), records, one, whole)
    else:
        pace = Pace(speed, step)
        play(Printer(sys.stdout), records, pace, first=first, last=last, tree=tree, whole=whole)
    return 0


def _moment(text: str | None) -> ReplayMoment | None:
    from treec.run.replay import ReplayMomentError, moment

    if text is None:
        return None
    try:
        return moment(text)
    except ReplayMomentError as error:
        raise Stop(str(error)) from None


def _records(run: Path) -> Sequence[Record]:
    import sys

    from treec.run.folder import JOURNAL
    from treec.world.journal import JournalError, read_journal

    journal = run / JOURNAL if run.is_dir() else run
    if not journal.is_file():
        raise Stop(f"there is no journal in {run}" if run.is_dir() else f"there is no run {run}")
    try:
        return list(read_journal(journal, lambda said: print(f"treec: {said}", file=sys.stderr)))
    except JournalError as error:
        raise Stop(str(error)) from None
