"""Reachability as bit sets, held against sets of nodes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treec import graph
from treec_dag_plan.arms.bit_graph import ancestor_bits, reachable_bits

Edges = dict[int, list[int]]
NODES = st.integers(0, 7)
GRAPHS = st.dictionaries(NODES, st.lists(NODES, max_size=4), max_size=8)
"""Edges may lead to themselves, be given twice, and lead to what is no node."""


@given(GRAPHS)
def test_ancestors_as_bits(edges: Edges) -> None:
    if graph.cyclic_components(edges):
        with pytest.raises(ValueError, match="has a cycle"):
            ancestor_bits(edges)
        return
    place = {node: number for number, node in enumerate(edges)}
    for node, mask in ancestor_bits(edges).items():
        assert {n for n in edges if mask >> place[n] & 1} == graph.ancestors(edges, node)


@given(st.lists(st.sets(st.integers(0, 6)), min_size=7, max_size=7), st.sets(st.integers(0, 6)))
def test_what_can_be_reached_as_bits(targets: list[set[int]], without: set[int]) -> None:
    masks = [sum(1 << t for t in some) for some in targets]
    kept = {n: [t for t in some if t not in without] for n, some in enumerate(targets)}
    for start in range(7):
        expected = graph.descendants(kept, start)
        mask = reachable_bits(masks, start, sum(1 << n for n in without))
        assert {n for n in range(7) if mask >> n & 1} == expected
