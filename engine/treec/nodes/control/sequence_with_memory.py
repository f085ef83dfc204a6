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
from treec.nodes.base import Status

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes import in_order
    from treec.nodes.node_place import NodePlace


class SequenceWithMemoryNode(NodeBase):
    """A sequence that, after a failure, resumes at the child that failed."""

    sequence_with_memory: list[Node]


def sequence_with_memory(name: str, children: Sequence[Behaviour]) -> in_order.InOrder:
    """BehaviorTree.CPP's SequenceWithMemory."""
    from treec.nodes import in_order

    return in_order.InOrder(name, children, Status.SUCCESS, keeps=True)


def build(at: NodePlace, node: SequenceWithMemoryNode) -> Behaviour:
    """The node with its children."""
    children = at.children(node.sequence_with_memory, "sequence_with_memory")
    return sequence_with_memory(at.name, children)


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
