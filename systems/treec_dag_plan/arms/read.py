"""Read a task graph in DAG-Plan's format (appendix E.1), with findings at their lines.

Also accepted, because they are unambiguous: edges written as ids or names, a single edge without
brackets, `tool_use` for `tool use`, objects in any quotes, nodes without `nodes:` above.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from treec.source import yaml_rules
from treec.source.diagnostics import Diagnostic
from treec.source.text import SourceFile, Span
from treec.source.yaml import Mapping, YamlNode, read_documents, read_file
from treec_dag_plan.arms import read_rules as rules
from treec_dag_plan.arms.finding_kinds import KEYS, NODE_TWICE
from treec_dag_plan.arms.graph_reading import GraphReading
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.read_edges import cycles, with_edges
from treec_dag_plan.arms.read_node import NodeReader
from treec_kitchen.graph_findings import GraphFinding, file_finding

__all__ = ["MOST_NODES", "GraphReading", "read_graph", "read_parts"]

MOST_NODES = 2500
MOST_COUNTED = 50_000_000
"""Maximum number of characters of an oversized file in which nodes are counted."""

_NODE = re.compile(r"""(?:^\s*|[{,]\s*)["']?(?:node[\s_-]*)?\d+["']?\s*:""", re.IGNORECASE)


def read_graph(source: Path | SourceFile | str) -> tuple[TaskGraph | None, list[Diagnostic]]:
    """A graph from a file or a text, and what is wrong with it; None when it has an error.

    A graph that is returned has unique ids, edges between its nodes only, and no circle.
    """
    found = read_parts(source)
    return (found.graph if found.sound else None), found.problems


def read_parts(source: Path | SourceFile | str) -> GraphReading:
    """Whatever could be read of a graph, for those who have more to say about it."""
    if isinstance(source, Path):
        file, problems = read_file(source, source.as_posix())
        if file is None:
            found = [_large(p, lambda: nodes_in(_chunks(source))) for p in problems]
            return GraphReading(None, [file_finding(problem) for problem in found], None)
    else:
        file = source if isinstance(source, SourceFile) else SourceFile("graph.yaml", source)
    documents, problems = read_documents(file, number_keys=True)
    found = [_large(problem, lambda: nodes_in(file.text.splitlines())) for problem in problems]
    if any(problem.code == rules.TOO_LARGE.code for problem in found):
        found = [problem for problem in found if problem.code == rules.TOO_LARGE.code]
    reading = GraphReading(None, [file_finding(problem) for problem in found], file)
    if not documents:
        if not problems:
            reading.refuse_file(_no_graph(file.span(0), "this file is empty"))
        return reading
    if len(documents) > 1:
        reading.refuse_file(
            _no_graph(documents[1].root.span, "a second document: a file holds one graph")
        )
    _read(documents[0].root, reading)
    return reading


def _read(root: YamlNode, reading: GraphReading) -> None:
    """Fill a reading with the nodes of a document."""
    if isinstance(root, Mapping) and (inner := root.get("nodes")) is not None:
        for key, _ in root.entries:
            if key.text != "nodes":
                message = f"'{key.text}' stands beside 'nodes' and is not read"
                reading.refuse_file(rules.NO_GRAPH.at(key.span, message, "remove it"))
        root = inner
    if not isinstance(root, Mapping) or not root.entries:
        reading.refuse_file(_no_graph(root.span, "a task graph is a mapping of nodes"))
        return
    if len(root.entries) > MOST_NODES:
        at = root.entries[MOST_NODES][0].span
        reading.refuse_file(_too_large(at, f"this graph has {len(root.entries):,} nodes"))
        return
    reader = NodeReader(reading)
    for key, value in root.entries:
        reader.read(key, value)
    reading.same_id = any(_same_node(finding, reading.source) for finding in reading.findings)
    nodes = with_edges(reading, reader.nodes, reader.lists)
    if nodes:
        reading.graph = TaskGraph(nodes)
        reading.findings += cycles(reading, reading.graph)


def _same_node(finding: GraphFinding, file: SourceFile | None) -> bool:
    """Whether a finding says that a node stands there twice, rather than a key of a node."""
    if finding.code == yaml_rules.DUPLICATE_KEY.code and file is not None and finding.span:
        line = file.line(finding.span.line)
        return line[finding.span.column - 1 :].partition(":")[0].strip("\"' ") not in KEYS
    return finding.kind is NODE_TWICE


def _large(problem: Diagnostic, count: Callable[[], int]) -> Diagnostic:
    """What is said of a file that is too large, in nodes rather than in bytes."""
    if problem.code != yaml_rules.TOO_LARGE.code:
        return problem
    nodes = count()
    if nodes > MOST_NODES:
        return _too_large(problem.span, f"this graph has {nodes:,} nodes")
    message = problem.message.partition(";")[0].replace("this file", "this graph")
    help = "shorten names and descriptions: a graph's file has at most a million characters"
    return rules.TOO_LARGE.at(problem.span, message, help)


def nodes_in(lines: Iterable[str]) -> int:
    """Estimate the number of nodes in the lines of an oversized graph."""
    return sum(len(_NODE.findall(line)) for line in lines)


def _chunks(path: Path) -> Iterator[str]:
    """Yield the lines of a large file, up to MOST_COUNTED characters."""
    with open(path, encoding="utf-8", errors="replace") as stream:
        left = MOST_COUNTED
        while left > 0 and (line := stream.readline(MOST_COUNTED)):
            left -= len(line)
            yield line


def _too_large(span: Span, message: str) -> Diagnostic:
    help = f"a graph has at most {MOST_NODES:,} nodes: give each part of the task its own"
    return rules.TOO_LARGE.at(span, message, help)


def _no_graph(span: Span, message: str) -> Diagnostic:
    return rules.NO_GRAPH.at(span, message, "begin with 'nodes:' and, below it, 'node_1:'")
