"""Find missing edges (infeasible orders, orders that miss the goal) and unnecessary nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from treec_dag_plan.arms import finding_kinds as kinds
from treec_dag_plan.arms.check_orders import (
    Orders,
    OrderSearch,
    Progress,
    SearchState,
)
from treec_dag_plan.arms.check_repair import EdgeRepair, find_repair
from treec_dag_plan.arms.commands import CommandMeaning
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.read import GraphReading
from treec_dag_plan.arms.ways import find_goal_ways, find_ways
from treec_dag_plan.arms.world import ArmWorld
from treec_kitchen.graph_findings import Edge, GraphFinding

MOST_TOLD = 5
"""So many nodes that some order stops at are progress of."""
PROBE_STEPS = 15_000
SMALL = 120
"""Larger graphs are not searched for unnecessary nodes."""


@dataclass
class GoalCheck:
    """What is wrong with the orders that a graph allows; ``cut`` when some were not searched."""

    findings: list[GraphFinding] = field(default_factory=list)
    cut: bool = False


def judge_orders(
    reading: GraphReading,
    graph: TaskGraph,
    world: ArmWorld,
    meanings: Mapping[str, CommandMeaning],
    progress: Progress | None = None,
) -> GoalCheck:
    """Search the orders that a graph allows for problems."""
    orders = Orders(graph, world, meanings)
    search = orders.examine(PROBE_STEPS, progress)
    result = GoalCheck(cut=search.cut)
    found = result.findings
    if search.refused or search.missed is not None:
        repair = find_repair(orders, search)
        found += _infeasible_orders(reading, orders, search, repair)
        if search.missed is not None:
            found.append(_missed_goal(reading, orders, search, search.missed, repair))
    if not found and search.reached is not None and len(orders.nodes) <= SMALL:
        found += _unnecessary_nodes(reading, orders, search.reached)
    return result


def _infeasible_orders(
    reading: GraphReading, orders: Orders, search: OrderSearch, repair: EdgeRepair | None
) -> Iterator[GraphFinding]:
    refused = sorted(search.refused.values(), key=lambda r: (r.after.done.bit_count(), r.node))
    for one in refused[:MOST_TOLD]:
        node = orders.nodes[one.node]
        why = orders.world.refusal(one.action, one.after.facts)
        order = one.after.order()
        edges = () if repair is None else repair.edges_for(one.node)
        ways = () if edges else find_ways(orders.world, one.action, one.after.facts)
        yield (kinds.STOPS if order else kinds.STOPS_AT_START).at(
            node.id,
            missing=_edge(orders, edges),
            edges=_edges(orders, edges),
            span=reading.span(node.id, "edge"),
            order=_ids(orders, order),
            why=why,
            does=_does(orders, ways, one.node),
            ways=ways or None,
        )


def _missed_goal(
    reading: GraphReading,
    orders: Orders,
    search: OrderSearch,
    missed: SearchState,
    repair: EdgeRepair | None,
) -> GraphFinding:
    assert reading.graph is not None
    order = missed.order()
    ids, goals = _ids(orders, order), orders.world.unmet_goals(missed.facts)
    if search.reached is None and not search.cut and not search.refused:
        end = next((n.id for n in reading.graph.nodes if n.type == "complete"), None)
        at = end or orders.nodes[order[-1]].id
        ways = find_goal_ways(orders.world, missed.facts) or None
        return kinds.NO_ORDER.at(at, span=reading.span(at, ""), order=ids, goals=goals, ways=ways)
    edges = () if repair is None else repair.edges_for(None)
    at = orders.nodes[edges[0][1] if edges else order[-1]].id
    return kinds.MISSES_GOAL.at(
        at,
        missing=_edge(orders, edges),
        edges=_edges(orders, edges),
        span=reading.span(at, "edge"),
        order=ids,
        goals=goals,
    )


def _does(orders: Orders, ways: Sequence[str], but: int) -> tuple[str, ...] | None:
    """The other nodes that do one of these commands; None if there are none."""
    arms = orders.world.arms
    found = []
    for node, meaning in zip(orders.nodes, orders.meant, strict=True):
        action = meaning.action(orders.world, arms[: len(meaning.skill.arms)])
        if action.words in ways and node is not orders.nodes[but]:
            found.append(f"{node.id}, {action.words}")
    return tuple(found) or None


def _edge(orders: Orders, edges: Sequence[tuple[int, int]]) -> Edge | None:
    return (orders.nodes[edges[0][0]].id, orders.nodes[edges[0][1]].id) if edges else None


def _edges(orders: Orders, edges: Sequence[tuple[int, int]]) -> tuple[str, ...] | None:
    """The edges in words; None if there are none."""
    ids = [(orders.nodes[first].id, orders.nodes[then].id) for first, then in edges]
    return tuple(f"{first} among the edges of {then}" for first, then in ids) or None


def _unnecessary_nodes(
    reading: GraphReading, orders: Orders, reached: SearchState
) -> Iterator[GraphFinding]:
    """Yield the nodes without which the same order reaches the goal."""
    order = reached.order()
    removed: set[int] = set()
    for node in reversed(order):
        unit = {node}
        hold = orders.hold[node]
        kind = orders.nodes[node].type
        if hold is not None and kind != "tool use":
            unit = {n for n in order if orders.hold[n] == hold}
        if unit & removed:
            continue
        moment = orders.replay(n for n in order if n not in removed | unit)
        if moment is not None and orders.world.is_goal(moment.facts):
            removed |= unit
    for node in sorted(removed):
        one = orders.nodes[node]
        yield kinds.NOT_NEEDED.at(one.id, span=reading.span(one.id, ""), name=one.name)


def _ids(orders: Orders, order: Sequence[int]) -> tuple[str, ...]:
    return tuple(orders.nodes[node].id for node in order)
