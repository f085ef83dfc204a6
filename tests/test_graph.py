"""Graphs, held against networkx, which is not ours."""

from __future__ import annotations

from itertools import pairwise

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treec import graph
from treec_drawing.components import weak_components

Edges = dict[int, list[int]]
NODES = st.integers(0, 7)
GRAPHS = st.dictionaries(NODES, st.lists(NODES, max_size=4), max_size=8)
"""Edges may lead to themselves, be given twice, and lead to what is no node."""


def same(edges: Edges) -> networkx.DiGraph[int]:
    """The graph that is meant, by other means than :func:`graph.to_networkx`."""
    found: networkx.DiGraph[int] = networkx.DiGraph()
    found.add_nodes_from(edges)
    found.add_edges_from((a, b) for a in edges for b in edges[a] if b in edges)
    return found


@given(GRAPHS)
def test_it_is_handed_out_as_it_is(edges: Edges) -> None:
    assert networkx.utils.graphs_equal(graph.to_networkx(edges), same(edges))
    assert networkx.utils.graphs_equal(
        graph.to_networkx(graph.reverse(edges)), same(edges).reverse()
    )


def test_it_is_handed_out_with_what_is_known_of_its_nodes() -> None:
    found = graph.to_networkx({"a": ["b"], "b": []}, {"a": {"task": "fetch"}})
    assert found.nodes["a"] == {"task": "fetch"}
    assert list(found.edges) == [("a", "b")]


@given(GRAPHS)
def test_an_order_holds_all_that_no_cycle_keeps_back(edges: Edges) -> None:
    order = graph.topological_order(edges)
    theirs = same(edges)
    stuck = {node for part in cyclic(theirs) for node in part}
    kept_back = stuck.union(*(networkx.descendants(theirs, node) for node in stuck))
    assert sorted(order) == sorted(set(edges) - kept_back)
    place = {node: number for number, node in enumerate(order)}
    assert all(place[a] < place[b] for a, b in theirs.edges if a in place and b in place)


def test_an_order_is_first_come_first_served() -> None:
    after = {"a": [], "b": ["a"], "c": ["b"], "x": ["y"], "y": ["x"], "z": ["nothing"]}
    assert graph.topological_order(graph.reverse(after)) == ["a", "z", "b", "c"]


def cyclic(found: networkx.DiGraph[int]) -> list[set[int]]:
    parts = networkx.strongly_connected_components(found)
    return [p for p in parts if len(p) > 1 or any(found.has_edge(n, n) for n in p)]


@given(GRAPHS)
def test_what_can_be_reached(edges: Edges) -> None:
    theirs = same(edges)
    for node in edges:
        on_cycle = {node} if any(node in part for part in cyclic(theirs)) else set()
        assert graph.descendants(edges, node) == networkx.descendants(theirs, node) | on_cycle
        assert graph.ancestors(edges, node) == networkx.ancestors(theirs, node) | on_cycle
    everything = set().union(*(graph.descendants(edges, node) for node in edges))
    assert graph.descendants(edges, *edges) == everything


@given(GRAPHS)
def test_components(edges: Edges) -> None:
    theirs = same(edges)
    ours = graph.strong_components(edges)
    assert sets(ours) == sets(networkx.strongly_connected_components(theirs))
    place = {node: number for number, part in enumerate(ours) for node in part}
    assert all(place[a] >= place[b] for a, b in theirs.edges)
    assert sets(graph.cyclic_components(edges)) == sets(cyclic(theirs))
    assert sets(weak_components(edges)) == sets(networkx.weakly_connected_components(theirs))


def sets(parts: object) -> set[frozenset[int]]:
    found = [frozenset(part) for part in parts]  # type: ignore[attr-defined]
    assert len(found) == len(set(found))
    return set(found)


@given(GRAPHS, NODES, NODES)
def test_a_shortest_path_is_one_and_shortest(edges: Edges, start: int, goal: int) -> None:
    if start not in edges or goal not in edges:
        return
    path = graph.shortest_path(edges, start, goal)
    theirs = same(edges)
    behind = [b for b in theirs.successors(start) if networkx.has_path(theirs, b, goal)]
    if not behind:
        assert path is None
        return
    assert path is not None
    assert (path[0], path[-1]) == (start, goal)
    assert all(theirs.has_edge(a, b) for a, b in pairwise(path))
    assert len(path) - 2 == min(networkx.shortest_path_length(theirs, b, goal) for b in behind)


@given(GRAPHS)
def test_without_its_back_edges_a_graph_has_no_cycle(edges: Edges) -> None:
    back = graph.back_edges(edges)
    theirs = same(edges)
    assert all(theirs.has_edge(a, b) and networkx.has_path(theirs, b, a) for a, b in back)
    theirs.remove_edges_from(back)
    assert networkx.is_directed_acyclic_graph(theirs)
    assert bool(back) == bool(graph.cyclic_components(edges))


@given(st.lists(st.integers(0, 7), min_size=8, max_size=8))
def test_the_cycles_where_one_edge_leaves_each_node(steps: list[int]) -> None:
    step = dict(enumerate(steps))
    ours = list(graph.functional_cycles(step))
    assert sets(ours) == sets(cyclic(same({node: [to] for node, to in step.items()})))
    assert all(step[a] == b for cycle in ours for a, b in pairwise([*cycle, cycle[0]]))


@given(GRAPHS, GRAPHS)
def test_all_of_these_and_one_of_those(needs_all: Edges, needs_one: Edges) -> None:
    """Held against the definition: the least fixed point."""
    found: set[int] = set()
    while True:
        more = {
            node
            for node, needed in needs_all.items()
            if found.issuperset(needed)
            and (not needs_one.get(node) or not found.isdisjoint(needs_one[node]))
        }
        if more == found:
            break
        found = more
    assert graph.reachable_and_or(needs_all, needs_one) == found


def test_what_needs_something_that_there_is_not_is_not_reached() -> None:
    after = {"a": [], "b": ["c"], "c": ["b"], "d": ["c"], "e": ["a"], "f": ["nothing"]}
    assert graph.reachable_and_or(after, {"e": ["d", "a"]}) == {"a", "e"}
    assert graph.reachable_and_or(after, {"e": ["d"]}) == {"a"}


def test_without_networkx_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "networkx", None)
    with pytest.raises(ImportError, match=r"networkx: pip install 'treec\[graphs\]'"):
        graph.to_networkx({})
