"""``treec journal``: list runs, verify their journals, save what is usable of a broken one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop
from treec.cli.find_run import find_run, journals_in, runs_folder

RunArgument = Annotated[
    Path | None,
    typer.Argument(metavar="run", help="Folder or journal of a run (default: the latest)."),
]
RunsOption = Annotated[
    Path | None, typer.Option("--runs", help="Folder of runs (default: runs/ in the library).")
]


def list_runs(
    runs: RunsOption = None,
    library: LibraryOption = None,
    output_format: FormatOption = OutputFormat.text,
) -> int:
    """List runs, the latest first: running, stopped, broken or ended.

    Stopped and broken runs can be resumed.
    """
    import json
    from dataclasses import asdict

    from treec.run.run_status import status_of

    folder = runs or runs_folder(library)
    if runs is not None and not runs.is_dir():
        raise Stop(f"{runs} is not a folder: --runs takes a folder of runs")
    found = [status_of(journal) for journal in reversed(journals_in(folder))]
    if output_format is OutputFormat.json:
        print(json.dumps([asdict(one) for one in found], indent=2, ensure_ascii=False))
    elif not found:
        print(f"no runs in {folder}")
    width = max((len(one.run) for one in found), default=0)
    if output_format is OutputFormat.text:
        for one in found:
            print(f"{one.run:<{width}}  {one.words}")
    return 0


def verify(run: RunArgument = None, runs: RunsOption = None, library: LibraryOption = None) -> int:
    """Verify that a journal is complete and can be replayed. Exit status 1 if it cannot."""
    from treec.run.salvage import read_sound
    from treec.world.journal import JournalError

    journal = find_run(run, runs, library)
    torn: list[str] = []
    try:
        sound = read_sound(journal, torn.append, all_events=True)
    except JournalError as error:
        raise Stop(f"{error}\n0 records are usable", 1) from None
    problem = sound.problem or (torn[0] if torn else None)
    if problem is None:
        print(f"{journal}: {len(sound.records)} records, all sound")
        return 0
    print(f"{problem}\n{len(sound.records)} records before it are usable")
    return 1


def salvage(
    to: Annotated[Path, typer.Option("--to", help="New folder for the salvaged run.")],
    run: RunArgument = None,
    runs: RunsOption = None,
    library: LibraryOption = None,
) -> int:
    """Copy the usable records of a broken journal into a new run.

    The new run can be resumed; the broken journal stays as it is.
    """
    import shutil

    from treec.run.folder import JOURNAL, META
    from treec.run.salvage import read_sound, write_records
    from treec.world.journal import JournalError

    journal = find_run(run, runs, library)
    try:
        sound = read_sound(journal, all_events=True)
        to.mkdir(parents=True)
        write_records(to / JOURNAL, sound.records)
        if (journal.parent / META).is_file():
            shutil.copy2(journal.parent / META, to / META)
    except JournalError as error:
        raise Stop(f"{error}\n0 records are usable", 1) from None
    except FileExistsError:
        raise Stop(f"{to} already exists") from None
    except OSError as error:
        raise Stop(f"{to}: {error.strerror}") from None
    if sound.problem is not None:
        print(f"left out: {sound.problem}")
    print(f"{len(sound.records)} records in {to}; go on with: treec run --resume {to}")
    return 0
