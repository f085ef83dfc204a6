"""``treec stop``: stop runs of other processes, as Ctrl-C in their terminals does."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import LibraryOption, RunsOption, Stop
from treec.cli.find_run import find_run, journals_in, runs_folder

if TYPE_CHECKING:
    from treec.world.lock import LockHolder

WAIT = 5.0
"""Seconds in which a run ends: one each for what drives robots, for the loop, for its process."""

PAUSE = 0.02
"""Seconds between two looks."""


def command(
    run: Annotated[
        Path | None,
        typer.Argument(metavar="run", help="Folder or name of a run (default: all that run)."),
    ] = None,
    runs: RunsOption = None,
    library: LibraryOption = None,
) -> int:
    """Stop the runs of a library, from another terminal.

    All robots are stopped, then the run, as with Ctrl-C in its own terminal; `treec run --resume`
    goes on from there. The same command again ends a process that does not end, at once.

    Exit status 0 if all have stopped, 69 if something did not confirm that it stopped, 1 if nothing
    was running.
    """
    from treec.cli.exits import UNCONFIRMED
    from treec.run.run_status import status_of
    from treec.world.lock import find_holder

    folder = runs or runs_folder(library)
    journals = journals_in(folder) if run is None else [find_run(run, folder)]
    running = [(one, holder) for one in journals if (holder := find_holder(one)) is not None]
    if not running:
        what = f"{run} is not running" if run else f"nothing runs in {folder}"
        raise Stop(f"{what} ({status_of(journals[0]).words})" if run else what, 1)
    before = {journal: journal.stat().st_size for journal, _ in running}
    problems = _interrupt(running)
    confirmed = [_ended(one, before[one]) for one, _ in running if one not in problems]
    for problem in problems.values():
        typer.echo(f"treec: {problem}", err=True)
    return 0 if all(confirmed) and not problems else UNCONFIRMED


def _interrupt(running: list[tuple[Path, LockHolder]]) -> dict[Path, str]:
    """Interrupt each process once; returns what could not be, by run."""
    problems = {}
    tried: dict[int, str] = {}
    for journal, holder in running:
        if holder.pid is None or not holder.is_here:
            why = ": stop it there"
        else:
            if holder.pid not in tried:
                tried[holder.pid] = _interrupt_process(holder.pid)
            why = tried[holder.pid]
        if why:
            problems[journal] = f"{journal.parent.name} belongs to {holder.words}{why}"
    return problems


def _interrupt_process(pid: int) -> str:
    """Interrupt a process; why it cannot be, or ''."""
    import os

    number = _signal_of(pid)
    if number is None:
        return ", which ignores Ctrl-C"
    try:
        os.kill(pid, number)
    except ProcessLookupError:  # it has just ended
        pass
    except PermissionError:
        return ", of another user"
    return ""


def _signal_of(pid: int) -> signal.Signals | None:
    """The signal that ends a process in order; None if it handles none.

    What a script starts with `&` ignores Ctrl-C. Only Linux tells what a process handles.
    """
    import re

    try:
        status = Path(f"/proc/{pid}/status").read_text("utf-8", "replace")
    except OSError:  # of another system, or it has just ended
        return signal.SIGINT
    found = re.search(r"^SigCgt:\s*([0-9a-f]+)$", status, re.MULTILINE)
    handled = -1 if found is None else int(found[1], 16)
    both = (signal.SIGINT, signal.SIGTERM)
    return next((number for number in both if handled >> (number - 1) & 1), None)


def _ended(journal: Path, size: int) -> bool:
    """Wait until a run has ended, and print how; whether everything confirmed its stop.

    ``size`` is the journal's size in bytes before the run was told to stop.
    """
    import time

    from treec.run.run_status import status_of
    from treec.world.lock import find_holder

    until = time.monotonic() + WAIT
    while (holder := find_holder(journal)) is not None:
        if time.monotonic() > until:
            again = "the same command again ends it at once"
            text = f"{journal.parent.name} has not ended within {WAIT:g} s: {holder.words}; {again}"
            typer.echo(f"treec: {text}", err=True)
            return False
        time.sleep(PAUSE)
    status = status_of(journal)
    alarms = list(_alarms(journal, size))
    for alarm in alarms:
        typer.echo(f"! {alarm}", err=True)
    resume = f"; go on with: treec run --resume {journal.parent}"
    print(f"{journal.parent.name}: {status.words}{resume if status.state == 'stopped' else ''}")
    return not alarms and status.state != "broken"


def _alarms(journal: Path, size: int) -> Iterator[str]:
    """What did not confirm its stop, in sentences, by the journal from this byte on."""
    from contextlib import suppress

    from treec.nodes.events import StopUnconfirmed
    from treec.world.history import events_of
    from treec.world.journal import parse_record

    with journal.open("rb") as file:
        file.seek(size)
        for line in file:
            with suppress(ValueError):  # a line that was being written
                for _, event in events_of([parse_record(line)], StopUnconfirmed):
                    yield event.sentence
