"""A task graph by number, the input of every scheduler.

Nodes are numbered in file order, without those of type complete; sets of nodes are bit masks. A
node's type determines the arms that it needs:

- an occupy node needs its number of arms free, and keeps them until its hold's release is done;
- a release or tool use node works with the arms of its hold, of which each does one node at a time,
  and needs free arms only beyond those;
- an operate node needs its number of arms free for itself alone.

In a stage, a node's edges must have been done in earlier stages, and an arm that lets go in a stage
is free from the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations

from treec.frozen import frozen
from treec.graph import topological_order
from treec_dag_plan.arms.bit_graph import ancestor_bits
from treec_dag_plan.arms.model import GraphNode, NodeType, TaskGraph
from treec_dag_plan.arms.pairs import Pair, pairs_of
from treec_dag_plan.arms.plan import ARMS
from treec_dag_plan.arms.schedule.team import ArmTeam


@frozen
class Hold:
    """A pair by number: `members` are its nodes as bits, occupy and release among them."""

    occupy: int
    release: int
    members: int
    arms: int
    thing: str


class ScheduleError(ValueError):
    """No plan of these arms can do a graph; `node` is where that shows."""

    def __init__(self, node: str, message: str) -> None:
        self.node = node
        super().__init__(f"{node}: {message}")


@frozen(slots=False)
class SchedulingProblem:
    """Nodes, holds and arms by number; `rivals` are holds of one thing, never open together."""

    graph: TaskGraph
    ids: tuple[str, ...]
    types: tuple[NodeType, ...]
    pred: tuple[int, ...]
    succ: tuple[tuple[int, ...], ...]
    holds: tuple[Hold, ...]
    own: tuple[tuple[int, ...], ...]  # node → the holds that it belongs to
    need: tuple[int, ...]  # node → the free arms that it needs to begin
    arms: tuple[str, ...]
    can: tuple[int, ...]  # node → the arms that may do it, as bits
    bodies: tuple[int, ...]  # which arms belong to one body, as bits: several arms work within one

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self.ids)

    @cached_property
    def everything(self) -> int:
        """All nodes, as bits."""
        return (1 << self.size) - 1

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The nodes in topological order, ties in file order."""
        return tuple(topological_order(dict(enumerate(self.succ))))

    @cached_property
    def before(self) -> tuple[int, ...]:
        """Node → all of its predecessors, as bits."""
        return tuple(ancestor_bits(dict(enumerate(self.succ))).values())

    @cached_property
    def after(self) -> tuple[int, ...]:
        """Node → all of its successors, as bits."""
        return tuple(ancestor_bits({v: bits(mask) for v, mask in enumerate(self.pred)}).values())

    @cached_property
    def closing(self) -> tuple[int, ...]:
        """Hold → all nodes needed to close it and every hold opened on the way, as bits."""
        found = [self.before[hold.release] | 1 << hold.release for hold in self.holds]
        taking = {hold.occupy: h for h, hold in enumerate(self.holds)}
        takes = sum(1 << v for v in taking)
        on_the_way = [[taking[v] for v in bits(mask & takes)] for mask in found]
        changed = True
        while changed:
            changed = False
            for h, others in enumerate(on_the_way):
                mask = found[h]
                for g in others:
                    mask |= found[g]
                if mask != found[h]:
                    on_the_way[h] += [taking[v] for v in bits(mask & ~found[h] & takes)]
                    found[h] = mask
                    changed = True
        return tuple(found)

    @cached_property
    def used(self) -> tuple[int, ...]:
        """Node → the number of arms that are busy during it."""
        return tuple(
            self.need[v]
            if self.types[v] == "occupy"
            else self.need[v] + sum(self.holds[h].arms for h in self.own[v])
            for v in range(self.size)
        )

    @cached_property
    def rivals(self) -> tuple[tuple[int, ...], ...]:
        """Hold → the other holds of the same object."""
        by_thing: dict[str, list[int]] = {}
        for h, hold in enumerate(self.holds):
            by_thing.setdefault(hold.thing, []).append(h)
        return tuple(
            tuple(g for g in by_thing[hold.thing] if g != h) for h, hold in enumerate(self.holds)
        )

    @cached_property
    def alike(self) -> bool:
        """Whether all arms are identical."""
        every = (1 << len(self.arms)) - 1
        return self.bodies == (every,) and all(mask == every for mask in self.can)

    def extra_arms(self, v: int, free: int, one: bool = False) -> Iterator[int]:
        """Yield the choices of free arms that a node needs beyond its hold, as bits.

        With `one` only the first, which is enough for identical arms.
        """
        need = self.need[v]
        if not need:
            yield 0
            return
        free &= self.can[v]
        for body in self.bodies:
            for some in combinations(bits(free & body), need):
                yield sum(1 << a for a in some)
                if one:
                    return

    def open_holds(self, done: int) -> list[int]:
        """The holds that are open when these nodes are done."""
        return [
            h
            for h, hold in enumerate(self.holds)
            if done >> hold.occupy & 1 and not done >> hold.release & 1
        ]


def bits(mask: int) -> list[int]:
    """Return the numbers of the set bits, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def problem_of(
    graph: TaskGraph, arms: Sequence[str] = ARMS, team: ArmTeam | None = None
) -> SchedulingProblem:
    """Number a graph. Raises PairError, ScheduleError, and ValueError for a cycle.

    With a team, its arms are used; a node is for those that can do it and, in a hold, all of the
    hold.
    """
    if team is not None:
        arms = team.arms
    pairs = pairs_of(graph)
    nodes = list(graph.work())
    number = {node.id: v for v, node in enumerate(nodes)}
    completing = {node.id: node for node in graph.nodes if node.type == "complete"}
    pred = []
    for node in nodes:
        late = next((b for b in node.after if b in completing), None)
        if late is not None:
            raise ScheduleError(node.id, f"it waits for {late}, which ends the task")
        pred.append(sum(1 << number[b] for b in dict.fromkeys(node.after) if b in number))
    succ: list[list[int]] = [[] for _ in nodes]
    for v, mask in enumerate(pred):
        for u in bits(mask):
            succ[u].append(v)
    holds = tuple(
        Hold(
            number[pair.occupy],
            number[pair.release],
            sum(1 << number[id] for id in pair.members),
            pair.arms,
            pair.thing,
        )
        for pair in pairs
    )
    own = _own(pairs, number, len(nodes))
    need = tuple(_need(node, [holds[h] for h in own[v]]) for v, node in enumerate(nodes))
    for v, node in enumerate(nodes):
        held = sum(holds[h].arms for h in own[v]) if node.type != "occupy" else 0
        if need[v] + held > len(arms):
            raise ScheduleError(
                node.id, f"{node.name} needs {need[v] + held} arms, and there are {len(arms)}"
            )
    can = _can(nodes, holds, own, arms, team)
    every = (1 << len(arms)) - 1
    return SchedulingProblem(
        graph,
        tuple(node.id for node in nodes),
        tuple(node.type for node in nodes),
        tuple(pred),
        tuple(tuple(found) for found in succ),
        holds,
        own,
        need,
        tuple(arms),
        can,
        (every,) if team is None else team.bodies,
    )


def _can(
    nodes: Sequence[GraphNode],
    holds: Sequence[Hold],
    own: Sequence[tuple[int, ...]],
    arms: Sequence[str],
    team: ArmTeam | None,
) -> tuple[int, ...]:
    every = (1 << len(arms)) - 1
    if team is None:
        return (every,) * len(nodes)
    alone = [
        sum(1 << a for a, arm in enumerate(arms) if team.takes(node, arm) is not None)
        for node in nodes
    ]
    can = list(alone)
    for h, hold in enumerate(holds):
        mask = every
        for v in bits(hold.members):
            if own[v] == (h,):
                mask &= alone[v]
        can[hold.occupy] &= mask
        if not mask:
            raise ScheduleError(
                nodes[hold.occupy].id, f"no arm can do all from it to {nodes[hold.release].id}"
            )
    for node, mask in zip(nodes, can, strict=True):
        if not mask:
            raise ScheduleError(node.id, f"no arm can do {node.name}")
    return tuple(can)


def _own(pairs: Sequence[Pair], number: dict[str, int], size: int) -> tuple[tuple[int, ...], ...]:
    own: list[list[int]] = [[] for _ in range(size)]
    for h, pair in enumerate(pairs):
        for id in pair.members:
            own[number[id]].append(h)
    return tuple(tuple(found) for found in own)


def _need(node: GraphNode, own: Sequence[Hold]) -> int:
    if node.type in ("occupy", "operate"):
        return max(1, node.arms)
    return max(0, node.arms - sum(hold.arms for hold in own))
