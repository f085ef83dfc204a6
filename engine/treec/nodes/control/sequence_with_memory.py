"""A sequence with memory: children that have succeeded are not run again until all have.

SUCCESS: the last child returned SUCCESS, each of the others having done so in this tick or an
earlier one; also when there is no child.

FAILURE: a child returned FAILURE. The children after it are not ticked.

RUNNING: a child returned RUNNING; or a child that was not running returned SUCCESS and is not the
last: the next child then starts in the next tick, which is requested at once (BehaviorTree.CPP's
wake-up rule). A child that had been running and returns SUCCESS is followed by the next child in
the same tick.

Memory: the current child, kept over FAILURE and halts: the next round starts with the child that
failed or was halted. Only SUCCESS resets it to the first child.

Halting: when halted, the running child is halted, and is started again later. The sequence never
halts a child by itself.
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


class SequenceWithMemoryNode(NodeBase):
    """A sequence that, after a failure, resumes at the child that failed."""

    sequence_with_memory: list[Node]


class SequenceWithMemory(Control):
    """BehaviorTree.CPP's SequenceWithMemory."""

    def __init__(self, name: str, children: Sequence[Behaviour]) -> None:
        super().__init__(name, children)
        self.due = 0
        self._was_running = self._is_skipped = False

    def begin(self) -> Behaviour | None:
        """Tick the current child."""
        if self.status is not Status.RUNNING:
            self.clear(self.due)
            self.initialise()
            self._is_skipped = bool(self.children) and self.due == 0
        return self._next()

    def after(self, child: Behaviour) -> Behaviour | None:
        """Tick the next one as far as the wake-up rule allows."""
        if child.status is Status.INVALID:
            self.due += 1
            return self._next()
        if child.status is not Status.SUCCESS:
            return super().after(child)
        self._is_skipped = False
        self.due += 1
        if not self._was_running and self.due < len(self.children):
            self.wake()
            self.status = Status.RUNNING
            return None
        return self._next()

    def _next(self) -> Behaviour | None:
        if self.due < len(self.children):
            self.current_child = child = self.children[self.due]
            self._was_running = child.status is Status.RUNNING
            return child
        self.due = 0
        self.stop(Status.INVALID if self._is_skipped else Status.SUCCESS)
        return None

    @property
    def memory(self) -> object:
        """The number of the current child."""
        return self.due or None

    def recall(self, memory: object) -> bool:
        """Go on with that child."""
        self.due = memory if isinstance(memory, int) and memory < len(self.children) else 0
        return True


def build(at: NodePlace, node: SequenceWithMemoryNode) -> Behaviour:
    """The node with its children."""
    return SequenceWithMemory(
        at.name, at.children(node.sequence_with_memory, "sequence_with_memory")
    )


_ARROW_AND_STAR = "M1 9.5H11M7 5.5L11 9.5L7 13.5M13 1.2V6.6M10.7 2.55L15.3 5.25M15.3 2.55L10.7 5.25"

NODE = NodeSpec(
    key="sequence_with_memory",
    model=SequenceWithMemoryNode,
    build=build,
    waits=False,
    in_order="all",
    resume="position",
    drawing=Drawing("control", "→*", _ARROW_AND_STAR),
    xml=Xml(
        tags=(
            XmlTag("SequenceWithMemory", ("btcpp",)),
            XmlTag("SequenceStar", ()),
        ),
        children=("sequence_with_memory",),
    ),
)
