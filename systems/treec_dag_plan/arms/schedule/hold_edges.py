"""Extra edges with which holds never wait, as guidance for the beam search.

Whatever a hold's nodes wait for outside the hold must be done before the hold begins, as in
DAG-Plan's check 1 (section 3.2, variant `pair-closure`), except where that would form a cycle. This
exposes chains of whole holds. It gives no bound: a schedule may be better.

With `meanwhile`, what free arms can do while the hold's own arms work on its earlier nodes may be
done later: a knife that cuts 300 things is taken when half of them lie there.
"""

from __future__ import annotations

from dataclasses import replace

from treec.graph import strong_components
from treec_dag_plan.arms.schedule.problem import SchedulingProblem, bits


def add_hold_edges(problem: SchedulingProblem, meanwhile: bool = False) -> SchedulingProblem:
    """Return the problem with these edges."""
    pred = list(problem.pred)
    for h, hold in enumerate(problem.holds):
        later = done_meanwhile(problem, h) if meanwhile else 0
        for v in bits(hold.members & ~(1 << hold.occupy)):
            outside = problem.pred[v] & ~hold.members & ~problem.after[hold.occupy]
            pred[hold.occupy] |= outside & ~later & ~(1 << hold.occupy)
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


def done_meanwhile(problem: SchedulingProblem, h: int) -> int:
    """Return the nodes outside a hold that free arms can do without making the hold wait (bits).

    Its own nodes work one per stage, those that wait for the least first. What a node waits for can
    be done meanwhile if the free arms have enough stages for it until then; the latest is left for
    this, since it has the most stages.
    """
    hold = problem.holds[h]
    free = len(problem.arms) - hold.arms
    earlier = problem.before[hold.occupy] | problem.after[hold.occupy] | hold.members
    waits = sorted(
        ((problem.before[v] & ~earlier).bit_count(), place, problem.before[v] & ~earlier)
        for place, v in enumerate(problem.order)
        if hold.members >> v & 1 and v != hold.occupy
    )
    seen = 0
    news = []
    for _, _, outside in waits:
        news.append(outside & ~seen)
        seen |= outside
    meanwhile, room = 0, free * len(news)
    for stage in range(len(news), 0, -1):
        new = news[stage - 1]
        room = min(room, free * stage)
        work = sum(problem.used[v] for v in bits(new))
        if work <= room:
            room -= work
            meanwhile |= new
    return meanwhile
