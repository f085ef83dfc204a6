"""A task graph for arms: sub-tasks with a type, a number of arms and what they wait for.

The format is DAG-Plan's (sections 3.1 and E.1). Reading it from a file, with findings, is
`treec.plan.arms.read`; nothing here knows of files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from treec.source.text import Span

NodeType = Literal["occupy", "tool use", "release", "operate", "complete"]
NODE_TYPES: tuple[NodeType, ...] = ("occupy", "tool use", "release", "operate", "complete")


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True)
class TaskGraph:
    """The nodes in the order in which they were written."""

    nodes: tuple[GraphNode, ...]

    @cached_property
    def by_id(self) -> Mapping[str, GraphNode]:
        """The nodes by id."""
        return {node.id: node for node in self.nodes}

    @cached_property
    def next(self) -> Mapping[str, tuple[str, ...]]:
        """The ids that wait for a node directly, in the order of writing."""
        found: dict[str, list[str]] = {node.id: [] for node in self.nodes}
        for node in self.nodes:
            for before in dict.fromkeys(node.after):
                found[before].append(node.id)
        return {id: tuple(after) for id, after in found.items()}

    def work(self) -> Iterator[GraphNode]:
        """The nodes that an arm does: all but those of type complete."""
        return (node for node in self.nodes if node.type != "complete")
