"""Aggregate sampled plans: success rates, fewest stages, causes of failures, cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from experiments.dag_plan.methods import METHODS
from experiments.dag_plan.paper import TP_S
from experiments.dag_plan.plan_judge import AS_IT_IS
from experiments.dag_plan.sample_store import Sample
from experiments.dag_plan.written_plans import MethodRow

ROWS = (
    ("TP-S, sampled", "TP-S", AS_IT_IS),
    ("TP-D, sampled", "TP-D", AS_IT_IS),
    *((f"DAG-Plan, sampled, {name}", "DAG-Plan", name) for name, _ in METHODS),
)
"""Name, method, and by which schedule its stages are counted."""


@dataclass(frozen=True)
class MethodRates:
    """A method's plans: per task how many are valid, at first and after reflection."""

    method: str
    row: MethodRow
    plans: tuple[int, ...]
    """How many plans of each task were answered."""
    right: tuple[int, ...]
    at_first: tuple[int, ...]
    """The valid plans whose first answer had no findings."""
    causes: Mapping[str, int]
    """Faults of plans that stayed invalid: kind → number of plans."""

    def rates(self, count: Sequence[int]) -> tuple[float | None, ...]:
        """Return rates per task; None for a task without answers."""
        return tuple(n / of if of else None for n, of in zip(count, self.plans, strict=True))


@dataclass(frozen=True)
class SampleCost:
    """Tokens, cost and time of all answers; `cost` is None if a price is unknown."""

    answers: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    seconds: float


@dataclass(frozen=True)
class SampleReport:
    """The evaluation of a model."""

    model: str
    temperature: float
    samples: int
    tasks: tuple[int, ...]
    rates: tuple[MethodRates, ...]
    spent: SampleCost
    unanswered: Mapping[str, int]
    """Errors → number of plans without an answer, which count in no rate."""


def rate(
    model: str,
    temperature: float,
    samples: int,
    tasks: Sequence[int],
    found: Sequence[Sample],
    also: Sequence[str] = (),
) -> SampleReport:
    """Aggregate plans; `also`: further methods whose graphs the paper's rule schedules."""
    rows = (*ROWS, *((f"{method}, sampled", method, METHODS[0][0]) for method in also))
    rates = tuple(_rate(name, method, by, tasks, found) for name, method, by in rows)
    unanswered = Counter(one.unanswered for one in found if one.unanswered is not None)
    return SampleReport(
        model, temperature, samples, tuple(tasks), rates, _spent(found), dict(unanswered)
    )


def _rate(
    name: str, method: str, by: str, tasks: Sequence[int], found: Sequence[Sample]
) -> MethodRates:
    plans: list[int] = []
    right: list[int] = []
    at_first: list[int] = []
    fewest: list[int | None] = []
    causes: Counter[str] = Counter()
    for task in tasks:
        here = [
            one
            for one in found
            if (one.asked.method, one.asked.task) == (method, f"task_{task}")
            and one.unanswered is None
        ]
        passed = [one for one in here if by in one.judged.stages]
        plans.append(len(here))
        right.append(len(passed))
        at_first.append(sum(len(one.tried) == 1 for one in passed))
        fewest.append(min((one.judged.stages[by] for one in passed), default=None))
        for one in here:
            causes.update(_causes(one, by))
    single = tuple(TP_S.stages[task - 1] or 0 for task in tasks)
    row = MethodRow(name, True, tuple(fewest), single=single)
    return MethodRates(
        method, row, tuple(plans), tuple(right), tuple(at_first), dict(causes.most_common())
    )


def _causes(sample: Sample, by: str) -> set[str]:
    """Return the kinds of faults of an invalid plan."""
    if by in sample.judged.failed:
        return {sample.judged.failed[by].cause}
    return {found.cause for found in sample.judged.findings}


def _spent(found: Sequence[Sample]) -> SampleCost:
    answers = [one for sample in found for one in sample.tried]
    costs = [one.cost for one in answers]
    known = [cost for cost in costs if cost is not None]
    return SampleCost(
        len(answers),
        sum(one.input_tokens or 0 for one in answers),
        sum(one.output_tokens or 0 for one in answers),
        sum(known) if len(known) == len(costs) else None,
        sum(one.seconds or 0.0 for one in answers),
    )


def lines(report: SampleReport) -> Iterator[str]:
    """Render the report as lines of text."""
    plans = "a plan" if report.samples == 1 else f"{report.samples} plans"
    yield f"sampled: {report.model}, temperature {report.temperature:g}, {plans} a task"
    width = max(len(one.row.method) for one in report.rates) + len(", at first")
    heads = "  ".join(f"{f'T{task}':>4}" for task in report.tasks)
    yield f"{'success rate':{width}}  {heads}   mean"
    for one in report.rates:
        yield f"{one.row.method:{width}}  {format_shares(one.rates(one.right))}"
        yield f"{one.row.method + ', at first':{width}}  {format_shares(one.rates(one.at_first))}"
    yield f"{'fewest stages':{width}}  {heads}   mean         efficiency"
    for one in report.rates:
        cells = "  ".join(_stages(s, of) for s, of in zip(one.row.stages, one.plans, strict=True))
        mean = f"{one.row.mean:5.2f} ± {one.row.deviation:.2f}"
        means = f"{mean}  {one.row.efficiency:8.1f} %" if all(one.plans) else "    -"
        yield f"{one.row.method:{width}}  {cells}   {means}"
    for one in report.rates:
        if one.causes:
            yield f"plans that stayed wrong, {one.row.method}:"
            yield from (f"  {count:3} × {cause}" for cause, count in one.causes.items())
    for why, count in report.unanswered.items():
        yield f"not answered, and in no rate: {count} plan{'s' if count > 1 else ''}: {why}"
    yield _money(report.spent)


def format_shares(shares: Sequence[float | None]) -> str:
    """Render rates per task, and their mean."""
    cells = "  ".join(f"{'-' if share is None else f'{share:.1f}':>4}" for share in shares)
    mean = _mean(shares)
    return f"{cells}   {'-' if mean is None else f'{100 * mean:.1f} %'}"


def _mean(shares: Sequence[float | None]) -> float | None:
    """Return the mean over the tasks; None if one of them has no plan."""
    known = [share for share in shares if share is not None]
    return sum(known) / len(known) if known and len(known) == len(shares) else None


def _stages(stages: int | None, plans: int) -> str:
    return f"{'-' if not plans else 'fail' if stages is None else stages:>4}"


def _money(spent: SampleCost) -> str:
    cost = "at no known price" if spent.cost is None else f"${spent.cost:.4f}"
    return (
        f"{spent.answers:,} answer{'s' * (spent.answers != 1)}, {spent.input_tokens:,} tokens in, "
        f"{spent.output_tokens:,} out, {cost}, {spent.seconds:.1f} s of waiting"
    )


def data_of(report: SampleReport) -> dict[str, object]:
    """Return the report as plain data."""
    spent = report.spent
    return {
        "model": report.model,
        "temperature": report.temperature,
        "samples": report.samples,
        "tasks": list(report.tasks),
        "rows": [_row(one) for one in report.rates],
        "unanswered": dict(report.unanswered),
        "spent": {
            "answers": spent.answers,
            "input_tokens": spent.input_tokens,
            "output_tokens": spent.output_tokens,
            "cost": spent.cost,
            "seconds": round(spent.seconds, 3),
        },
    }


def _row(one: MethodRates) -> dict[str, object]:
    whole = all(one.plans)
    return {
        "method": one.row.method,
        "plans": list(one.plans),
        "success_rate": list(one.rates(one.right)),
        "success_mean": _mean(one.rates(one.right)),
        "success_rate_at_first": list(one.rates(one.at_first)),
        "stages": list(one.row.stages),
        "mean": round(one.row.mean, 2) if whole else None,
        "stage_efficiency": round(one.row.efficiency, 1) if whole else None,
        "causes": dict(one.causes),
    }
