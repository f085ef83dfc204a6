"""Many trials, over processes; the results come in the order of the trials, however many work."""

from __future__ import annotations

import multiprocessing
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from treec.files.library import Library, load_library
from treec.systems.mosaic.evaluate.rows import ROWS
from treec.systems.mosaic.evaluate.trial import MosaicTrial, Result, TrialSetup, stage, try_out


class TrialRunner:
    """Tries things out in one process; each way to set the system up is made once."""

    def __init__(self, library: Library, system: str, folder: Path) -> None:
        self._library = library
        self._system = system
        self._folder = folder
        self._stages: dict[str, TrialSetup] = {}

    def try_out(self, trial: MosaicTrial) -> Result:
        """Let a trial happen in its own folder."""
        if trial.row not in self._stages:
            row = next(row for row in ROWS if row.key == trial.row)
            self._stages[trial.row] = stage(self._library, self._system, row.contracts)
        return try_out(self._stages[trial.row], trial, self._folder / trial.name)


_bench: TrialRunner | None = None


def _begin(root: str, system: str, folder: str) -> None:
    """A worker process makes itself ready."""
    global _bench
    _bench = TrialRunner(load_library(Path(root)), system, Path(folder))


def _try(trial: MosaicTrial) -> Result:
    assert _bench is not None
    return _bench.try_out(trial)


def try_all(
    library: Library,
    system: str,
    trials: Sequence[MosaicTrial],
    *,
    jobs: int = 1,
    keep: Path | None = None,
    tell: Callable[[], None] = lambda: None,
) -> list[Result]:
    """Let all trials happen, ``jobs`` at a time; ``tell`` is called after each.

    Journals and intents stay in ``keep``, or are gone afterwards.
    """
    with ExitStack() as stack:
        folder = keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="treec-")))
        results = []
        for result in _results(library, system, trials, jobs, folder, stack):
            results.append(result)
            tell()
        return results


def _results(
    library: Library,
    system: str,
    trials: Sequence[MosaicTrial],
    jobs: int,
    folder: Path,
    stack: ExitStack,
) -> Iterator[Result]:
    if jobs <= 1 or len(trials) <= 1:
        return map(TrialRunner(library, system, folder).try_out, trials)
    # Spawned, not forked: a progress bar's thread may hold a lock at any moment.
    pool: Executor = stack.enter_context(
        ProcessPoolExecutor(
            min(jobs, len(trials)),
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_begin,
            initargs=(str(library.root), system, str(folder)),
        )
    )
    return pool.map(_try, trials)
