"""A reactive sequence: asks every child again at every tick, from the first.

SUCCESS: every child returned SUCCESS in this tick; also when there is no child.

FAILURE: a child returned FAILURE in this tick. The children after it are not ticked.

RUNNING: a child returned RUNNING in this tick. The children after it are not ticked.

Memory: none. A child that succeeded is begun again at the next tick, so the children before the
one that takes time should be conditions.

Halting: when a child returns FAILURE or RUNNING, a running child after it is halted in the same
tick: this is how a condition that no longer holds stops the work behind it. When halted, the
running child is halted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from treec.files.node_spec import Drawing, NodeSpec, Xml, XmlTag
from treec.files.nodes import Node, NodeBase

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes import in_order
    from treec.nodes.node_place import NodePlace


class ReactiveSequenceNode(NodeBase):
    """A sequence that starts at its first child at every tick."""

    reactive_sequence: list[Node]


def reactive_sequence(name: str, children: Sequence[Behaviour]) -> in_order.LeanSequence:
    """py_trees' sequence without memory, with a cheap tick."""
    from treec.nodes import in_order

    return in_order.LeanSequence(name=name, memory=False, children=children)


def build(at: NodePlace, node: ReactiveSequenceNode) -> Behaviour:
    """The node with its children."""
    return reactive_sequence(at.name, at.children(node.reactive_sequence, "reactive_sequence"))


NODE = NodeSpec(
    key="reactive_sequence",
    model=ReactiveSequenceNode,
    build=build,
    waits=False,
    in_order="all",
    resume="children",
    swap="list",
    drawing=Drawing("control", "→↻", "M1 9.5H11M7 5.5L11 9.5L7 13.5M11 4.2a2.2 2.2 0 1 1 2.2 2.2"),
    xml=Xml(
        tags=(
            XmlTag("ReactiveSequence", ("btcpp",)),
            XmlTag("Sequence", ("py_trees",), with_={"memory": "false"}),
        ),
        children=("reactive_sequence",),
    ),
)
