"""Find edges with which every order of a graph is possible and reaches the goal.

Each edge is tried, and the edges together are examined as the graph itself: what is proposed holds.
Of edges that settle as much, those are taken that the order of writing agrees with, if that reaches
the goal, and of these those that leave the fewest orders that miss it: vegetables go into the pot
on the stove, not into the one in the cabinet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from treec_dag_plan.arms.check_orders import OrderConflict, Orders, OrderSearch
from treec_dag_plan.arms.world import HOLDING

IndexEdge = tuple[int, int]
"""The numbers of two nodes: the first before the second."""

TRY_STEPS = 150_000
"""Maximum number of simulated sub-tasks spent on a repair."""
PROBE_STEPS = 15_000
SMALL = 120
"""In larger graphs only edges to the node that makes another possible are tried, all at once."""


@dataclass
class EdgeRepair:
    """Edges to add; each with the nodes in conflict that it settles (None: the missed goal)."""

    edges: list[IndexEdge] = field(default_factory=list)
    settles: list[set[int | None]] = field(default_factory=list)

    def edges_for(self, node: int | None) -> tuple[IndexEdge, ...]:
        """Return the edges that settle a node's conflict."""
        both = zip(self.edges, self.settles, strict=True)
        return tuple(edge for edge, settled in both if node in settled)


def find_repair(orders: Orders, search: OrderSearch) -> EdgeRepair | None:
    """Return edges that settle all conflicts of a search; None if none were found."""
    if len(orders.nodes) > SMALL:
        return _all_at_once(orders, search)
    edges: list[IndexEdge] = []
    here, now, left = orders, search, TRY_STEPS
    places = {node: place for place, node in enumerate(orders.written() or ())}
    while not now.good:
        best: tuple[tuple[float, ...], IndexEdge, Orders, OrderSearch] | None = None
        for edge in _candidates(here, now):
            trial = here.plus([edge])
            result = trial.examine(PROBE_STEPS)
            left -= result.steps + (PROBE_STEPS if result.cut else 0)
            conflicts, share = _conflicts(result), result.misses / (result.ends or 1)
            against = bool(places) and places[edge[0]] > places[edge[1]]
            score = (conflicts, against, share)
            if result.reached is not None and (best is None or score < best[0]):
                best = score, edge, trial, result
            if (best is not None and not (best[0][0] or best[0][1])) or left < 0:
                break
        if best is None or (best[0][0] and left < 0):
            return None
        _, edge, here, now = best
        edges.append(edge)
    return _minimal(orders, search, edges)


def _conflicts(search: OrderSearch) -> float:
    return len(search.refused) + (search.missed is not None)


def _minimal(orders: Orders, search: OrderSearch, edges: list[IndexEdge]) -> EdgeRepair:
    """Drop superfluous edges, weaken the others; each settles what comes back without it."""

    def without(place: int, *instead: IndexEdge) -> OrderSearch:
        others = [*edges[:place], *instead, *edges[place + 1 :]]
        return orders.plus(others).examine(PROBE_STEPS)

    for place in reversed(range(len(edges))):
        if len(edges) > 1 and without(place).good:
            edges.pop(place)
    for place in range(len(edges)):
        weaker = iter(_weaker(orders, edges[place]))
        while (edge := next(weaker, None)) is not None:
            if without(place, edge).good:
                edges[place] = edge
                weaker = iter(_weaker(orders, edge))
    known = {*search.refused, *([None] if search.missed is not None else [])}
    settles: list[set[int | None]] = []
    for place in range(len(edges)):
        left = without(place) if len(edges) > 1 else search
        back = {*left.refused, *([None] if left.missed is not None else [])}
        settles.append(back & known or known)
    for conflict in known.difference(*settles):
        for settled in settles:
            settled.add(conflict)
    return EdgeRepair(edges, settles)


def _weaker(orders: Orders, edge: IndexEdge) -> Iterator[IndexEdge]:
    """Edges that rule out less: from what the first node waits for, to what waits for the second.

    None is from the middle of another hold: its end is what is meant.
    """
    first, then = edge
    for other in range(len(orders.nodes)):
        if orders.before[first] >> other & 1:
            is_open = orders.nodes[other].type in ("occupy", "tool use")
            if not is_open or orders.hold[other] == orders.hold[then]:
                yield other, then
    yield from ((first, other) for other in orders.next[then])


def _candidates(orders: Orders, search: OrderSearch) -> Iterator[IndexEdge]:
    """Yield the edges that rule out the shortest conflict, the likeliest first."""
    above = orders.above()
    if search.refused:
        least = min(search.refused.values(), key=lambda r: (r.after.done.bit_count(), r.node))
        node, order = least.node, least.after.order()
        rest = [n for n in range(len(orders.nodes)) if not least.after.done >> n & 1]
        edges = [*((other, node) for other in rest), *((node, o) for o in order[::-1])]
    else:
        assert search.missed is not None
        node, order = None, search.missed.order()
        edges = [
            (order[late], order[early])
            for late in range(1, len(order))
            for early in range(late)[::-1]
        ]
    edges = [(a, b) for a, b in edges if a != b and not (above[a] >> b & 1 or above[b] >> a & 1)]
    first = [edge for edge in edges if _possible_after(orders, *edge, above, edge[0] == node)]
    yield from first
    yield from (edge for edge in edges if edge not in first)


def _possible_after(
    orders: Orders, first: int, then: int, above: Sequence[int], later: bool
) -> bool:
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


def _all_at_once(orders: Orders, search: OrderSearch) -> EdgeRepair | None:
    """Let each refused node wait for the first that makes it possible, and examine the result."""
    repair = EdgeRepair()
    for conflict in search.refused.values():
        other = _find_enabler(orders, conflict)
        if other is not None:
            repair.edges.append((other, conflict.node))
            repair.settles.append({conflict.node})
    if not repair.edges:
        return None
    trial = orders.plus(repair.edges)
    acyclic = not any(bits >> node & 1 for node, bits in enumerate(trial.above()))
    return repair if acyclic and trial.examine(PROBE_STEPS).good else None


def _find_enabler(orders: Orders, refused: OrderConflict) -> int | None:
    """Find the first unfinished node whose effects make a refused node possible."""
    for other, meaning in enumerate(orders.meant):
        if other == refused.node or refused.after.done >> other & 1:
            continue
        arms = orders.world.arms[: len(meaning.skill.arms)]
        changes = meaning.action(orders.world, arms).changes(refused.after.facts)
        facts = {**refused.after.facts, **{k: v for k, v in changes.items() if k[0] != HOLDING}}
        if refused.action.allowed(facts):
            return other
    return None
