"""A pipeline: a sequence that ticks what has succeeded again while a later node is running.

SUCCESS: the last child returned SUCCESS.

FAILURE: a child returned FAILURE. Those after it are not ticked, and running ones are halted.

RUNNING: a child that no earlier tick of this round came to, or the furthest so far, returned
RUNNING. Children before it are ticked in each tick, too; whether they are RUNNING or succeed, the
next one follows in the same tick.

Memory: the furthest child that was RUNNING in this round. This is Nav2's PipelineSequence: a
planner that plans anew while the path is followed.

Halting: when it ends or is halted, all running children are halted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from treec.files.node_spec import Drawing, NodeSpec, Xml, XmlTag
from treec.files.nodes import Node, NodeBase
from treec.nodes.base import Control, Status

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class PipelineNode(NodeBase):
    """Ticks children in order, and those before the running one again in each tick."""

    pipeline: list[Node]


class Pipeline(Control):
    """Nav2's PipelineSequence."""

    def __init__(self, name: str, children: Sequence[Behaviour]) -> None:
        super().__init__(name, children)
        self.furthest = 0
        self._at = 0
        self._is_skipped = False

    def begin(self) -> Behaviour | None:
        """Tick the children from the first."""
        if self.status is not Status.RUNNING:
            self.clear()
            self.initialise()
        self._at = -1
        self._is_skipped = bool(self.children)
        return self._next()

    def after(self, child: Behaviour) -> Behaviour | None:
        """Tick the next one up to the furthest, and on as long as they succeed."""
        is_furthest = child.status is Status.RUNNING and self._at >= self.furthest
        if child.status is Status.FAILURE or is_furthest:
            self.furthest = self._at
            return super().after(child)
        self._is_skipped = self._is_skipped and child.status is Status.INVALID
        return self._next()

    def _next(self) -> Behaviour | None:
        self._at += 1
        if self._at < len(self.children):
            self.current_child = self.children[self._at]
            return self.current_child
        self.stop(Status.INVALID if self._is_skipped else Status.SUCCESS)
        return None

    def terminate(self, new_status: Status) -> None:
        """Begin anew."""
        self.furthest = 0

    @property
    def memory(self) -> object:
        """The furthest child."""
        return self.furthest or None

    def recall(self, memory: object) -> bool:
        """Go on there."""
        if memory is None:
            return True
        if not isinstance(memory, int) or memory >= len(self.children):
            return False
        self.furthest = memory
        return True


def build(at: NodePlace, node: PipelineNode) -> Behaviour:
    """The node with its children."""
    return Pipeline(at.name, at.children(node.pipeline, "pipeline"))


NODE = NodeSpec(
    key="pipeline",
    model=PipelineNode,
    build=build,
    waits=False,
    in_order="all",
    resume="place",
    swap="open",
    drawing=Drawing("control", "⇉", "M2 5.5H13M9.5 2L13 5.5L9.5 9M2 12H13"),
    xml=Xml(tags=(XmlTag("PipelineSequence", ("btcpp",)),), children=("pipeline",)),
)
