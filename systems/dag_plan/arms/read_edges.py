"""What nodes wait for: edges as numbers, ids or names, and the circles among them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from treec.graph import functional_cycles, topological_order
from treec.source.diagnostics import Diagnostic, did_you_mean
from treec.source.text import Span
from treec.source.yaml import Scalar, YamlNode
from treec.source.yaml import Sequence as ListNode
from treec.systems.dag_plan.arms import read_rules as rules
from treec.systems.dag_plan.arms.model import GraphNode, TaskGraph
from treec.systems.dag_plan.arms.reading import GraphReading

_INDEX = re.compile(r"(?:node)?[\s_-]*0*(\d+)", re.IGNORECASE)


def node_id(text: str) -> str:
    """A node's id, from its key or an edge: `1`, `Node 1` and `node_01` are node_1."""
    match = _INDEX.fullmatch(text.strip())
    return f"node_{match[1]}" if match else text.strip()


def with_edges(
    reading: GraphReading, nodes: Sequence[GraphNode], lists: Mapping[str, YamlNode | None]
) -> tuple[GraphNode, ...]:
    """Nodes with what they wait for; edges that lead nowhere are told of and left out."""
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
            if target is None and reading.twice:
                continue  # the node that is meant has the number of another
            problem = _wrong(node.id, written, target, span, after, ids)
            if problem is not None:
                reading.problems.append(problem)
            elif target is not None and target in good:  # else it is wrong itself, and that is said
                after.append(target)
                reading.edges[(node.id, target)] = span
        found.append(replace(node, after=tuple(after)))
    return tuple(found)


def _wrong(
    id: str,
    written: str,
    target: str | None,
    span: Span,
    after: Collection[str],
    ids: Collection[str],
) -> Diagnostic | None:
    if target is None:
        near = did_you_mean(written, ids)
        help = f"did you mean {near}?" if near else "an edge names a node of this graph"
        return rules.EDGE.at(span, f"{id} waits for '{written}', which is no node", help)
    if target == id:
        return rules.EDGE.at(span, f"{id} waits for itself", "remove this edge")
    if target in after:
        return rules.EDGE_TWICE.at(span, f"{id} waits for {target} twice", "write it once")
    return None


def _items(reading: GraphReading, id: str, value: YamlNode | None) -> Iterator[tuple[str, Span]]:
    if isinstance(value, ListNode):
        for item in value.items:
            if isinstance(item, Scalar) and item.value is not None:
                yield item.text, item.span
            else:
                message = f"an edge of {id} is no number of a node"
                reading.problems.append(rules.EDGE.at(item.span, message, "write edge: [1, 2]"))
    elif isinstance(value, Scalar):
        if value.value is None or value.text.strip().casefold() in ("none", "[]", ""):
            return
        for match in re.finditer(r"[^,;]+", value.text):
            part = match[0].strip()
            if part:
                yield part, value.at(match.start() + match[0].index(part), len(part))
    elif value is not None:
        message = f"the 'edge' of {id} is no list"
        reading.problems.append(rules.NODE_KEY.at(value.span, message, "write edge: [1, 2]"))


def _target(written: str, ids: Collection[str], names: Mapping[str, Sequence[str]]) -> str | None:
    """The node that an edge means: its number, its id, or the only one of that name."""
    id = node_id(written)
    if id in ids:
        return id
    named = names.get(written.casefold(), ())
    return named[0] if len(named) == 1 else None


def circles(reading: GraphReading, graph: TaskGraph) -> Iterator[Diagnostic]:
    """A finding for each knot of nodes that wait for each other, at an edge within it."""
    stuck = graph.after.keys() - set(topological_order(graph.next))
    steps = {
        id: next(b for b in after if b in stuck) for id, after in graph.after.items() if id in stuck
    }
    for path in functional_cycles(steps):
        circle = path[::-1]
        first, last = circle[0], circle[-1]
        shown = [*circle, first]
        if len(shown) > 8:
            shown = [*shown[:4], "…", *shown[-3:]]
        yield rules.CYCLE.at(
            reading.edges[(first, last)],
            f"nodes wait for each other in a circle: {', then '.join(shown)}",
            "remove the edge that does not have to be",
        )
