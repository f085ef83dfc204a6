"""Occupy-release pairs: from taking an object to releasing it, with the tool uses in between.

A pair is one hold of one thing: an occupy node, a release node, and the tool use nodes that need
the thing meanwhile (DAG-Plan, section 3.1). Objects say which nodes belong together, and the graph
says which of several holds of one object is meant: `put "pot" onto "stove"` ends the last
`grasp "pot"` before it. Where names do not agree the graph alone decides, when only one reading is
left. Everything else is a fault, with the node that it is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from treec.frozen import frozen
from treec.graph import topological_order
from treec_dag_plan.arms import finding_kinds as kinds
from treec_dag_plan.arms.bit_graph import ancestor_bits
from treec_dag_plan.arms.model import GraphNode, TaskGraph
from treec_kitchen.graph_findings import GraphFinding

TOOL_LAST = ("with", "using")
"""Words of a command before its tool, which is then the last object, not the first."""


@frozen
class Pair:
    """One hold: the nodes that take, use and let go of a thing, and how many arms hold it."""

    thing: str
    occupy: str
    release: str
    uses: tuple[str, ...]
    arms: int

    @property
    def members(self) -> tuple[str, ...]:
        """All its nodes, the occupy node first, the release node last."""
        return (self.occupy, *self.uses, self.release)


class PairError(ValueError):
    """A graph whose pairs cannot be determined; `faults` say why."""

    def __init__(self, faults: Sequence[GraphFinding]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(f"{fault.node}: {fault.message}" for fault in faults))


class Predecessors:
    """Which nodes come before a node on every order that the graph allows, as bits.

    The graph must have no cycle. Edges to nothing are ignored.
    """

    def __init__(self, graph: TaskGraph) -> None:
        self.bit = {node.id: 1 << place for place, node in enumerate(graph.nodes)}
        self.before = ancestor_bits(graph.next)
        self.order = topological_order(graph.next)

    def is_before(self, first: str, second: str) -> bool:
        """Whether one node is done before another on every order."""
        return bool(self.before[second] & self.bit[first])

    def last(self, ids: Iterable[str]) -> list[str]:
        """Those of the nodes that come before no other of them."""
        ids = list(ids)
        return [id for id in ids if not any(self.is_before(id, o) for o in ids if o != id)]

    def first(self, ids: Iterable[str]) -> list[str]:
        """Those of the nodes that no other of them comes before."""
        ids = list(ids)
        return [id for id in ids if not any(self.is_before(o, id) for o in ids if o != id)]


def pairs_of(graph: TaskGraph) -> tuple[Pair, ...]:
    """The pairs of a graph, in the order in which their occupy nodes are written.

    Raises PairError, and ValueError when the graph has a cycle.
    """
    pairs, faults = find_pairs(graph)
    if faults:
        raise PairError(faults)
    return pairs


def find_pairs(graph: TaskGraph) -> tuple[tuple[Pair, ...], tuple[GraphFinding, ...]]:
    """The pairs that can be determined, and the faults of the others.

    Raises ValueError when the graph has a cycle.
    """
    reach = Predecessors(graph)
    faults: list[GraphFinding] = []
    ends = _match(graph, reach, faults)
    uses = _uses(graph, reach, ends, faults)
    pairs = []
    for node in graph.nodes:
        release = ends.get(node.id)
        if release is not None:
            own = tuple(uses.get(node.id, ()))
            pairs.append(Pair(_thing(node), node.id, release, own, max(1, node.arms)))
    place = {id: number for number, id in enumerate(reach.bit)}
    return tuple(pairs), tuple(sorted(faults, key=lambda fault: place[fault.node]))


def tool_of(node: GraphNode) -> str:
    """The thing that a tool use node uses: the knife of `cut "carrot" with "knife"`."""
    if not node.objects:
        return ""
    last = any(word in TOOL_LAST for word in node.command.split())
    return node.objects[-1 if last else 0]


def _thing(node: GraphNode) -> str:
    return node.objects[0] if node.objects else ""


def _match(graph: TaskGraph, reach: Predecessors, faults: list[GraphFinding]) -> dict[str, str]:
    """Occupy → release: by object first, then by the graph alone."""
    occupies = {node.id: node for node in graph.nodes if node.type == "occupy"}
    releases = {node.id: node for node in graph.nodes if node.type == "release"}
    by_thing: dict[str, list[str]] = {}
    for id in reach.order:
        if id in occupies:
            by_thing.setdefault(_thing(occupies[id]), []).append(id)
    ends: dict[str, str] = {}
    ends_of: dict[str, list[str]] = {}
    left: list[str] = []
    unclear: set[str] = set()
    for id in reach.order:
        if id not in releases:
            continue
        before = [o for o in by_thing.get(_thing(releases[id]), ()) if reach.is_before(o, id)]
        last = reach.last(before)
        if len(last) > 1:
            faults.append(_ambiguity_fault(releases[id], last))
            unclear.update(last)
        elif last:
            ends_of.setdefault(last[0], []).append(id)
        else:
            left.append(id)
    for occupy, found in ends_of.items():
        ends[occupy] = found[0]
        for id in found[1:]:
            name = releases[id].name
            faults.append(kinds.RELEASED_TWICE.at(id, found[0], name=name, first=found[0]))
    taken = set(ends_of)
    free = [id for id in reach.order if id in occupies and id not in taken]
    _match_by_graph(reach, free, left, ends)
    for id in free:
        if id not in ends and id not in unclear:
            faults.append(_unreleased_fault(occupies[id], releases.values(), reach))
    ended = {*ends.values(), *(id for found in ends_of.values() for id in found)}
    for id in left:
        if id not in ended:
            faults.append(_untaken_fault(releases[id], occupies.values()))
    return ends


def _match_by_graph(
    reach: Predecessors, free: Sequence[str], left: Sequence[str], ends: dict[str, str]
) -> None:
    """Names that do not agree: a release ends the only hold that can be meant."""
    open_ = list(free)
    waiting = list(left)
    while True:
        choices = {r: reach.last(o for o in open_ if reach.is_before(o, r)) for r in waiting}
        certain = [(r, found[0]) for r, found in choices.items() if len(found) == 1]
        chosen = [o for _, o in certain]
        certain = [(r, o) for r, o in certain if chosen.count(o) == 1]
        if not certain:
            return
        for release, occupy in certain:
            ends[occupy] = release
            open_.remove(occupy)
            waiting.remove(release)


def _uses(
    graph: TaskGraph, reach: Predecessors, ends: Mapping[str, str], faults: list[GraphFinding]
) -> dict[str, list[str]]:
    """Occupy → the tool use nodes of its hold, in an order that the graph allows."""
    by_id = graph.by_id
    by_thing: dict[str, list[str]] = {}
    for occupy in ends:
        by_thing.setdefault(_thing(by_id[occupy]), []).append(occupy)
    unended: dict[str, list[str]] = {}
    for node in graph.nodes:
        if node.type == "occupy" and node.id not in ends:
            unended.setdefault(_thing(node), []).append(node.id)
    found: dict[str, list[str]] = {}
    for id in reach.order:
        node = by_id[id]
        if node.type != "tool use":
            continue
        tool = tool_of(node)
        holds = list(_holds_around(reach, ends, by_thing.get(tool, ()), id))
        if not holds and tool not in by_thing:
            spanning = list(_holds_around(reach, ends, ends, id))
            holds = reach.last(spanning)
            if len(holds) > 1:  # two unrelated holds: neither name nor graph says which
                holds = []
        if not holds:
            if any(reach.is_before(occupy, id) for occupy in unended.get(tool, ())):
                continue  # it is the hold that never ends
            faults.append(_unheld_fault(node, tool, by_thing.get(tool, ()), ends, reach))
            continue
        found.setdefault(holds[-1], []).append(id)
        if node.arms > 1:  # one arm holds what the other works upon
            for other in dict.fromkeys(node.objects):
                if other != tool:
                    for hold in _holds_around(reach, ends, by_thing.get(other, ()), id):
                        found.setdefault(hold, []).append(id)
    return found


def _holds_around(
    reach: Predecessors, ends: Mapping[str, str], holds: Iterable[str], id: str
) -> Iterator[str]:
    for occupy in holds:
        if reach.is_before(occupy, id) and reach.is_before(id, ends[occupy]):
            yield occupy


def _ambiguity_fault(node: GraphNode, last: Sequence[str]) -> GraphFinding:
    return kinds.UNCLEAR_HOLD.at(node.id, *last, name=node.name, holds=tuple(last))


def _unreleased_fault(
    node: GraphNode, releases: Iterable[GraphNode], reach: Predecessors
) -> GraphFinding:
    thing = _thing(node)
    unordered = next((r for r in releases if _thing(r) == thing), None)
    missing = None
    if unordered is not None and not reach.is_before(node.id, unordered.id):
        missing = node.id, unordered.id
    return kinds.NEVER_RELEASED.at(node.id, missing=missing, name=node.name, thing=thing)


def _untaken_fault(node: GraphNode, occupies: Iterable[GraphNode]) -> GraphFinding:
    thing = _thing(node)
    unordered = next((o for o in occupies if _thing(o) == thing), None)
    missing = None if unordered is None else (unordered.id, node.id)
    return kinds.NEVER_TAKEN.at(node.id, missing=missing, name=node.name, thing=thing)


def _unheld_fault(
    node: GraphNode, tool: str, holds: Sequence[str], ends: Mapping[str, str], reach: Predecessors
) -> GraphFinding:
    name = node.name
    after = next((o for o in holds if reach.is_before(o, node.id)), None)
    if after is not None and not reach.is_before(ends[after], node.id):
        missing = node.id, ends[after]
        return kinds.RELEASED_EARLY.at(node.id, missing=missing, name=name, tool=tool)
    before = next((o for o in holds if not reach.is_before(ends[o], node.id)), None)
    taken = None if before is None else (before, node.id)
    return kinds.NOT_HELD.at(node.id, missing=taken, name=name, tool=tool)
