"""The order in which holds never wait: a problem with more edges, to steer by.

What a node of a hold waits for outside the hold is asked for before the hold begins, as DAG-Plan's
check 1 would have it (`pair-closure`), except where holds wait for each other in a circle. Chains
that only show once holds are taken as wholes become visible so. No bound: a schedule may do better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from treec.plan.arms.schedule.problem import Problem, bits


def guided(problem: Problem) -> Problem:
    """The problem with such edges."""
    pred = list(problem.pred)
    for hold in problem.holds:
        for v in bits(hold.members & ~(1 << hold.occupy)):
            outside = problem.pred[v] & ~hold.members & ~problem.after[hold.occupy]
            pred[hold.occupy] |= outside & ~(1 << hold.occupy)
    part = _parts(pred)
    for hold in problem.holds:
        o = hold.occupy
        added = pred[o] & ~problem.pred[o]
        pred[o] &= ~sum(1 << u for u in bits(added) if part[u] == part[o])
    succ: list[list[int]] = [[] for _ in pred]
    for v, mask in enumerate(pred):
        for u in bits(mask):
            succ[u].append(v)
    return replace(problem, pred=tuple(pred), succ=tuple(tuple(found) for found in succ))


def _parts(pred: Sequence[int]) -> list[int]:
    """Node → the number of the strongly connected part that it lies in (Tarjan)."""
    size = len(pred)
    number, low, part = [-1] * size, [0] * size, [-1] * size
    count = parts = 0
    stack: list[int] = []
    for root in range(size):
        if number[root] >= 0:
            continue
        work: list[tuple[int, list[int]]] = [(root, bits(pred[root]))]
        number[root] = low[root] = count
        count += 1
        stack.append(root)
        while work:
            v, rest = work[-1]
            if rest:
                u = rest.pop()
                if number[u] < 0:
                    number[u] = low[u] = count
                    count += 1
                    stack.append(u)
                    work.append((u, bits(pred[u])))
                elif part[u] < 0:
                    low[v] = min(low[v], number[u])
                continue
            work.pop()
            if work:
                above = work[-1][0]
                low[above] = min(low[above], low[v])
            if low[v] == number[v]:
                while True:
                    u = stack.pop()
                    part[u] = parts
                    if u == v:
                        break
                parts += 1
    return part
