"""The order in which holds never wait: a problem with more edges, to steer by.

What a node of a hold waits for outside the hold is asked for before the hold begins, as DAG-Plan's
check 1 would have it (`pair-closure`), except where holds wait for each other in a circle. Chains
that only show once holds are taken as wholes become visible so. No bound: a schedule may do better.
"""

from __future__ import annotations

from dataclasses import replace

from treec.graph import strong_components
from treec.systems.dag_plan.arms.schedule.problem import SchedulingProblem, bits


def guided(problem: SchedulingProblem) -> SchedulingProblem:
    """The problem with such edges."""
    pred = list(problem.pred)
    for hold in problem.holds:
        for v in bits(hold.members & ~(1 << hold.occupy)):
            outside = problem.pred[v] & ~hold.members & ~problem.after[hold.occupy]
            pred[hold.occupy] |= outside & ~(1 << hold.occupy)
    components = strong_components({v: bits(mask) for v, mask in enumerate(pred)})
    part = {v: number for number, members in enumerate(components) for v in members}
    for hold in problem.holds:
        o = hold.occupy
        added = pred[o] & ~problem.pred[o]
        pred[o] &= ~sum(1 << u for u in bits(added) if part[u] == part[o])
    succ: list[list[int]] = [[] for _ in pred]
    for v, mask in enumerate(pred):
        for u in bits(mask):
            succ[u].append(v)
    return replace(problem, pred=tuple(pred), succ=tuple(tuple(found) for found in succ))
