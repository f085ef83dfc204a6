"""A selector: its children in order, until one succeeds.

SUCCESS: a child returned SUCCESS. The children after it are not ticked.

FAILURE: every child has returned FAILURE; also when there is no child. Children that fail within
one tick follow each other in that tick.

RUNNING: a child returned RUNNING. The children after it are not ticked. With `yields: true` also
when a child that was not running returned FAILURE and is not the last: the next child starts in the
next tick, which is requested at once (BehaviorTree.CPP's AsyncFallback).

Memory: the running child. The next tick goes on with it; those before it are not asked again.
Nothing is kept from one round to the next: after SUCCESS, FAILURE or a halt the selector begins
with its first child. With `shuffle: true` each round has an order of its own, as that of a sequence
has.

Halting: when halted, the running child is halted. The selector never halts a child of its own
accord, for at most one child is running and it is the one being ticked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from treec.files.node_spec import Drawing, NodeSpec, Xml, XmlTag
from treec.files.nodes import Node, NodeBase
from treec.nodes.base import Status
from treec.nodes.control.sequence import (
    SHUFFLE,
    YIELDS,
    in_own_order,
    options,
    read_with_options,
    write_with_options,
)

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes import in_order
    from treec.nodes.node_place import NodePlace


class SelectorNode(NodeBase):
    """Ticks children in order until one succeeds; resumes at the running child."""

    selector: list[Node]
    shuffle: bool = SHUFFLE
    yields: bool = YIELDS


def selector(name: str, children: Sequence[Behaviour]) -> in_order.LeanSelector:
    """py_trees' selector with memory, with a cheap tick."""
    from treec.nodes import in_order

    return in_order.LeanSelector(name=name, memory=True, children=children)


def build(at: NodePlace, node: SelectorNode) -> Behaviour:
    """The node with its children."""
    children = at.children(node.selector, "selector")
    if node.shuffle or node.yields:
        return in_own_order(at, node, children, Status.FAILURE)
    return selector(at.name, children)


_QUESTION_MARK = (
    "M4.7 5.2C4.7 3.2 6.1 2 8 2C9.9 2 11.3 3.2 11.3 5C11.3 7.6 8 7.6 8 10.4M8 13.6V13.7"
)

NODE = NodeSpec(
    key="selector",
    model=SelectorNode,
    build=build,
    waits=False,
    in_order=lambda node: "" if node.shuffle else "any",
    resume="position",
    swap="list",
    detail=options,
    drawing=Drawing("control", "?", _QUESTION_MARK),
    xml=Xml(
        tags=(
            XmlTag("Fallback", ("btcpp",)),
            XmlTag("Selector", ("py_trees",), with_={"memory": "true"}),
            XmlTag("Selector", ()),
        ),
        children=("selector",),
        write=lambda data, to: write_with_options(data, to, "selector", "AsyncFallback"),
        read=read_with_options("selector", "AsyncFallback"),
    ),
)
