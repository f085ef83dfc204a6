"""Aggregate judged runs: success rates with standard errors, broken promises, turns."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from experiments.mosaic import paper
from experiments.mosaic.judge import PROMISES
from experiments.mosaic.plan import DIFFICULTIES, MODES
from experiments.mosaic.rows import ROWS
from experiments.mosaic.trial import PlannerResult

Json = dict[str, object]


@dataclass(frozen=True)
class ReportCell:
    """A row at one difficulty. ``modes``: (passed, planned, reached); rates in per cent."""

    row: str
    difficulty: str
    runs: int
    rate: float
    error: float
    modes: Mapping[str, tuple[int, int, int]]
    violations: Mapping[str, int]
    misunderstood: int
    user_turns: float
    assistant_turns: float
    seconds: float
    cooked: int

    @property
    def turns(self) -> float:
        """Average utterances per run, of user and assistant."""
        return self.user_turns + self.assistant_turns


@dataclass(frozen=True)
class MosaicReport:
    """All results, with the parameters that reproduce them."""

    system: str
    seed: int
    recipes: int
    runs: int
    cells: Sequence[ReportCell]
    results: Sequence[PlannerResult]

    def cell(self, row: str, difficulty: str) -> ReportCell | None:
        """Return the cell of a row, by its key."""
        return next((c for c in self.cells if (c.row, c.difficulty) == (row, difficulty)), None)


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and its standard error (sample variance, n − 1); 0 for a single value."""
    mean = sum(values) / len(values)
    if len(values) < 2:
        return mean, 0.0
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return mean, math.sqrt(variance / len(values))


def make_report(
    system: str, seed: int, recipes: int, runs: int, results: Sequence[PlannerResult]
) -> MosaicReport:
    """Aggregate results by row and difficulty."""
    cells = []
    for row in ROWS:
        for difficulty in DIFFICULTIES:
            own = [
                r
                for r in results
                if (r.trial.row, r.trial.plan.difficulty) == (row.key, difficulty)
            ]
            if own:
                cells.append(_cell(row.key, difficulty, own))
    return MosaicReport(system, seed, recipes, runs, cells, list(results))


def _cell(row: str, difficulty: str, results: Sequence[PlannerResult]) -> ReportCell:
    verdicts = [result.verdict for result in results]
    rates = [100.0 * sum(p.passed for p in v.passed) / len(v.passed) for v in verdicts]
    mean, error = mean_and_error(rates)
    every = [p for verdict in verdicts for p in verdict.passed]
    modes = {}
    for mode in MODES:
        own = [p for p in every if p.mode == mode]
        modes[mode] = (sum(p.passed for p in own), len(own), sum(p.reached for p in own))
    broken = [violation.promise for verdict in verdicts for violation in verdict.violations]
    count = len(verdicts)
    return ReportCell(
        row,
        difficulty,
        count,
        mean,
        error,
        modes,
        {promise: broken.count(promise) for promise in PROMISES},
        sum(len(verdict.misunderstood) for verdict in verdicts),
        sum(v.user_turns for v in verdicts) / count,
        sum(v.assistant_turns for v in verdicts) / count,
        sum(v.seconds for v in verdicts) / count,
        sum(v.cooked for v in verdicts),
    )


def to_json(report: MosaicReport) -> Json:
    """Return the report as plain data, which depends on seed and files only."""
    return {
        "system": report.system,
        "seed": report.seed,
        "recipes": report.recipes,
        "runs": report.runs,
        "table": [asdict(cell) for cell in report.cells],
        "not_run": {row.title: row.not_run for row in ROWS if row.not_run},
        "paper": {
            "pass_rates": {row: dict(rates) for row, rates in paper.PASS_RATES.items()},
            "violations": paper.VIOLATIONS,
            "turns": paper.TURNS,
        },
        "trials": [
            {
                "name": result.trial.name,
                "recipe": result.trial.plan.recipe,
                "seed": result.trial.run_seed,
                "ended": result.ended,
                **asdict(result.verdict),
            }
            for result in report.results
        ],
    }
