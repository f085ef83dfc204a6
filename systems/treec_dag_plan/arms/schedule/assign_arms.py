"""Assign arms to a schedule that has only times, for identical arms."""

from __future__ import annotations

from collections.abc import Sequence

from treec_dag_plan.arms.schedule.problem import SchedulingProblem


def assign_arms(
    problem: SchedulingProblem, begins: Sequence[int], ends: Sequence[int]
) -> list[int]:
    """Return node → its arms (bits) for nodes with these starts and ends."""
    free_at = [0] * len(problem.arms)
    held: dict[int, int] = {}
    found = [0] * problem.size
    for v in sorted(range(problem.size), key=lambda v: (begins[v], ends[v])):
        holding = 0
        for arms in held.values():
            holding |= arms
        idle = sum(
            1 << a for a, until in enumerate(free_at) if until <= begins[v] and not holding >> a & 1
        )
        taken = next(iter(problem.extra_arms(v, idle, True)))
        if problem.types[v] == "occupy":
            held.update(dict.fromkeys(problem.own[v], taken))
        elif problem.types[v] != "operate":
            for h in problem.own[v]:
                taken |= held.pop(h) if problem.types[v] == "release" else held[h]
        for a in range(len(problem.arms)):
            if taken >> a & 1:
                free_at[a] = ends[v]
        found[v] = taken
    return found
