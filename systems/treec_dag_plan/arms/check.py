"""Check a task graph.

Without a task: its format, its final node and its holds. With a task, also whether its commands
and objects exist, and whether every order that its edges allow is feasible and reaches the goal
(DAG-Plan, appendix E.1, criterion 5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from treec.frozen import frozen
from treec.graph import cyclic_components, descendants
from treec.source.diagnostics import Diagnostic
from treec_dag_plan.arms import check_rules as rules
from treec_dag_plan.arms import finding_kinds as kinds
from treec_dag_plan.arms.abilities import find_misfits
from treec_dag_plan.arms.as_meant import AsMeant
from treec_dag_plan.arms.check_arms import find_deadlock
from treec_dag_plan.arms.check_goal import judge_orders
from treec_dag_plan.arms.check_orders import Orders, Progress
from treec_dag_plan.arms.check_repair import PROBE_STEPS, SMALL, find_repair
from treec_dag_plan.arms.commands import CommandMeaning
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.pairs import find_pairs
from treec_dag_plan.arms.plan import ARMS
from treec_dag_plan.arms.read import GraphReading
from treec_dag_plan.arms.world import ArmWorld
from treec_drawing.components import weak_components
from treec_kitchen.graph_findings import Edge, GraphFinding

_HARMLESS = (kinds.EDGE_TWICE,)
"""What the reader has left out, so that the rest can be judged."""


@frozen(slots=False)
class GraphCheck:
    """A graph with what is wrong with it, at its nodes and edges."""

    graph: TaskGraph | None
    findings: tuple[GraphFinding, ...]
    cut: bool = False
    """The search for a bad order ended before it had seen all."""

    @classmethod
    def of(
        cls, graph: TaskGraph | None, findings: Iterable[GraphFinding], cut: bool = False
    ) -> GraphCheck:
        """Findings in the order of their places."""
        return cls(graph, tuple(sorted(findings, key=GraphFinding.diagnostic)), cut)

    @property
    def good(self) -> bool:
        """Whether there is no error."""
        return not self.errors

    @property
    def errors(self) -> tuple[GraphFinding, ...]:
        """The findings that are errors, not warnings."""
        return tuple(finding for finding in self.findings if finding.severity == "error")

    @property
    def problems(self) -> tuple[Diagnostic, ...]:
        """The findings in words."""
        return tuple(finding.diagnostic() for finding in self.findings)

    def at(self, node: str) -> tuple[GraphFinding, ...]:
        """The findings about a node, or about an edge that it has or lacks."""
        return tuple(
            finding
            for finding in self.findings
            if node in (*finding.nodes, *(finding.edge or ()), *(finding.missing or ()))
        )


def check_graph(
    reading: GraphReading, world: ArmWorld | None = None, progress: Progress | None = None
) -> GraphCheck:
    """Judge a graph that was read, for a task when its world is given.

    `progress` hears how far the search for a bad order is, where that takes long.
    """
    findings = list(reading.findings)
    graph = read = reading.graph
    if graph is None:
        return GraphCheck.of(graph, findings)
    findings += _ends(reading, graph)
    meanings: dict[str, CommandMeaning] = {}
    if world is not None:
        meant = AsMeant(reading, world, findings)
        graph = TaskGraph(tuple(map(meant.node, graph.nodes)))
        findings, meanings = meant.findings, meant.meanings
        settled = meant.settled
    else:
        settled = []
    errors = [one for one in findings if one.severity == "error" and one not in settled]
    if any(one in errors and one.kind not in _HARMLESS for one in reading.findings):
        return GraphCheck.of(read, findings)
    holds = _with_tried_edges(graph, world, meanings, list(_holds(reading, graph, world)))
    misnamed = {one.node for one in findings if one.code == rules.THING.code}
    findings += [one for one in holds if one.node not in misnamed]
    if holds and all(one.missing is not None for one in holds):  # judge the rest as with them
        graph = _plus(graph, [one.missing for one in holds if one.missing is not None])
        settled = [*settled, *holds]
    cut = False
    errors = [one for one in findings if one.severity == "error" and one not in settled]
    codes = {finding.code for finding in errors}
    if world is not None and not codes:
        misfits = [
            replace(one, span=reading.span(one.node, "name"))
            for one in find_misfits(graph, world, meanings)
        ]
        findings += misfits
        codes |= {finding.code for finding in misfits}
    if world is not None and not codes - {rules.LOOSE.code, rules.COMPLETE.code}:
        result = judge_orders(reading, graph, world, meanings, progress)
        findings += result.findings
        cut = result.cut
    return GraphCheck.of(read, _without_followers(findings), cut)


def _with_tried_edges(
    graph: TaskGraph,
    world: ArmWorld | None,
    meanings: Mapping[str, CommandMeaning],
    findings: Sequence[GraphFinding],
) -> Sequence[GraphFinding]:
    """Remove the missing edges of holds if a graph with them is not right, or cannot be made so."""
    edges = [finding.missing for finding in findings if finding.missing is not None]
    if not edges or _holds_together(graph, world, meanings, edges):
        return findings
    return [replace(finding, missing=None) for finding in findings]


def _holds_together(
    graph: TaskGraph,
    world: ArmWorld | None,
    meanings: Mapping[str, CommandMeaning],
    edges: Sequence[Edge],
) -> bool:
    trial = _plus(graph, edges)
    if cyclic_components(trial.after):
        return False
    _, faults = find_pairs(trial)
    if any(fault.missing in edges for fault in faults):
        return False
    known = all(node.id in meanings for node in graph.work())
    if faults or world is None or not known or len(meanings) > SMALL:
        return True  # the rest needs more than edges, or cannot be tried
    orders = Orders(trial, world, meanings)
    search = orders.examine(PROBE_STEPS)
    return search.good or find_repair(orders, search) is not None


def _plus(graph: TaskGraph, edges: Sequence[Edge]) -> TaskGraph:
    added = {then: [first for first, other in edges if other == then] for _, then in edges}
    return TaskGraph(tuple(replace(n, after=(*n.after, *added.get(n.id, ()))) for n in graph.nodes))


def _without_followers(findings: Sequence[GraphFinding]) -> Iterator[GraphFinding]:
    """The findings, without loose nodes for which another finding asks for an edge."""
    awaited = {f.missing[0] for f in findings if f.missing and f.code != rules.LOOSE.code}
    awaited |= {words.partition(" ")[0] for f in findings for words in f.args.get("edges", ())}
    for finding in findings:
        if finding.code != rules.LOOSE.code or finding.node not in awaited:
            yield finding


def _ends(reading: GraphReading, graph: TaskGraph) -> Iterator[GraphFinding]:
    """Check that there is one node of type complete that waits for all the others."""
    ends = [node for node in graph.nodes if node.type == "complete"]
    if not ends and not reading.complete:
        return  # what could not be read may be it
    if not ends:
        last = graph.nodes[-1].id
        yield kinds.NO_END.at(last, span=reading.span(last, ""))
        return
    end = ends[0]
    for node in ends[1:]:
        span = reading.span(node.id, "type")
        yield kinds.SECOND_END.at(node.id, end.id, span=span, first=end.id)
    for node in graph.nodes:
        if end.id in node.after and node.type != "complete":
            edge = end.id, node.id
            yield kinds.AFTER_END.at(node.id, edge=edge, span=reading.edges[edge])
    if not reading.complete:
        return  # what nothing seems to wait for may be waited for by what could not be read
    needed = descendants(graph.after, end.id)
    together = next(part for part in weak_components(graph.after) if end.id in part)
    for node in graph.work():
        if node.id in needed:
            continue
        if graph.next[node.id]:
            continue  # the finding is about the last node that waits for it
        kind = kinds.NOT_AWAITED if node.id in together else kinds.UNCONNECTED
        yield kind.at(node.id, missing=(node.id, end.id), span=reading.span(node.id, ""))


def _holds(
    reading: GraphReading, graph: TaskGraph, world: ArmWorld | None
) -> Iterator[GraphFinding]:
    """Check holds: never released, used or released without a hold, or too many at once.

    Each missing edge is asked for once.
    """
    edges: set[Edge] = set()
    pairs, faults = find_pairs(graph)
    for fault in faults:
        if fault.missing is not None:
            if fault.missing in edges:
                continue
            edges.add(fault.missing)
        yield replace(fault, span=reading.span(fault.node, "name"))
    if faults:
        return
    arms = len(world.arms) if world is not None else len(ARMS)
    most = max((node.arms for node in graph.work()), default=0)
    if most > arms:
        for node in graph.work():
            if node.arms > arms:
                span = reading.span(node.id, "arm_num")
                yield kinds.TOO_FEW_ARMS.at(node.id, span=span, needs=node.arms, arms=arms)
        return
    deadlock = find_deadlock(graph, pairs, arms)
    if deadlock is not None:
        yield kinds.TOO_MANY_HOLDS.at(
            deadlock.node,
            span=reading.span(deadlock.node, ""),
            arms=arms,
            needs=deadlock.needs,
            held=deadlock.held,
        )
