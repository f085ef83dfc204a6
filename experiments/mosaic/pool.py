"""Run trials in parallel processes; results keep the order of the trials."""

from __future__ import annotations

import multiprocessing
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from experiments.mosaic.rows import ROWS
from experiments.mosaic.trial import MosaicTrial, PlannerResult, TrialSetup, run_trial, set_up
from treec.child import end_with_parent
from treec.files.library import Library, load_library


class TrialRunner:
    """Runs trials in one process; prepares each setup of the system once."""

    def __init__(self, library: Library, system: str, folder: Path) -> None:
        self._library = library
        self._system = system
        self._folder = folder
        self._setups: dict[str, TrialSetup] = {}

    def run(self, trial: MosaicTrial) -> PlannerResult:
        """Run a trial in its own folder."""
        if trial.row not in self._setups:
            row = next(row for row in ROWS if row.key == trial.row)
            self._setups[trial.row] = set_up(self._library, self._system, row.contracts)
        return run_trial(self._setups[trial.row], trial, self._folder / trial.name)


_runner: TrialRunner | None = None


def _begin(root: str, system: str, folder: str) -> None:
    """Initialise a worker process."""
    global _runner
    end_with_parent()
    _runner = TrialRunner(load_library(Path(root)), system, Path(folder))


def _run(trial: MosaicTrial) -> PlannerResult:
    assert _runner is not None
    return _runner.run(trial)


def run_trials(
    library: Library,
    system: str,
    trials: Sequence[MosaicTrial],
    *,
    jobs: int = 1,
    keep: Path | None = None,
    tell: Callable[[], None] = lambda: None,
) -> list[PlannerResult]:
    """Run all trials, ``jobs`` at a time, and call ``tell`` after each.

    Journals and intents are kept in ``keep``, or deleted if there is none.
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
) -> Iterator[PlannerResult]:
    if jobs <= 1 or len(trials) <= 1:
        return map(TrialRunner(library, system, folder).run, trials)
    # Spawn, do not fork: the progress bar's thread may hold a lock.
    pool: Executor = stack.enter_context(
        ProcessPoolExecutor(
            min(jobs, len(trials)),
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_begin,
            initargs=(str(library.root), system, str(folder)),
        )
    )
    return pool.map(_run, trials)
