"""Scheduling task graphs: time and stages against the size, and what stages cost in seconds.

Times are of the processor, since other work on the machine must not count; CP-SAT's limit is on the
clock, as its users set it.
"""

from __future__ import annotations

import random
import statistics
import time
from dataclasses import dataclass, field

from benchmarks.figure import Line, line_chart
from benchmarks.table import Cell, Table
from tests.systems.dag_plan.arms.schedule.random_graphs import random_graph
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.schedule.cp_sat import NoSolver, solve
from treec_dag_plan.arms.schedule.deadlock import DeadlockReport
from treec_dag_plan.arms.schedule.geometry import Geometry
from treec_dag_plan.arms.schedule.makespan import (
    NodeDurations,
    makespan_bound,
    schedule_in_time,
    staged_makespan,
)
from treec_dag_plan.arms.schedule.paper import PaperRule
from treec_dag_plan.arms.schedule.problem import SchedulingProblem, problem_of
from treec_dag_plan.arms.schedule.shortest import shortest
from treec_dag_plan.arms.schedule.team import ArmTeam

SIZES = (10, 20, 40, 60, 100, 200, 500, 1000, 2000)
LINKS = (0.5, 1.0, 2.0, 3.0)
TIMED = (10, 20, 40, 60)
LIMIT = 10.0


@dataclass
class Row:
    """What was measured at one size."""

    size: int
    graphs: int = 0
    stuck: int = 0
    paper_more: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    gaps: list[float] = field(default_factory=list)
    proved: int = 0
    solver_gaps: list[float] = field(default_factory=list)
    solver_none: int = 0
    solver_proved: int = 0


def run(small: bool) -> list[Table]:
    """Both tables."""
    rows = measure_methods((10, 20) if small else SIZES, 1 if small else 4, 1.0 if small else LIMIT)
    _kept[:] = rows
    return [_sizes(rows), _free((10,) if small else TIMED, 2 if small else 20)]


_kept: list[Row] = []


def figure() -> str:
    """Processor seconds and the distance from the bound against the number of nodes."""
    sizes = [float(row.size) for row in _kept]
    return line_chart(
        "Few stages: processor seconds for a graph, and how far above the bound",
        "nodes",
        sizes,
        (
            Line("seconds, longest", [max(row.seconds) for row in _kept], "s"),
            Line("above the bound, mean", [_mean(row.gaps) for row in _kept], "%"),
        ),
    )


def measure_methods(sizes: tuple[int, ...], seeds: int, limit: float) -> list[Row]:
    """Every method on the same graphs."""
    rows = []
    for size in sizes:
        row = Row(size)
        for number in range(seeds * len(LINKS)):
            graph = random_graph(1000 + number // len(LINKS), size, LINKS[number % len(LINKS)])
            _measure(row, graph, limit, solved=number < (len(LINKS) if size > 100 else 10**9))
        rows.append(row)
    return rows


def _measure(row: Row, graph: TaskGraph, limit: float, solved: bool) -> None:
    begun = time.process_time()
    problem = problem_of(graph)
    few = shortest(problem)
    row.seconds.append(time.process_time() - begun)
    row.graphs += 1
    row.gaps.append(100 * (len(few.stages) / few.bound - 1))
    row.proved += few.optimal
    paper = PaperRule(problem).run()
    if isinstance(paper, DeadlockReport):
        row.stuck += 1
    else:
        row.paper_more.append(100 * (len(paper) / len(few.stages) - 1))
    if not solved:
        return
    try:
        found = solve(problem, problem.size, seconds=limit)
    except NoSolver:
        return
    if found.begins is None:
        row.solver_none += 1
    else:
        row.solver_gaps.append(100 * ((max(found.begins) + 1) / few.bound - 1))
        row.solver_proved += found.optimal


def _mean(values: list[float]) -> float:
    return statistics.fmean(values) if values else 0.0


def _sizes(rows: list[Row]) -> Table:
    cells: list[tuple[Cell, ...]] = []
    for row in rows:
        solved = len(row.solver_gaps) + row.solver_none
        cells.append(
            (
                row.size,
                f"{row.stuck} of {row.graphs}",
                f"{_mean(row.paper_more):.1f}" if row.paper_more else "-",
                _mean(row.seconds),
                max(row.seconds),
                f"{_mean(row.gaps):.2f}",
                f"{max(row.gaps):.2f}",
                f"{row.proved} of {row.graphs}",
                f"{_mean(row.solver_gaps):.2f}" if row.solver_gaps else "-",
                f"{len(row.solver_gaps)} of {solved}",
                f"{row.solver_proved} of {solved}",
            )
        )
    return Table(
        "Schedules of random graphs for two arms",
        (
            "nodes",
            "paper: stuck",
            "paper: more stages, %",
            "shortest: mean, s",
            "longest, s",
            "above the bound, %",
            "at most, %",
            "proved",
            "CP-SAT: above the bound, %",
            "found",
            "proved by it",
        ),
        cells,
        (
            "Graphs of `tests/systems/dag_plan/arms/schedule/random_graphs.py`, with "
            f"{', '.join(map(str, LINKS))} edges from block to block; the paper's stages are "
            "compared where it ends. Times of the processor, reading the graph not included. "
            f"CP-SAT has {LIMIT:g} s a graph on two cores and is given neither a schedule nor a "
            "bound; the bound is ours.",
        ),
    )


def lengths(graph: TaskGraph, seed: int) -> ArmTeam:
    """Times for every node, from 1 to 9 seconds."""
    rng = random.Random(seed)
    times: dict[str, dict[str, float | None]] = {
        node.id: {"": float(rng.randint(1, 9))} for node in sorted(graph.work(), key=lambda n: n.id)
    }
    return ArmTeam(times=times)


def _free(sizes: tuple[int, ...], seeds: int) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for size in sizes:
        stages, free, bounds = 0.0, 0.0, 0.0
        for seed in range(seeds):
            graph = random_graph(2000 + seed, size)
            problem: SchedulingProblem = problem_of(graph)
            team = lengths(graph, seed)
            clock = NodeDurations(problem, team)
            few = shortest(problem)
            no_layout: Geometry | None = None
            stages += staged_makespan(problem, clock, few.stages)
            free += schedule_in_time(problem, clock, few.stages, no_layout).makespan
            bounds += makespan_bound(problem, clock)
        rows.append(
            (
                size,
                stages / seeds,
                free / seeds,
                bounds / seeds,
                f"{100 * (1 - free / stages):.0f} %",
            )
        )
    return Table(
        "Stage after stage, and free-running",
        ("nodes", "stages, s", "free-running, s", "bound, s", "time saved"),
        rows,
        (
            f"Mean of {seeds} graphs a row; nodes take 1 to 9 s at random. What is done are the "
            "shortest stages, each until its slowest node ends, or nodes that begin when they can.",
        ),
    )
