"""Extra edges with which holds never wait, as guidance for the beam search.

Whatever a hold's nodes wait for outside the hold must be done before the hold begins, as in
DAG-Plan's check 1 (section 3.2, variant `pair-closure`), except where that would form a cycle. This
exposes chains of whole holds. It gives no bound: a schedule may be better.
"""

from __future__ import annotations

from dataclasses import replace

from treec.graph import strong_components
from treec.systems.dag_plan.arms.schedule.problem import SchedulingProblem, bits


def add_hold_edges(problem: SchedulingProblem) -> SchedulingProblem:
    """Return the problem with these edges."""
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
