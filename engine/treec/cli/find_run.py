"""Finding a recorded run: by its folder, by its folder's name in ``runs/``, or the latest."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from treec.cli.common import Stop
from treec.run.folder import JOURNAL

if TYPE_CHECKING:
    from treec.run.replay import ReplayMoment
    from treec.world.journal import Record

STAMP = len("20261128-224706")
"""The part of a folder's name that is its time."""

SHOWN = 5
"""Runs listed in an error message."""


def find_run(run: Path | None, runs: Path | None = None, library: Path | None = None) -> Path:
    """The journal of a run: its file, its folder, the latest in a folder of runs.

    A name is looked up in ``runs``, by default the library's; None is the latest there. Raises
    Stop.
    """
    if run is not None and run.is_file():
        return run
    if run is not None and run.is_dir():
        journals = [run / JOURNAL] if (run / JOURNAL).is_file() else journals_in(run)
        if not journals:
            raise Stop(f"{run} is not the folder of a run: it has no {JOURNAL}")
        return journals[-1]
    folder = runs or runs_folder(library)
    journals = journals_in(folder)
    if run is None:
        if not journals:
            raise Stop(f"no runs in {folder}; specify the folder of one")
        return journals[-1]
    found = next((one for one in journals if one.parent.name == run.as_posix()), None)
    if found is None:
        raise Stop(f"unknown run '{run}'; {_others(run, folder, journals)}")
    return found


def read_records(journal: Path) -> Sequence[Record]:
    """The usable records of a run; what is broken after them is printed to stderr.

    Raises Stop when there are none.
    """
    import sys

    from treec.run.salvage import read_sound
    from treec.world.journal import JournalError

    def warn(message: str) -> None:
        print(f"treec: {message}", file=sys.stderr)

    try:
        sound = read_sound(journal, warn)
    except JournalError as error:
        raise Stop(str(error)) from None
    if sound.problem is not None:
        warn(f"{sound.problem}\ntreec: the {len(sound.records)} records before it are used")
    return sound.records


def journals_in(folder: Path) -> list[Path]:
    """Journals of the runs in a folder, the latest last: their names begin with the time.

    Of those that began in one second the one that was written to last is the latest.
    """

    def began(journal: Path) -> tuple[str, int]:
        return journal.parent.name[:STAMP], journal.stat().st_mtime_ns

    return sorted(folder.glob(f"*/{JOURNAL}"), key=began)


def _others(run: Path, folder: Path, journals: list[Path]) -> str:
    from treec.run.run_status import status_of
    from treec.source.diagnostics import did_you_mean

    names = [journal.parent.name for journal in reversed(journals)]
    near = next((name for name in names if name.startswith(run.as_posix())), None)
    if near := near or did_you_mean(run.as_posix(), names):
        return f"did you mean '{near}'?"
    if not names:
        return f"no runs in {folder}"
    more = ", …" if len(names) > SHOWN else ""
    latest = [f"{one.parent.name} ({status_of(one).state})" for one in journals[: -SHOWN - 1 : -1]]
    return f"the latest in {folder}: {', '.join(latest)}{more}"


def runs_folder(library: Path | None) -> Path:
    """Where the runs of a library are, or those of a pack's system run outside any library."""
    from treec.files.library import NoLibrary, find_root

    if library is not None:
        return library / "runs" if library.is_dir() else Path("runs")
    try:
        runs = find_root(Path.cwd()) / "runs"
    except NoLibrary:
        return Path("runs")
    return runs.relative_to(Path.cwd()) if runs.is_relative_to(Path.cwd()) else runs


def read_moment(text: str | None) -> ReplayMoment | None:
    """A moment as it is written in options; None for none. Raises Stop."""
    from treec.run.replay import ReplayMomentError, moment

    if text is None:
        return None
    try:
        return moment(text)
    except ReplayMomentError as error:
        raise Stop(str(error)) from None
