"""Schedule DAG-Plan's nine tasks and compare with the paper's stages (section 4.2, Table 2).

Our rows are stages of the reference graphs, by the paper's rule and by minimisation, each without
geometry (as in appendix C) and in the scenes' layouts. Every plan is validated in its world; an
invalid one counts as failed.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from experiments.dag_plan.paper import DAG_PLAN, TP_D, TP_S, PaperPlanning
from treec.files.library import Library
from treec_dag_plan.arms.layout import ArmLayout, read_layout
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.plan import ArmPlan
from treec_dag_plan.arms.problem import AllocationProblem, problem_in
from treec_dag_plan.arms.read import read_graph
from treec_dag_plan.arms.validate import validate
from treec_dag_plan.arms.validate_read import steps_of

TASKS = tuple(f"task_{number}" for number in range(1, 10))
LAYOUTS = "trees/dag_plan/layouts"
NOT_RUN = ("TP-S, sampled", "TP-D, sampled", "DAG-Plan, sampled")
"""Rows that need a model."""

Scheduler = Callable[[TaskGraph, ArmLayout | None], ArmPlan]
"""Schedules a graph; raises ValueError if there is no plan."""


class EvaluationInputError(Exception):
    """A task has no readable graph or layout."""


@dataclass(frozen=True, slots=True)
class MethodRow:
    """A method's results per task; `stages` is None for a failure."""

    method: str
    ours: bool
    stages: tuple[int | None, ...]
    success: tuple[float, ...] | None = None
    failures: tuple[str, ...] = ()
    seconds: float = 0.0
    single: tuple[int, ...] = tuple(stages or 0 for stages in TP_S.stages)
    """Stages of the plans for one arm."""

    @property
    def stage_counts(self) -> tuple[int, ...]:
        """Stages; a failed task counts with the stages of the single-arm plan (section 4.1)."""
        return tuple(
            s if s is not None else c for s, c in zip(self.stages, self.single, strict=True)
        )

    @property
    def mean(self) -> float:
        """The mean of the stages counted."""
        return sum(self.stage_counts) / len(self.stage_counts)

    @property
    def deviation(self) -> float:
        """The population standard deviation over the tasks, as in the paper."""
        mean = self.mean
        return math.sqrt(sum((s - mean) ** 2 for s in self.stage_counts) / len(self.stage_counts))

    @property
    def efficiency(self) -> float:
        """Stage Efficiency in per cent: stages of the single-arm plans divided by these."""
        return 100 * sum(self.single) / sum(self.stage_counts)


@dataclass(frozen=True, slots=True)
class DualArmReport:
    """All rows, the paper's first; the tasks' instructions and sub-tasks."""

    tasks: tuple[str, ...]
    sub_tasks: tuple[int, ...]
    rows: tuple[MethodRow, ...]
    not_run: tuple[str, ...] = NOT_RUN


def evaluate(library: Library, methods: Sequence[tuple[str, Scheduler]]) -> DualArmReport:
    """Schedule the nine graphs by every method. Raises EvaluationInputError, ProblemError."""
    problems = [problem_in(library, name) for name in TASKS]
    graphs = [_graph(problem) for problem in problems]
    layouts = {scene: _layout(library, scene) for scene in {p.model.scene for p in problems}}
    rows = [_paper_row(reported) for reported in (TP_S, TP_D, DAG_PLAN)]
    for geometry in (False, True):
        for name, method in methods:
            label = f"{name}, with geometry" if geometry else name
            places = [
                layouts[p.model.scene].with_things_at(p.moved_things) if geometry else None
                for p in problems
            ]
            rows.append(_row(label, method, problems, graphs, places))
    counts = tuple(len(list(graph.work())) for graph in graphs)
    return DualArmReport(tuple(problem.model.task for problem in problems), counts, tuple(rows))


def _paper_row(reported: PaperPlanning) -> MethodRow:
    return MethodRow(f"paper: {reported.method}", False, reported.stages, reported.success)


def _row(
    label: str,
    method: Scheduler,
    problems: Sequence[AllocationProblem],
    graphs: Sequence[TaskGraph],
    layouts: Sequence[ArmLayout | None],
) -> MethodRow:
    stages: list[int | None] = []
    failures: list[str] = []
    began = time.perf_counter()
    for problem, graph, layout in zip(problems, graphs, layouts, strict=True):
        try:
            found = method(graph, layout)
        except ValueError as error:
            stages.append(None)
            failures.append(f"{problem.entry.name}: {error}")
            continue
        result = validate(steps_of(found, graph), problem.world, layout)
        stages.append(len(found) if result.good else None)
        if result.violation is not None:
            failures.append(f"{problem.entry.name}: {result.violation}")
    return MethodRow(label, True, tuple(stages), None, tuple(failures), time.perf_counter() - began)


def _graph(problem: AllocationProblem) -> TaskGraph:
    path = problem.model.graph
    if path is None:
        raise EvaluationInputError(f"{problem.entry.path}: the task has no 'graph'")
    graph, problems = read_graph(problem.view.library.file(path, problem.entry))
    if graph is None:
        raise EvaluationInputError(f"{path}: {problems[0].message}: 'treec plan check' says more")
    return graph


def _layout(library: Library, scene: str) -> ArmLayout:
    path = library.root / LAYOUTS / f"{scene}.yaml"
    layout, problems = read_layout(path)
    if layout is None:
        raise EvaluationInputError(f"{LAYOUTS}/{scene}.yaml: {problems[0].message}")
    return layout
