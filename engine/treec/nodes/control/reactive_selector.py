"""A reactive selector: at every tick the first child that does not fail.

SUCCESS: a child returned SUCCESS in this tick. The children after it are not ticked.

FAILURE: every child returned FAILURE in this tick; also when there is no child.

RUNNING: a child returned RUNNING in this tick. The children after it are not ticked.

Memory: none. A child that failed is started again at the next tick, so a child of higher priority
takes over as soon as it no longer fails.

Halting: when a child returns SUCCESS or RUNNING, a running child after it is halted in the same
tick, after the tick of the child that took over. When halted, the running child is halted.
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


class ReactiveSelectorNode(NodeBase):
    """A selector that starts at its first child at every tick."""

    reactive_selector: list[Node]


def reactive_selector(name: str, children: Sequence[Behaviour]) -> in_order.LeanSelector:
    """py_trees' selector without memory, with a cheap tick."""
    from treec.nodes import in_order

    return in_order.LeanSelector(name=name, memory=False, children=children)


def build(at: NodePlace, node: ReactiveSelectorNode) -> Behaviour:
    """The node with its children."""
    return reactive_selector(at.name, at.children(node.reactive_selector, "reactive_selector"))


_QUESTION_MARK = (
    "M2.3 5.2C2.3 3.2 3.7 2 5.5 2C7.3 2 8.7 3.2 8.7 5C8.7 7.6 5.5 7.6 5.5 10.4M5.5 13.6V13.7"
    "M11 4.2a2.2 2.2 0 1 1 2.2 2.2"
)

NODE = NodeSpec(
    key="reactive_selector",
    model=ReactiveSelectorNode,
    build=build,
    waits=False,
    in_order="any",
    resume="children",
    swap="list",
    drawing=Drawing("control", "?↻", _QUESTION_MARK),
    xml=Xml(
        tags=(
            XmlTag("ReactiveFallback", ("btcpp",)),
            XmlTag("Selector", ("py_trees",), with_={"memory": "false"}),
        ),
        children=("reactive_selector",),
    ),
)
