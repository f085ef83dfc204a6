"""The result of reading a task graph: its nodes, their positions and findings."""

from __future__ import annotations

from dataclasses import dataclass, field

from treec.source.diagnostics import Diagnostic
from treec.source.text import SourceFile, Span
from treec_dag_plan.arms import read_rules as rules
from treec_dag_plan.arms.model import TaskGraph
from treec_kitchen.graph_findings import Edge, GraphFinding, file_finding


@dataclass
class GraphReading:
    """What could be read of a graph, where each part stands, and all that is wrong with it.

    `graph` holds the nodes that could be read, with the edges that lead to one of them; it is
    acyclic only when there are no findings.
    """

    graph: TaskGraph | None
    findings: list[GraphFinding]
    source: SourceFile | None
    spans: dict[tuple[str, str], Span] = field(default_factory=dict)
    """Where a node's key (`name`, `arm_num`, `edge`, `type`) has its value."""
    edges: dict[Edge, Span] = field(default_factory=dict)
    """Where the second node says that it waits for the first."""
    objects: dict[str, tuple[Span, ...]] = field(default_factory=dict)
    """Where a node's objects stand, in the order in which it names them."""

    same_id: bool = False
    """Two nodes have one id: the second was left out, and edges may mean either."""

    def refuse_file(self, problem: Diagnostic) -> None:
        """Add a finding about the file rather than about a node."""
        self.findings.append(file_finding(problem))

    @property
    def problems(self) -> list[Diagnostic]:
        """The findings in words, by their places in the file."""
        return sorted(finding.diagnostic() for finding in self.findings)

    @property
    def complete(self) -> bool:
        """Whether all nodes and edges could be read: else what seems to be missing may be there."""
        if self.graph is None or self.same_id:
            return False
        read = {node.id for node in self.graph.nodes}
        edges = any(finding.code == rules.EDGE.code for finding in self.findings)
        return not edges and all(id in read for id, _ in self.spans)

    @property
    def sound(self) -> bool:
        """Whether there is a graph and no error."""
        return self.graph is not None and not any(f.severity == "error" for f in self.findings)

    def span(self, id: str, key: str) -> Span:
        """Where a node's key has its value, or the node itself without it."""
        return self.spans.get((id, key)) or self.spans[(id, "")]
