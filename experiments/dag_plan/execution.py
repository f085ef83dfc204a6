"""Report trials of the nine tasks as text and JSON, next to the paper's Table 3."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, stdev

from experiments.dag_plan.arm_time import MEANINGS, ArmTime, TimeCause
from experiments.dag_plan.execution_store import (
    ExecutionMethod,
    ExecutionResult,
)
from experiments.dag_plan.paper import EXECUTED, EXECUTION_EFFICIENCY

_SHOWN = 0.05  # seconds of a cause from which on it is shown

LABELS = {method: f"ours: {method}" for method in ExecutionMethod}
LEARNED = ", learned"
"""Ending of the label of a row whose skills are learned where a policy exists."""


@dataclass(frozen=True, slots=True)
class ExecutionRow:
    """A method's results per task; None without a result."""

    method: str
    success: tuple[float | None, ...]
    seconds: tuple[float | None, ...]
    """The least simulated time of a trial that succeeded, as the paper's."""
    times: tuple[tuple[float, ...], ...] = ()
    """Ours: of all trials that succeeded."""
    counts: tuple[int, ...] = ()
    """Ours: how many trials there were."""

    @property
    def mean(self) -> float | None:
        """The mean success over the tasks that were tried."""
        rates = [value for value in self.success if value is not None]
        return mean(rates) if rates else None

    @property
    def error(self) -> float | None:
        """The standard error of that mean; None with fewer than two trials of a task."""
        pairs = [
            (share, count)
            for share, count in zip(self.success, self.counts, strict=False)
            if share is not None
        ]
        if not pairs or min(count for _, count in pairs) < 2:
            return None
        spread = sum(share * (1 - share) / (count - 1) for share, count in pairs)
        return math.sqrt(spread) / len(pairs)


@dataclass(frozen=True, slots=True)
class ExecutionReport:
    """The tasks tried, all rows, and the trials themselves."""

    env: str
    tasks: tuple[int, ...]
    n: int
    rows: tuple[ExecutionRow, ...]
    done: tuple[ExecutionResult, ...]

    def row(self, method: str) -> ExecutionRow:
        """The row of a method."""
        return next(row for row in self.rows if row.method == method)

    def efficiency(self, method: ExecutionMethod, *, learned: bool = False) -> float | None:
        """Execution Efficiency in per cent: the least times of TP-S divided by the method's.

        Both with the same skills.

        Over the tasks in which TP-S succeeded; one in which the method failed counts with the time
        of TP-S (section 4.1).
        """
        base_row, own_row = label_of(ExecutionMethod.TP_S, learned), label_of(method, learned)
        if not {base_row, own_row} <= {row.method for row in self.rows}:
            return None
        single, times = self.row(base_row), self.row(own_row)
        pairs = [
            (base, base if time is None else time)
            for base, time, tried in zip(single.seconds, times.seconds, times.success, strict=True)
            if base is not None and tried is not None
        ]
        if not pairs:
            return None
        return 100 * sum(base for base, _ in pairs) / sum(time for _, time in pairs)

    def mean_arm_time(self, method: ExecutionMethod) -> dict[int, ArmTime]:
        """Task → what each arm spent its seconds on, the mean of the trials that succeeded."""
        found: dict[int, ArmTime] = {}
        for task in self.tasks:
            trials = [
                one.spent
                for one in self.done
                if one.ok and one.trial.task == task and one.trial.method is method
            ]
            if trials:
                found[task] = _mean_arm_time(trials)
        return found


def label_of(method: ExecutionMethod, learned: bool) -> str:
    """Return the label of our row of a method."""
    return LABELS[method] + (LEARNED if learned else "")


def make_report(done: Sequence[ExecutionResult], env: str) -> ExecutionReport:
    """Aggregate trials into rows, the paper's first."""
    tasks = tuple(sorted({one.trial.task for one in done}))
    rows = [
        ExecutionRow(
            f"paper: {reported.method}",
            tuple(reported.success[task - 1] for task in tasks),
            tuple(reported.seconds[task - 1] for task in tasks),
        )
        for reported in EXECUTED
    ]
    kinds = {(one.trial.method, one.trial.learned) for one in done}
    every = ((method, learned) for method in ExecutionMethod for learned in (False, True))
    for kind in (one for one in every if one in kinds):
        own = [one for one in done if (one.trial.method, one.trial.learned) == kind]
        groups = [[one for one in own if one.trial.task == task] for task in tasks]
        rows.append(
            ExecutionRow(
                label_of(*kind),
                tuple(mean(one.ok for one in group) if group else None for group in groups),
                tuple(
                    min((one.seconds for one in group if one.ok), default=None) for group in groups
                ),
                tuple(tuple(one.seconds for one in group if one.ok) for group in groups),
                tuple(len(group) for group in groups),
            )
        )
    n = max((count for row in rows for count in row.counts), default=0)
    return ExecutionReport(env, tasks, n, tuple(rows), tuple(done))


def to_text(report: ExecutionReport) -> str:
    """Render success rates, least and mean times, wall time and failures."""
    width = max(len(row.method) for row in report.rows)
    heads = "  ".join(f"{f'T{task}':>5}" for task in report.tasks)
    lines = [f"{'success':{width}}  {heads}   mean"]
    for row in report.rows:
        cells = "  ".join(_share(value) for value in row.success)
        error = "" if row.error is None else f" ± {row.error:.2f}"
        lines.append(f"{row.method:{width}}  {cells}  {_share(row.mean)}{error}")
    lines += ["", f"{'least time (s)':{width}}  {heads}"]
    lines += [
        f"{row.method:{width}}  {'  '.join(map(_seconds, row.seconds, row.success))}"
        for row in report.rows
    ]
    wide = "  ".join(f"{f'T{task}':>11}" for task in report.tasks)
    lines += ["", f"{'mean time (s)':{width}}  {wide}"]
    lines += [
        f"{row.method:{width}}  {'  '.join(f'{_spread(times):>11}' for times in row.times)}"
        for row in report.rows
        if row.times
    ]
    spent = {
        method: means
        for method in ExecutionMethod
        if (means := report.mean_arm_time(method)) and any(means.values())
    }
    if spent:
        lines += ["", *_arm_time_lines(report.tasks, spent)]
    lines += ["", *_notes(report)]
    return "\n".join([*lines, ""])


def to_json(report: ExecutionReport) -> Mapping[str, object]:
    """All figures and every trial as plain data."""
    return {
        "env": report.env,
        "tasks": list(report.tasks),
        "trials_of_a_task": report.n,
        "rows": [
            {
                "method": row.method,
                "success": list(row.success),
                "mean": row.mean,
                "standard_error": row.error,
                "least_seconds": list(row.seconds),
                "mean_seconds": [mean(times) if times else None for times in row.times],
                "standard_errors_of_seconds": [_error(times) for times in row.times],
            }
            for row in report.rows
        ],
        "execution_efficiency": {method: report.efficiency(method) for method in LABELS},
        "execution_efficiency_learned": {
            method: report.efficiency(method, learned=True) for method in LABELS
        },
        "execution_efficiency_printed": EXECUTION_EFFICIENCY,
        "arm_seconds": {method: report.mean_arm_time(method) for method in ExecutionMethod},
        "arm_seconds_meanings": MEANINGS,
        "trials": [
            {
                "task": one.trial.task,
                "seed": one.trial.seed,
                "method": one.trial.method,
                "jitter": one.trial.jitter,
                "learned": one.trial.learned,
                "plan": one.trial.plan,
                "ok": one.ok,
                "seconds": round(one.seconds, 2),
                "wall_seconds": round(one.wall, 2),
                "processor_seconds": round(one.cpu, 2),
                "failures": list(one.failures),
                "arm_seconds": one.spent,
            }
            for one in report.done
        ],
    }


def _mean_arm_time(trials: Sequence[ArmTime]) -> ArmTime:
    """The mean of several trials: arm → cause → seconds."""
    arms = dict.fromkeys(arm for spent in trials for arm in spent)
    return {
        arm: {
            str(cause): round(mean(values), 2)
            for cause in TimeCause
            if any(values := [spent.get(arm, {}).get(cause, 0.0) for spent in trials])
        }
        for arm in arms
    }


def _arm_time_lines(
    tasks: Sequence[int], spent: Mapping[ExecutionMethod, Mapping[int, ArmTime]]
) -> Iterator[str]:
    """A table: a row for each method, arm and cause, a column for each task."""
    rows: list[tuple[str, list[float]]] = []
    causes: set[TimeCause] = set()
    for method, by_task in spent.items():
        arms = dict.fromkeys(arm for means in by_task.values() for arm in means)
        for arm, cause in itertools.product(arms, TimeCause):
            seconds = [by_task.get(task, {}).get(arm, {}).get(cause, 0.0) for task in tasks]
            if max(seconds) >= _SHOWN:
                rows.append((f"{method}, {arm}: {cause}", seconds))
                causes.add(cause)
    title = "an arm's time (s), mean"
    width = max(len(title), *(len(name) for name, _ in rows))
    heads = "  ".join(f"{f'T{task}':>5}" for task in tasks)
    yield f"{title:{width}}  {heads}"
    for name, seconds in rows:
        cells = "  ".join(f"{some:5.1f}" if some >= _SHOWN else f"{'':5}" for some in seconds)
        yield f"{name:{width}}  {cells}".rstrip()
    yield from (f"  {cause}: {MEANINGS[cause]}" for cause in TimeCause if cause in causes)


def _notes(report: ExecutionReport) -> Iterator[str]:
    for method, learned in itertools.product(LABELS, (False, True)):
        efficiency = report.efficiency(method, learned=learned)
        printed = EXECUTION_EFFICIENCY.get(method)
        if efficiency is not None and method is not ExecutionMethod.TP_S:
            paper = "" if printed is None else f" (the paper: {printed:.1f} %)"
            ending = LEARNED if learned else ""
            yield f"execution efficiency of {method}{ending}: {efficiency:.1f} %{paper}"
    wall = [one.wall for one in report.done]
    if wall:
        yield f"wall time of a trial: {mean(wall):.1f} s in the mean, {max(wall):.1f} s at most"
        cpu = [one.cpu for one in report.done]
        yield f"of a processor's: {mean(cpu):.1f} s in the mean, {max(cpu):.1f} s at most"
    reasons = Counter(reason for one in report.done for reason in one.failures)
    if reasons:
        yield "failures on the way (most were tried again):"
        for reason, count in reasons.most_common(12):
            yield f"  {count:3} x {reason}"
    yield f"The paper's rows are its Table 3: ten trials a task, learned skills; here {report.n}"
    yield f"trials a task in {report.env}, {_skills(report)}, {_plans(report)}. Times are"
    yield "simulated, those of trials that succeeded; ± is one standard error of a mean. Efficiency"
    yield "is the time of TP-S by that of the row; a failed task counts with the time of TP-S."


def _plans(report: ExecutionReport) -> str:
    """Where the plans came from."""
    written = any(one.trial.plan is not None for one in report.done)
    return "plans that a model wrote" if written else "plans from the reference graphs"


def _skills(report: ExecutionReport) -> str:
    """What did the sub-tasks: workers that plan, or policies where there are some."""
    from experiments.dag_plan.trials import learned_skills

    if not any(one.trial.learned for one in report.done):
        return "engineered skills"
    if all(one.trial.learned for one in report.done):
        return f"learned skills ({', '.join(sorted(learned_skills()))}) and engineered ones"
    return "engineered skills, and learned ones where the row says so"


def _share(value: float | None) -> str:
    return f"{'-' if value is None else f'{value:.2f}':>5}"


def _seconds(value: float | None, success: float | None) -> str:
    none = "-" if success is None else "fail"
    return f"{none if value is None else f'{value:.1f}':>5}"


def _spread(times: Sequence[float]) -> str:
    if not times:
        return "fail"
    error = _error(times)
    return f"{mean(times):.1f}" + ("" if error is None else f" ± {error:.1f}")


def _error(times: Sequence[float]) -> float | None:
    """Return the standard error of the mean; None for fewer than two values."""
    return stdev(times) / math.sqrt(len(times)) if len(times) > 1 else None
