"""Improve a plan of stages with CP-SAT, or prove that no plan has fewer, within a time limit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from treec_dag_plan.arms.schedule.assign_arms import assign_arms
from treec_dag_plan.arms.schedule.geometry import Geometry
from treec_dag_plan.arms.schedule.moves import Work
from treec_dag_plan.arms.schedule.problem import SchedulingProblem

Gap = Callable[[int, int], None]
"""Called with the number of stages and the bound whenever one of them has improved."""


def improve_stages(
    problem: SchedulingProblem,
    stages: Sequence[Work],
    bound: int,
    geometry: Geometry | None,
    seconds: float,
    *,
    least: int = 0,
    gap: Gap | None = None,
) -> tuple[tuple[Work, ...], int]:
    """Return the best stages and bound. Raises NoSolver.

    CP-SAT gets the stages as a hint, and `least` as a bound; with 0 its proof is independent.
    """
    from treec_dag_plan.arms.schedule.cp_sat import solve, solver_module

    solver_module()
    if not problem.size:
        return tuple(stages), bound
    hint = [0] * problem.size
    for number, work in enumerate(stages):
        for v, _ in work:
            hint[v] = number
    found = solve(
        problem,
        len(stages),
        geometry=geometry,
        least=least,
        hint=hint,
        seconds=seconds,
        progress=gap,
    )
    bound = max(bound, found.bound)
    if found.begins is None or max(found.begins) + 1 >= len(stages):
        return tuple(stages), bound
    ends = [begin + 1 for begin in found.begins]
    arms = found.arms or assign_arms(problem, found.begins, ends)
    return _in_stages(found.begins, arms), bound


def _in_stages(begins: Sequence[int], arms: Sequence[int]) -> tuple[Work, ...]:
    """Convert the solver's start times to stages."""
    found: list[list[tuple[int, int]]] = [[] for _ in range(max(begins) + 1)]
    for v, begin in enumerate(begins):
        found[begin].append((v, arms[v]))
    return tuple(tuple(work) for work in found)
