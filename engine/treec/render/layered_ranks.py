"""Ranks: the row of each vertex in a layered layout.

Vertices are numbers, edges pairs of numbers. Back edges of a depth-first search are reversed. Ranks
are longest paths from the sources; then single moves shorten the total edge length (the objective
of Gansner et al., "A Technique for Drawing Directed Graphs", section 2, without network simplex).
"""

from __future__ import annotations

from collections.abc import Sequence

from treec.graph import back_edges, topological_order

Pair = tuple[int, int]

_ROUNDS = 50


def edges_of(count: int, pairs: Sequence[Pair]) -> dict[int, list[int]]:
    """The graph with these edges."""
    found: dict[int, list[int]] = {vertex: [] for vertex in range(count)}
    for source, target in pairs:
        found[source].append(target)
    return found


def edges_to_reverse(count: int, edges: Sequence[Pair]) -> set[int]:
    """The indices of the edges that close a cycle in a depth-first search from the sources."""
    entered = {target for source, target in edges if source != target}
    starts = sorted(range(count), key=entered.__contains__)
    back = back_edges(edges_of(count, edges), starts)
    return {index for index, edge in enumerate(edges) if edge in back}


def ranks(count: int, edges: Sequence[Pair]) -> list[int]:
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
