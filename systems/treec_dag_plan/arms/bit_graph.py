"""Reachability in graphs as bit sets, for searches that ask for it at every step."""

from __future__ import annotations

from collections.abc import Sequence

from treec.graph import Edges, N, topological_order


def ancestor_bits(edges: Edges[N]) -> dict[N, int]:
    """Return each node's ancestors as a bit set; bit 0 is the first node of the graph.

    Raises ValueError for a graph with a cycle.
    """
    order = topological_order(edges)
    if len(order) < len(edges):
        raise ValueError("the graph has a cycle")
    bit = {node: 1 << place for place, node in enumerate(edges)}
    found = dict.fromkeys(edges, 0)
    for node in order:
        mask = found[node] | bit[node]
        for target in edges[node]:
            if target in found:
                found[target] |= mask
    return found


def reachable_bits(neighbours: Sequence[int], start: int, without: int = 0) -> int:
    """Return the nodes reachable from a node as a bit set, without entering those in ``without``.

    Nodes are numbers; ``neighbours`` holds for each its successors as a bit set.
    """
    found = 0
    waiting = neighbours[start] & ~without
    while waiting:
        low = waiting & -waiting
        found |= low
        waiting = (waiting | neighbours[low.bit_length() - 1]) & ~without & ~found
    return found
