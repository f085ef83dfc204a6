"""Which row of a layered picture each vertex stands in.

Vertices are numbers here, edges pairs of them. A back edge of a depth-first walk is turned round;
ranks are longest paths from the sources, after which every vertex slides to where its edges are
shortest in sum (the aim of Gansner et al., "A Technique for Drawing Directed Graphs", section 2,
reached by single moves instead of network simplex).
"""

from __future__ import annotations

from collections.abc import Sequence

Pair = tuple[int, int]

_ROUNDS = 50


def back_edges(count: int, edges: Sequence[Pair]) -> set[int]:
    """The indices of edges that close a cycle, walking from sources first, in the given order."""
    out: list[list[int]] = [[] for _ in range(count)]
    sources = [True] * count
    for index, (source, target) in enumerate(edges):
        out[source].append(index)
        if source != target:
            sources[target] = False
    found: set[int] = set()
    state = [0] * count  # 0 unseen, 1 on the path, 2 done
    for root in sorted(range(count), key=lambda vertex: not sources[vertex]):
        if state[root]:
            continue
        state[root] = 1
        path = [(root, iter(out[root]))]
        while path:
            vertex, rest = path[-1]
            step = next(rest, None)
            if step is None:
                state[vertex] = 2
                path.pop()
                continue
            target = edges[step][1]
            if state[target] == 1:
                found.add(step)
            elif state[target] == 0:
                state[target] = 1
                path.append((target, iter(out[target])))
    return found


def topological(count: int, edges: Sequence[Pair]) -> list[int]:
    """The vertices of an acyclic graph, sources first, otherwise in the order of their numbers."""
    waiting = [0] * count
    after: list[list[int]] = [[] for _ in range(count)]
    for source, target in edges:
        after[source].append(target)
        waiting[target] += 1
    order = [vertex for vertex in range(count) if not waiting[vertex]]
    for vertex in order:
        for target in after[vertex]:
            waiting[target] -= 1
            if not waiting[target]:
                order.append(target)
    return order


def ranks(count: int, edges: Sequence[Pair]) -> list[int]:
    """A rank from 0 for each vertex of an acyclic graph; every edge leads to a higher one."""
    before: list[list[int]] = [[] for _ in range(count)]
    after: list[list[int]] = [[] for _ in range(count)]
    for source, target in edges:
        before[target].append(source)
        after[source].append(target)
    order = topological(count, edges)
    rank = [0] * count
    for vertex in order:
        rank[vertex] = max((rank[source] + 1 for source in before[vertex]), default=0)
    for _ in range(_ROUNDS):
        moved = False
        for vertex in reversed(order):
            # Each step down lengthens every edge in and shortens every edge out.
            if len(after[vertex]) > len(before[vertex]):
                lowest = min(rank[target] for target in after[vertex]) - 1
                moved |= lowest != rank[vertex]
                rank[vertex] = lowest
        if not moved:
            break
    first = min(rank, default=0)
    return [value - first for value in rank]
