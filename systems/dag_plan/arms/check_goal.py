"""Find missing edges (infeasible orders, orders that miss the goal) and unnecessary nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from treec.source.graph_findings import Edge, GraphFinding
from treec.systems.dag_plan.arms import finding_kinds as kinds
from treec.systems.dag_plan.arms.check_orders import (
    OrderConflict,
    Orders,
    OrderSearch,
    Progress,
    SearchState,
)
from treec.systems.dag_plan.arms.commands import CommandMeaning
from treec.systems.dag_plan.arms.model import TaskGraph
from treec.systems.dag_plan.arms.read import GraphReading
from treec.systems.dag_plan.arms.world import HOLDING, ArmWorld

MOST_TOLD = 5
"""So many nodes that some order stops at are progress of."""
PROBE_STEPS = 15_000
TRY_STEPS = 30_000
"""Maximum number of steps spent on finding a missing edge."""
SMALL = 120
"""Larger graphs are not searched for missing edges and unnecessary nodes."""


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
    search = orders.search()
    if search.cut:
        orders.probe(search, PROBE_STEPS, progress)
    result = GoalCheck(cut=search.cut)
    found = result.findings
    found += _infeasible_orders(reading, orders, search)
    if search.missed is not None:
        found.append(_missed_goal(reading, orders, search, search.missed))
    if not found and search.reached is not None and len(orders.nodes) <= SMALL:
        found += _unnecessary_nodes(reading, orders, search.reached)
    return result


def _infeasible_orders(
    reading: GraphReading, orders: Orders, search: OrderSearch
) -> Iterator[GraphFinding]:
    refused = sorted(search.refused.values(), key=lambda r: (r.after.done.bit_count(), r.node))
    for one in refused[:MOST_TOLD]:
        node = orders.nodes[one.node]
        why = orders.world.refusal(one.action, one.after.facts)
        order = one.after.order()
        rest = [other for other in range(len(orders.nodes)) if not one.after.done >> other & 1]
        edge = (
            _find_enabler(orders, one)
            if len(orders.nodes) > SMALL
            else _repair(
                orders,
                [*((other, one.node) for other in rest), *((one.node, o) for o in order[::-1])],
                one.node,
            )
        )
        yield (kinds.STOPS if order else kinds.STOPS_AT_START).at(
            node.id,
            missing=_edge(orders, edge),
            span=reading.span(node.id, "edge"),
            order=_ids(orders, order),
            why=why,
        )


def _find_enabler(orders: Orders, refused: OrderConflict) -> tuple[int, int] | None:
    """Find the first unfinished node whose effects make a refused node possible."""
    for other, meaning in enumerate(orders.meant):
        if other == refused.node or refused.after.done >> other & 1:
            continue
        arms = orders.world.arms[: len(meaning.skill.arms)]
        changes = meaning.action(orders.world, arms).changes(refused.after.facts)
        facts = {**refused.after.facts, **{k: v for k, v in changes.items() if k[0] != HOLDING}}
        if refused.action.allowed(facts):
            return other, refused.node
    return None


def _missed_goal(
    reading: GraphReading,
    orders: Orders,
    search: OrderSearch,
    missed: SearchState,
) -> GraphFinding:
    assert reading.graph is not None
    order = missed.order()
    ids, goals = _ids(orders, order), orders.world.unmet_goals(missed.facts)
    if search.reached is None and not search.cut and not search.refused:
        end = next((n.id for n in reading.graph.nodes if n.type == "complete"), None)
        at = end or orders.nodes[order[-1]].id
        return kinds.NO_ORDER.at(at, span=reading.span(at, ""), order=ids, goals=goals)
    pairs = (
        (order[late], order[early]) for late in range(1, len(order)) for early in range(late)[::-1]
    )
    edge = None if len(orders.nodes) > SMALL else _repair(orders, pairs)
    at = orders.nodes[edge[1] if edge else order[-1]].id
    missing, span = _edge(orders, edge), reading.span(at, "edge")
    return kinds.MISSES_GOAL.at(at, missing=missing, span=span, order=ids, goals=goals)


def _edge(orders: Orders, edge: tuple[int, int] | None) -> Edge | None:
    return None if edge is None else (orders.nodes[edge[0]].id, orders.nodes[edge[1]].id)


def _repair(
    orders: Orders, edges: Iterable[tuple[int, int]], refused: int | None = None
) -> tuple[int, int] | None:
    """Return the first edge with which every order is feasible and reaches the goal.

    Edges whose second node is possible right after the first are tried first. If no single edge
    suffices, the first of these is returned.
    """
    above = orders.above()
    spent = 0
    weaker: tuple[int, int] | None = None
    open_ = [(a, b) for a, b in edges if a != b and not (above[a] >> b & 1 or above[b] >> a & 1)]
    at_once = [(a, b) for a, b in open_ if _right_after(orders, a, b, above, a == refused)]
    for first, then in (*at_once, *(edge for edge in open_ if edge not in at_once)):
        weaker = weaker or (at_once[0] if at_once else None)
        before = list(orders.before)
        before[then] |= 1 << first
        search = orders.search(before, TRY_STEPS // 4)
        spent += search.steps
        if search.good and not search.cut:
            return first, then
        if spent > TRY_STEPS:
            break
    return weaker


def _right_after(orders: Orders, first: int, then: int, above: Sequence[int], later: bool) -> bool:
    """Whether a node is possible right after another and the predecessors of both.

    With `later` it may have to wait for an arm.
    """
    needed = above[first] | 1 << first | above[then]
    moment = orders.first()
    while moment.done != needed:
        for node in orders.ready(moment):
            action = orders.action(node, moment) if needed >> node & 1 else None
            if action is not None and action.allowed(moment.facts):
                moment = orders.do(node, action, moment)
                break
        else:
            return False
    action = orders.action(then, moment)
    return later if action is None else action.allowed(moment.facts)


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
