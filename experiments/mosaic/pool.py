"""Run trials wherever a pool has room; results keep the order of the trials."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from experiments.mosaic.rows import ROWS
from experiments.mosaic.trial import MosaicTrial, PlannerResult, TrialSetup, run_trial, set_up
from treec.files.library import Library
from treec_testing.pool.files import filed
from treec_testing.pool.library import InLibrary
from treec_testing.pool.spread import HERE, Pool, spread


def _run(system: str, library: Library, trial: MosaicTrial, folder: Path) -> PlannerResult:
    row = next(row for row in ROWS if row.key == trial.row)
    key = (TrialSetup, system, row.contracts)
    if key not in library.results:  # once in a process
        library.results[key] = set_up(library, system, row.contracts)
    setup = library.results[key]
    assert isinstance(setup, TrialSetup)
    return run_trial(setup, trial, folder)


def run_trials(
    library: Library,
    system: str,
    trials: Sequence[MosaicTrial],
    *,
    pool: Pool = HERE,
    keep: Path | None = None,
    tell: Callable[[], None] = lambda: None,
) -> list[PlannerResult]:
    """Run all trials and call ``tell`` after each. Journals and intents are kept in ``keep``."""
    run = InLibrary(filed(partial(_run, system), keep is not None), library)
    results: dict[str, PlannerResult] = {}
    for trial, done in spread(run, trials, pool):
        results[trial.name] = done.result
        if keep is not None:
            done.put(keep / trial.name)
        tell()
    return [results[trial.name] for trial in trials]
