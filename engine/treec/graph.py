"""Directed graphs: topological order, cycles, components, reachability.

A graph is a mapping: node → the nodes that its edges lead to. Edges to anything that is not a key
of the mapping are ignored. Results follow the order of the mapping and of its edges, so they are
deterministic.

`after` of a recipe or a task graph leads from a node to its predecessors:
``descendants(after, node)`` is everything that must be done before a node, and :func:`reverse`
returns the graph from predecessors to successors.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import networkx

N = TypeVar("N", bound=Hashable)
Edges = Mapping[N, Collection[N]]


def reverse(edges: Edges[N]) -> dict[N, list[N]]:
    """Return the graph with each edge reversed, without duplicates."""
    found: dict[N, list[N]] = {node: [] for node in edges}
    for node, targets in edges.items():
        for target in dict.fromkeys(targets):
            if target in found:
                found[target].append(node)
    return found


def topological_order(edges: Edges[N]) -> list[N]:
    """Return each node after all its predecessors, ties in the order of the mapping (Kahn).

    Nodes on a cycle and their descendants are omitted.
    """
    waiting = dict.fromkeys(edges, 0)
    for targets in edges.values():
        for target in targets:
            if target in waiting:
                waiting[target] += 1
    order = [node for node, count in waiting.items() if not count]
    for node in order:  # grows while it is read
        for target in edges[node]:
            if target in waiting:
                waiting[target] -= 1
                if not waiting[target]:
                    order.append(target)
    return order


def descendants(edges: Edges[N], *starts: N) -> set[N]:
    """Return all nodes reachable from some nodes by at least one edge."""
    found: set[N] = set()
    waiting = list(starts)
    while waiting:
        for target in edges[waiting.pop()]:
            if target not in found and target in edges:
                found.add(target)
                waiting.append(target)
    return found


def ancestors(edges: Edges[N], *ends: N) -> set[N]:
    """Return all nodes from which some nodes are reachable by at least one edge."""
    return descendants(reverse(edges), *ends)


def reachable_and_or(needs_all: Edges[N], needs_one: Mapping[N, Collection[N]]) -> set[N]:
    """Return the reachable nodes of an and-or graph: a node needs all of some and one of others.

    A node that needs all of something that is not a key of ``needs_all`` is not reachable.
    """
    missing = {node: set(needed) for node, needed in needs_all.items()}
    one_missing = {node: bool(needs_one.get(node)) for node in needs_all}
    needed_by = reverse({n: (*needs_all[n], *needs_one.get(n, ())) for n in needs_all})
    found = {node: None for node in missing if not missing[node] and not one_missing[node]}
    waiting = list(found)
    for node in waiting:  # grows while it is read
        for other in needed_by[node]:
            missing[other].discard(node)
            if node in needs_one.get(other, ()):
                one_missing[other] = False
            if other not in found and not missing[other] and not one_missing[other]:
                found[other] = None
                waiting.append(other)
    return set(found)


def shortest_path(edges: Edges[N], start: N, goal: N) -> list[N] | None:
    """Return the nodes of a shortest path of at least one edge, with both ends; None if none."""
    came: dict[N, N] = {}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for target in edges[node]:
            if target == goal:
                path = [goal, node]
                while path[-1] != start:
                    path.append(came[path[-1]])
                return path[::-1]
            if target not in came and target != start and target in edges:
                came[target] = node
                waiting.append(target)
    return None


def strong_components(edges: Edges[N]) -> list[list[N]]:
    """Return the strongly connected components, each before those that lead to it (Tarjan)."""
    number: dict[N, int] = {}
    low: dict[N, int] = {}
    path: list[N] = []
    on_path: set[N] = set()
    work: list[tuple[N, Iterator[N]]] = []
    found: list[list[N]] = []

    def enter(node: N) -> None:
        number[node] = low[node] = len(number)
        path.append(node)
        on_path.add(node)
        work.append((node, iter(edges[node])))

    for start in edges:
        if start not in number:
            enter(start)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in number:
                    if target in edges:
                        enter(target)
                        break
                elif target in on_path:
                    low[node] = min(low[node], number[target])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[node])
                if low[node] == number[node]:
                    component: list[N] = []
                    while not component or component[-1] != node:
                        component.append(path.pop())
                    on_path.difference_update(component)
                    found.append(component[::-1])
    return found


def cyclic_components(edges: Edges[N]) -> list[list[N]]:
    """Return the strongly connected components that contain a cycle."""
    return [part for part in strong_components(edges) if len(part) > 1 or part[0] in edges[part[0]]]


def back_edges(edges: Edges[N], starts: Iterable[N] | None = None) -> set[tuple[N, N]]:
    """Return the edges that close a cycle in a depth-first search; without them it is acyclic."""
    found: set[tuple[N, N]] = set()
    on_path: dict[N, bool] = {}
    for start in edges if starts is None else starts:
        if start in on_path:
            continue
        on_path[start] = True
        path = [(start, iter(edges[start]))]
        while path:
            node, targets = path[-1]
            for target in targets:
                if target not in on_path and target in edges:
                    on_path[target] = True
                    path.append((target, iter(edges[target])))
                    break
                if on_path.get(target):
                    found.add((node, target))
            else:
                on_path[node] = False
                path.pop()
    return found


def functional_cycles(step: Mapping[N, N]) -> Iterator[list[N]]:
    """Return the cycles of a functional graph (one edge leaves each node), in traversal order."""
    seen: set[N] = set()
    for start in step:
        path: dict[N, int] = {}
        node = start
        while node not in seen and node not in path:
            path[node] = len(path)
            node = step[node]
        seen |= path.keys()
        if node in path:
            yield list(path)[path[node] :]


def to_networkx(
    edges: Edges[N], attributes: Mapping[N, Mapping[str, object]] | None = None
) -> networkx.DiGraph[Any]:
    """Convert the graph to a `networkx.DiGraph`, its nodes with these attributes.

    networkx is imported only here. Raises ImportError, with what to install.
    """
    try:
        import networkx
    except ImportError:
        raise ImportError("this needs the package networkx: pip install 'treec[graphs]'") from None
    found: networkx.DiGraph[Any] = networkx.DiGraph()
    for node in edges:
        found.add_node(node, **(attributes or {}).get(node, {}))
    found.add_edges_from((a, b) for a, targets in edges.items() for b in targets if b in edges)
    return found


def edges_of(count: int, pairs: Sequence[tuple[int, int]]) -> dict[int, list[int]]:
    """The graph of so many vertices, numbered from 0, with these edges."""
    found: dict[int, list[int]] = {vertex: [] for vertex in range(count)}
    for source, target in pairs:
        found[source].append(target)
    return found


def edges_to_reverse(count: int, edges: Sequence[tuple[int, int]]) -> set[int]:
    """The indices of the edges that close a cycle in a depth-first search from the sources."""
    entered = {target for source, target in edges if source != target}
    starts = sorted(range(count), key=entered.__contains__)
    back = back_edges(edges_of(count, edges), starts)
    return {index for index, edge in enumerate(edges) if edge in back}
