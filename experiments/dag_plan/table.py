"""Report the nine tasks as text and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from experiments.dag_plan.ablations import ABLATIONS, BLIND, NOTE
from experiments.dag_plan.ablations import lines as ablation_lines
from experiments.dag_plan.paper import EFFICIENCY, MODEL
from experiments.dag_plan.rates import SampleReport, data_of, lines
from experiments.dag_plan.written_plans import DualArmReport, MethodRow

FAILED = "fail"
NO_MODEL = "not run: no model is configured"


def to_text(report: DualArmReport, sampled: SampleReport | None = None) -> str:
    """Render the table, the failures, the sampled plans and notes."""
    rows = list(_table(report))
    failures = [f"  {row.method}: {why}" for row in report.rows for why in row.failures]
    if failures:
        rows += ["", "failed:", *failures]
    rows += ["", "success rate over sampled plans:"]
    rows += [f"  {_cells(row.success)}  {row.method}" for row in report.rows if row.success]
    if sampled is None:
        rows += [f"  {NO_MODEL}: {name}" for name in report.not_run]
    else:
        rows += ["", *lines(sampled)]
    if any(row.method == BLIND[0] for row in report.rows):
        not_run = (f"  {NO_MODEL}: {name}" for name in ("DAG-Plan without reflection", *ABLATIONS))
        rows += ["", *(ablation_lines(sampled.rates, sampled.tasks) if sampled else not_run), *NOTE]
    rows += [
        "",
        f"The paper's rows are its Table 2 ({MODEL}).",
        "Mean and efficiency count a failed task with the stages of TP-S (section 4.1); efficiency",
        "is the stages of TP-S by those of the row. Ours are of the reference graphs, every plan",
        "done in its world; a graph has a sub-task less than TP-S has stages in tasks 7 and 8.",
    ]
    return "\n".join([*rows, ""])


def _table(report: DualArmReport) -> Iterator[str]:
    width = max(len(row.method) for row in report.rows)
    heads = [f"T{number}" for number in range(1, len(report.tasks) + 1)]
    lines = "  ".join(f"{head:>4}" for head in heads)
    yield f"{'stages':{width}}  {lines}   mean         efficiency"
    yield f"{'sub-tasks':{width}}  {'  '.join(f'{count:4}' for count in report.sub_tasks)}"
    for row in report.rows:
        cells = "  ".join(f"{FAILED if s is None else s:>4}" for s in row.stages)
        mean = f"{row.mean:5.2f} ± {row.deviation:.2f}"
        yield f"{row.method:{width}}  {cells}   {mean}  {row.efficiency:8.1f} %"


def _cells(values: Sequence[float]) -> str:
    mean = sum(values) / len(values)
    return f"{'  '.join(f'{value:.1f}' for value in values)}  mean {100 * mean:.1f} %"


def to_json(report: DualArmReport, sampled: SampleReport | None = None) -> Mapping[str, object]:
    """Return all results as plain data."""
    not_run = report.not_run if sampled is None else ()
    return {
        "tasks": [
            {"task": number, "instruction": task, "sub_tasks": count}
            for number, (task, count) in enumerate(
                zip(report.tasks, report.sub_tasks, strict=True), 1
            )
        ],
        "rows": [_row(row) for row in report.rows],
        "not_run": [{"method": name, "reason": NO_MODEL} for name in not_run],
        "sampled": None if sampled is None else data_of(sampled),
    }


def _row(row: MethodRow) -> Mapping[str, object]:
    data: dict[str, object] = {
        "method": row.method,
        "ours": row.ours,
        "stages": list(row.stages),
        "mean": round(row.mean, 2),
        "deviation": round(row.deviation, 2),
        "stage_efficiency": round(row.efficiency, 1),
    }
    if not row.ours:
        data["stage_efficiency_printed"] = EFFICIENCY[row.method.removeprefix("paper: ")]
    if row.success is not None:
        data["success_rate"] = list(row.success)
    if row.ours:
        data["failures"] = list(row.failures)
        data["seconds"] = round(row.seconds, 4)
    return data
