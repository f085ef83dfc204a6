"""``treec replay``: replay a run from its journal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import FormatOption, LibraryOption, OutputFormat, RunsOption, Stop
from treec.cli.find_run import find_run, read_moment, read_records
from treec.cli.task_options import SpeedOption

if TYPE_CHECKING:
    pass

OLD = "an older treec wrote this journal, without the nodes of the tree: only events are shown"


def command(
    run: Annotated[
        Path | None, typer.Argument(help="Folder or journal of a run (default: the latest).")
    ] = None,
    at: Annotated[
        str | None,
        typer.Option("--at", help="Show one moment: 12.5 (seconds), 1:05, #14 (a tick) or end."),
    ] = None,
    begin: Annotated[str | None, typer.Option("--from", help="Start at this moment.")] = None,
    until: Annotated[str | None, typer.Option("--until", help="Stop after this moment.")] = None,
    speed: SpeedOption = None,
    step: Annotated[
        bool, typer.Option("--step", help="Wait for Enter after every tick; q ends.")
    ] = False,
    tree: Annotated[
        bool,
        typer.Option("--tree", help="Show the whole tree at every tick, not only its changes."),
    ] = False,
    whole: Annotated[
        bool, typer.Option("--all", help="Show modifiers and the facts of the scene, too.")
    ] = False,
    values: Annotated[
        str | None,
        typer.Option(
            "--values",
            metavar="PATTERN",
            help="Show only variables and ports of trees, when they changed and who set them: "
            "'*', count, 'main.*'.",
        ),
    ] = None,
    output_format: FormatOption = OutputFormat.text,
    runs: RunsOption = None,
    library: LibraryOption = None,
) -> int:
    """Replay a run from its journal.

    Shows the status of every node at each tick, what each agent did, which facts held, and what
    the variables of trees were.
    """
    import sys

    from treec.cli.replay_play import Pace, play, show_moment
    from treec.cli.terminal_text import Printer

    if at is not None and (begin or until or speed or step or tree):
        raise Stop("--at shows one moment: it excludes --from, --until, --speed, --step and --tree")
    if speed and step:
        raise Stop("--speed and --step exclude each other")
    if values is not None and (step or tree):
        raise Stop("--values excludes --step and --tree")
    as_json = output_format is OutputFormat.json
    if as_json and (speed or step or tree):
        raise Stop("--output-format json excludes --speed, --step and --tree")
    one, first, last = read_moment(at), read_moment(begin), read_moment(until)
    journal = find_run(run, runs, library)
    records = read_records(journal)
    if not any(record.kind == "tree" for record in records):
        print(f"treec: {journal}: {OLD}", file=sys.stderr)
    if as_json:
        import json

        from treec.run.replay_data import changes_data, moment_data, run_data

        if values is not None and one is None:
            data = changes_data(records, values, first, last)
        elif one is None:
            data = run_data(records, first, last)
        else:
            data = moment_data(records, one, values)
        print(json.dumps(data, ensure_ascii=False, indent=2))
    elif one is not None:
        show_moment(Printer(sys.stdout), records, one, whole, values)
    else:
        pace = Pace(speed, step)
        show = Printer(sys.stdout)
        play(show, records, pace, first=first, last=last, tree=tree, whole=whole, values=values)
    return 0
