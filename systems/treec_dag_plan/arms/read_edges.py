"""What nodes wait for: edges written as numbers, ids or names, and the cycles among them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from treec.graph import functional_cycles, topological_order
from treec.source.diagnostics import did_you_mean
from treec.source.text import Span
from treec.source.yaml import Scalar, YamlNode
from treec.source.yaml import Sequence as ListNode
from treec_dag_plan.arms import finding_kinds as kinds
from treec_dag_plan.arms.graph_reading import GraphReading
from treec_dag_plan.arms.model import GraphNode, TaskGraph
from treec_kitchen.graph_findings import GraphFinding

_INDEX = re.compile(r"(?:node)?[\s_-]*0*(\d+)(?:\.0+)?", re.IGNORECASE)


def node_id(text: str) -> str:
    """Normalise a node's key or an edge to an id: `1`, `Node 1` and `node_01` are node_1."""
    match = _INDEX.fullmatch(text.strip())
    return f"node_{match[1]}" if match else text.strip()


def with_edges(
    reading: GraphReading, nodes: Sequence[GraphNode], lists: Mapping[str, YamlNode | None]
) -> tuple[GraphNode, ...]:
    """Nodes with what they wait for; edges that lead nowhere are findings and are left out."""
    ids = {id for id, _ in reading.spans}
    good = {node.id for node in nodes}
    names: dict[str, list[str]] = {}
    for node in nodes:
        names.setdefault(node.name.casefold(), []).append(node.id)
    found = []
    for node in nodes:
        after: list[str] = []
        for written, span in _items(reading, node.id, lists[node.id]):
            target = _target(written, ids, names)
            if target is None and reading.same_id:
                continue  # the node that is meant has the number of another
            finding = _wrong(node.id, written, target, after, ids)
            if finding is not None:
                reading.findings.append(replace(finding, span=span))
            elif target is not None and target in good:  # else it is wrong itself, and that is said
                after.append(target)
                reading.edges[(target, node.id)] = span
        found.append(replace(node, after=tuple(after)))
    return tuple(found)


def _wrong(
    id: str, written: str, target: str | None, after: Collection[str], ids: Collection[str]
) -> GraphFinding | None:
    if target is None:
        return kinds.EDGE_TO_NOTHING.at(id, target=written, near=did_you_mean(written, ids))
    if target == id:
        return kinds.EDGE_TO_ITSELF.at(id, edge=(id, id))
    if target in after:
        return kinds.EDGE_TWICE.at(id, edge=(target, id))
    return None


def _items(reading: GraphReading, id: str, value: YamlNode | None) -> Iterator[tuple[str, Span]]:
    if isinstance(value, ListNode):
        for item in value.items:
            if isinstance(item, Scalar) and item.value is not None:
                yield item.text, item.span
            else:
                reading.findings.append(kinds.EDGE_NO_NUMBER.at(id, span=item.span))
    elif isinstance(value, Scalar):
        if value.value is None or value.text.strip().casefold() in ("none", "[]", ""):
            return
        for match in re.finditer(r"[^,;]+", value.text):
            part = match[0].strip()
            if part:
                yield part, value.at(match.start() + match[0].index(part), len(part))
    elif value is not None:
        reading.findings.append(kinds.EDGES_NO_LIST.at(id, span=value.span))


def _target(written: str, ids: Collection[str], names: Mapping[str, Sequence[str]]) -> str | None:
    """Resolve an edge by number, id or unique name."""
    id = node_id(written)
    if id in ids:
        return id
    named = names.get(written.casefold(), ())
    return named[0] if len(named) == 1 else None


def cycles(reading: GraphReading, graph: TaskGraph) -> Iterator[GraphFinding]:
    """A finding for each set of nodes that wait for each other, at an edge of one cycle."""
    stuck = graph.after.keys() - set(topological_order(graph.next))
    steps = {
        id: next(b for b in after if b in stuck) for id, after in graph.after.items() if id in stuck
    }
    place = {node.id: number for number, node in enumerate(graph.nodes)}
    for path in functional_cycles(steps):
        cycle = path[::-1]
        # the edge that leads farthest back from a later node to an earlier one
        least = max(range(len(cycle)), key=lambda n: place[cycle[n - 1]] - place[cycle[n]])
        cycle = cycle[least:] + cycle[:least]
        edge = cycle[-1], cycle[0]
        closed = (*cycle, cycle[0])
        yield kinds.CYCLE.at(*cycle, edge=edge, span=reading.edges[edge], cycle=closed)
