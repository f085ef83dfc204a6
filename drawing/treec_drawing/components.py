"""The parts of a graph that no edge connects."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar

from treec.graph import Edges, descendants, reverse

N = TypeVar("N", bound=Hashable)


def weak_components(edges: Edges[N]) -> list[list[N]]:
    """Return the weakly connected components."""
    back = reverse(edges)
    near = {node: [*targets, *back[node]] for node, targets in edges.items()}
    place: dict[N, int] = {}
    found: list[list[N]] = []
    for node in edges:
        if node not in place:
            place |= dict.fromkeys((node, *descendants(near, node)), len(found))
            found.append([])
        found[place[node]].append(node)
    return found
