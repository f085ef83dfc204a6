"""A task graph for arms: sub-tasks with a type, a number of arms and predecessors.

The format is DAG-Plan's (section 3.1 and appendix E.1); `treec_dag_plan.arms.read` reads
it from files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from treec.frozen import frozen
from treec.graph import reverse, to_networkx
from treec.source.text import Span

if TYPE_CHECKING:
    import networkx

NodeType = Literal["occupy", "tool use", "release", "operate", "complete"]
NODE_TYPES: tuple[NodeType, ...] = ("occupy", "tool use", "release", "operate", "complete")


@frozen
class GraphNode:
    """One sub-task.

    `name` is as written (`put "apple" into "drawer_floor"`), `command` its words without the
    objects (`put into`), `objects` the objects in the order in which they are named; a task
    complete node has neither. `after` are the ids of the nodes that must be done before.
    """

    id: str
    name: str
    command: str
    objects: tuple[str, ...]
    arms: int
    after: tuple[str, ...]
    type: NodeType
    description: str = ""
    span: Span | None = field(default=None, compare=False)


@frozen(slots=False)
class TaskGraph:
    """The nodes in the order in which they were written."""

    nodes: tuple[GraphNode, ...]

    @cached_property
    def by_id(self) -> Mapping[str, GraphNode]:
        """The nodes by id."""
        return {node.id: node for node in self.nodes}

    @cached_property
    def after(self) -> Mapping[str, Sequence[str]]:
        """The ids that a node waits for directly."""
        return {node.id: node.after for node in self.nodes}

    @cached_property
    def next(self) -> Mapping[str, Sequence[str]]:
        """The ids that wait for a node directly, in the order of writing."""
        return reverse(self.after)

    def digraph(self) -> networkx.DiGraph[Any]:
        """The graph for networkx: ids, with `name`, `type`, `arms`; edges to what waits.

        Raises ImportError where networkx is not installed.
        """
        attributes = {n.id: {"name": n.name, "type": n.type, "arms": n.arms} for n in self.nodes}
        return to_networkx(self.next, attributes)

    def work(self) -> Iterator[GraphNode]:
        """Yield the nodes that arms do: all but those of type complete."""
        return (node for node in self.nodes if node.type != "complete")
