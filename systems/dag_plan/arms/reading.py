"""What could be read of a task graph, and where each part of it stands."""

from __future__ import annotations

from dataclasses import dataclass, field

from treec.source.diagnostics import Diagnostic
from treec.source.text import SourceFile, Span
from treec.systems.dag_plan.arms import read_rules as rules
from treec.systems.dag_plan.arms.model import TaskGraph


@dataclass
class GraphReading:
    """What could be read of a graph, where each part stands, and all that is wrong with it.

    `graph` holds the nodes that could be read, with the edges that lead somewhere; it has no
    circles only when nothing is wrong.
    """

    graph: TaskGraph | None
    problems: list[Diagnostic]
    source: SourceFile | None
    spans: dict[tuple[str, str], Span] = field(default_factory=dict)
    """Where a node's key (`name`, `arm_num`, `edge`, `type`) has its value."""
    edges: dict[tuple[str, str], Span] = field(default_factory=dict)
    """Where a node says that it waits for another."""
    objects: dict[str, tuple[Span, ...]] = field(default_factory=dict)
    """Where a node's objects stand, in the order in which it names them."""

    twice: bool = False
    """Two nodes have one id: the second was left out, and what names it names nothing."""

    @property
    def whole(self) -> bool:
        """Whether all nodes and edges could be told: else what seems to be missing may be there."""
        if self.graph is None or self.twice:
            return False
        read = {node.id for node in self.graph.nodes}
        edges = any(problem.code == rules.EDGE.code for problem in self.problems)
        return not edges and all(id in read for id, _ in self.spans)

    @property
    def sound(self) -> bool:
        """Whether there is a graph and no error."""
        return self.graph is not None and not any(p.severity == "error" for p in self.problems)

    def span(self, id: str, key: str) -> Span:
        """Where a node's key has its value, or the node itself without it."""
        return self.spans.get((id, key)) or self.spans[(id, "")]
