"""Edges that the check proposes were tried: with all of them nothing is wrong any more."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.support.tiers import first_fast
from treec.source.text import SourceFile
from treec_dag_plan.arms.check import GraphCheck, check_graph
from treec_dag_plan.arms.model import GraphNode, TaskGraph
from treec_dag_plan.arms.problem import AllocationProblem
from treec_dag_plan.arms.read import read_parts
from treec_dag_plan.arms.stages import graph_text
from treec_dag_plan.arms.world import ArmWorld

from .conftest import NUMBERS, graph

Task = Callable[[int], AllocationProblem]
Edges = set[tuple[str, str]]
PROPOSED = re.compile(r"(node_\d+) among the edges of (node_\d+)")


def check(found: TaskGraph, world: ArmWorld) -> GraphCheck:
    return check_graph(read_parts(SourceFile("graph.yaml", graph_text(found.nodes))), world)


def without(whole: TaskGraph, count: int, seed: str) -> tuple[TaskGraph, Edges]:
    """A graph without some edges, chosen at random."""
    edges = [(a, n.id) for n in whole.work() for a in n.after]
    lost = set(random.Random(seed).sample(edges, min(count, len(edges))))
    return TaskGraph(tuple(_less(node, lost) for node in whole.nodes)), lost


def _less(node: GraphNode, lost: Edges) -> GraphNode:
    return replace(node, after=tuple(a for a in node.after if (a, node.id) not in lost))


def plus(found: TaskGraph, edges: Edges) -> TaskGraph:
    return TaskGraph(
        tuple(
            replace(n, after=tuple(dict.fromkeys((*n.after, *(a for a, b in edges if b == n.id)))))
            for n in found.nodes
        )
    )


def proposed(checked: GraphCheck) -> Edges:
    edges: Edges = set()
    for finding in checked.errors:
        edges |= {finding.missing} if finding.missing else set()
        edges |= {(a, b) for a, b in PROPOSED.findall(finding.help or "")}
    return edges


@pytest.mark.parametrize("number", first_fast(NUMBERS, 3))
@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.few(2)
def test_all_proposed_edges_together_mend_a_graph(task: Task, number: int, count: int) -> None:
    """Holds are mended first, then the ends, then the orders: a few rounds at most."""
    world, whole = task(number).world, graph(number)
    mended = 0
    for seed in range(4):
        here, _ = without(whole, count, f"{number} {count} {seed}")
        for _ in range(5):
            checked = check(here, world)
            edges = proposed(checked)
            if not edges:
                break
            codes = {finding.code for finding in checked.errors}
            here = plus(here, edges)
            if codes <= {"TC729", "TC730"} and len(checked.errors) <= 5:
                assert check(here, world).good, (number, count, seed, edges)
        mended += check(here, world).good
    assert mended >= 3


@pytest.mark.parametrize("number", first_fast(NUMBERS, 3))
def test_no_proposed_edge_contradicts_the_right_graph(task: Task, number: int) -> None:
    """The right graph with one more proposed edge is still right."""
    world, whole = task(number).world, graph(number)
    for count in (2, 3):
        for seed in range(4):
            here, _ = without(whole, count, f"{number} {count} {seed}")
            for edge in proposed(check(here, world)):
                assert check(plus(whole, {edge}), world).good, (count, seed, edge)


def test_two_missing_edges_are_both_named(task: Task) -> None:
    """The microwave runs with the bowl in it, and is switched off only after that."""
    world, whole = task(5).world, graph(5)
    names = {node.id: node.name for node in whole.nodes}
    edges = [(a, n.id) for n in whole.work() for a in n.after if "microwave" in names[n.id]]
    lost = set(edges[-2:])
    here = TaskGraph(tuple(_less(node, lost) for node in whole.nodes))
    checked = check(here, world)
    assert not checked.good
    assert check(plus(here, proposed(checked)), world).good
