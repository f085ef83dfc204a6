"""Ranks: the row of each vertex in a layered layout.

Vertices are numbers, edges pairs of numbers. Back edges of a depth-first search are reversed. Ranks
are longest paths from the sources; then single moves shorten the total edge length (the objective
of Gansner et al., "A Technique for Drawing Directed Graphs", section 2, without network simplex).
"""

from __future__ import annotations

from collections.abc import Sequence

from treec.graph import edges_of, topological_order

_ROUNDS = 50


def ranks(count: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """A rank from 0 for each vertex of an acyclic graph; edges lead to higher ranks."""
    before = edges_of(count, [(target, source) for source, target in edges])
    after = edges_of(count, edges)
    order = topological_order(after)
    rank = [0] * count
    for vertex in order:
        rank[vertex] = max((rank[source] + 1 for source in before[vertex]), default=0)
    for _ in range(_ROUNDS):
        moved = False
        for vertex in reversed(order):
            # Each step down lengthens the incoming edges and shortens the outgoing ones.
            if len(after[vertex]) > len(before[vertex]):
                lowest = min(rank[target] for target in after[vertex]) - 1
                moved |= lowest != rank[vertex]
                rank[vertex] = lowest
        if not moved:
            break
    first = min(rank, default=0)
    return [value - first for value in rank]
