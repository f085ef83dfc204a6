"""Which run is meant where none is named."""

from __future__ import annotations

from pathlib import Path

from treec.cli.common import Stop


def last_run(runs: Path | None, library: Path | None) -> Path:
    """The run that was begun last: a folder's name begins with the time. Raises Stop."""
    from treec.files.library import NoLibrary, find_root
    from treec.run.folder import JOURNAL

    if runs is None:
        runs = Path("runs")  # where a system of a pack was run without any library around
        if library is not None and library.is_dir():
            runs = library / "runs"
        elif library is None:
            try:
                runs = find_root(Path.cwd()) / "runs"
            except NoLibrary:
                if not runs.is_dir():
                    told = "name a run: here is no library whose last run could be meant"
                    raise Stop(told) from None
    found = sorted(runs.glob(f"*/{JOURNAL}")) if runs.is_dir() else []
    if not found:
        raise Stop(f"there is no run in {runs}: name one")
    return found[-1].parent
