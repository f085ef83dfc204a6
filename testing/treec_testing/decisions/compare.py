"""Repeats the decisions of recorded runs, with another model or edited prompts.

Each decision is made in the recorded world, so a changed decision does not affect later ones.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from treec.ask.transport import Transport
from treec.files.library import Library
from treec.files.view import View
from treec.nodes.asked import OFFLINE
from treec.nodes.observation import plain
from treec_testing.decisions.answer_totals import AnswerTotals
from treec_testing.decisions.equivalence import equivalent
from treec_testing.decisions.moments import DecisionMoment, MomentError, RecordedRun, situation_at
from treec_testing.decisions.request_queue import run_sync
from treec_testing.decisions.situation import DecisionResult, Situation

AS_RECORDED = "as recorded"
AT_ONCE = 8
"""Concurrent requests."""


@dataclass(frozen=True)
class Contestant:
    """What decides again: a library and a transport (None: the nodes' own rules)."""

    name: str
    library: Library
    transport: Transport | None = None
    _views: dict[tuple[str, str | None], View] = field(default_factory=dict, repr=False)

    def view(self, run: RecordedRun) -> View:
        """A cached view of the system that ran. Raises MomentError."""
        key = run.system, run.scene
        if key not in self._views:
            self._views[key] = run.view(self.library)
        return self._views[key]


@dataclass
class DecisionCost(AnswerTotals):
    """Totals of one contestant."""

    decided: int = 0
    failed: int = 0

    def count(self, result: DecisionResult) -> None:
        """Add a decision."""
        self.decided += 1
        self.failed += result.failed is not None
        self.spend(*result.attempts)


@dataclass(frozen=True)
class ComparisonRow:
    """A moment and the decision of each contestant, in their order."""

    run: str
    moment: DecisionMoment
    observation: str
    decisions: tuple[dict[str, Any], ...]
    by: tuple[str, ...]

    @property
    def flipped(self) -> bool:
        """Whether any decision differs from the first one."""
        first, *others = self.decisions
        return any(not equivalent(self.moment.node_class, first, other) for other in others)


@dataclass
class DecisionComparison:
    """All rows, and the totals of each contestant."""

    names: tuple[str, ...]
    rows: list[ComparisonRow] = field(default_factory=list)
    spent: list[DecisionCost] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    @property
    def flips(self) -> list[ComparisonRow]:
        """The rows with different decisions."""
        return [row for row in self.rows if row.flipped]


async def compare(
    runs: Iterable[RecordedRun],
    contestants: Sequence[Contestant],
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> DecisionComparison:
    """Let every contestant decide every moment; the others are compared with the first."""
    comparison = DecisionComparison(tuple(one.name for one in contestants))
    comparison.spent = [DecisionCost() for _ in contestants]
    moments = [(run, moment) for run in runs for moment in run.moments]
    gate = asyncio.Semaphore(AT_ONCE)
    ended = 0

    async def one(run: RecordedRun, moment: DecisionMoment) -> ComparisonRow | str:
        nonlocal ended
        async with gate:
            try:
                results = [await _again(run, moment, contestant) for contestant in contestants]
            except MomentError as error:
                return str(error)
            finally:
                ended += 1
                progress(ended, len(moments))
        for spent, result in zip(comparison.spent, results, strict=True):
            spent.count(result)
        observation = next((d.question.observation for d in results if d.question is not None), "")
        return ComparisonRow(
            run.name,
            moment,
            observation,
            tuple(result.decision for result in results),
            tuple(result.by for result in results),
        )

    for row in await asyncio.gather(*(one(run, moment) for run, moment in moments)):
        if isinstance(row, ComparisonRow):
            comparison.rows.append(row)
        else:
            comparison.left_out.append(row)
    return comparison


async def _again(
    run: RecordedRun, moment: DecisionMoment, contestant: Contestant
) -> DecisionResult:
    view = contestant.view(run)
    if contestant.name == AS_RECORDED:
        return _recorded_result(run, moment, view)
    situation = situation_at(run, moment, view)
    return await situation.decide(contestant.transport)


def _recorded_result(run: RecordedRun, moment: DecisionMoment, view: View) -> DecisionResult:
    """The decision in the journal; for a raw answer, the decision it results in."""
    result = DecisionResult(moment.decision, moment.by)
    if not moment.made.answer:
        return result
    situation: Situation = situation_at(run, moment, view)
    if moment.by == OFFLINE:
        again = run_sync(situation.decide())
    else:
        again = run_sync(situation.expected(moment.decision))
    return DecisionResult(again.decision, moment.by)


def data_of(comparison: DecisionComparison) -> dict[str, object]:
    """The comparison as plain data."""
    return {
        "contestants": [
            {
                "name": name,
                "decided": spent.decided,
                "failed": spent.failed,
                "attempts": spent.answers,
                "input_tokens": spent.input_tokens,
                "output_tokens": spent.output_tokens,
                "cost": None if spent.cost is None else round(spent.cost, 9),
                "seconds_mean": None if spent.mean is None else round(spent.mean, 6),
            }
            for name, spent in zip(comparison.names, comparison.spent, strict=True)
        ],
        "decisions": len(comparison.rows),
        "flips": [
            {
                "run": row.run,
                "n": row.moment.n,
                "t": row.moment.t,
                "heard": row.moment.heard,
                "node": row.moment.path,
                "observation": row.observation,
                "decisions": {
                    name: plain(decision)
                    for name, decision in zip(comparison.names, row.decisions, strict=True)
                },
                "by": list(row.by),
            }
            for row in comparison.flips
        ],
        "left_out": comparison.left_out,
    }
