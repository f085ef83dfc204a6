"""`succeed_if`: SUCCESS without ticking the node, when a condition holds.

SUCCESS: the condition is true as a round begins; or the node returned SUCCESS.

FAILURE: the node returned FAILURE.

RUNNING: the node returned RUNNING.

A condition that cannot be evaluated counts as false.

Memory: none. The condition is evaluated before each round, not while the node is running; use
`while` for a condition that must keep holding.

Halting: when halted, the running node is halted. It never halts the node of its own accord.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from treec.files.fields import Expr
from treec.files.node_spec import Data, Drawing, ModifierSpec, Xml, XmlReader
from treec.nodes.guards import NodeGuard

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class SucceedIf(NodeGuard):
    """Returns SUCCESS instead of starting a round."""

    otherwise = "SUCCESS"
    words = "done already"


def build(at: NodePlace, value: str, child: Behaviour) -> Behaviour:
    """The node in its modifier."""
    return SucceedIf(child.name, at.condition(value), child)


def read_precondition(element: XmlReader) -> Data | None:
    """`Precondition` that gives SUCCESS."""
    if element.attributes.get("else", "FAILURE") != "SUCCESS":
        return None
    text = element.expression("if", negated=True)
    return None if text is None else {"succeed_if": text}


MODIFIER = ModifierSpec(
    key="succeed_if",
    order=12,
    type=Expr | None,
    field=Field(None, description="True: SUCCESS without ticking the node."),
    build=build,
    off=True,
    changes=True,
    resume="child",
    swap="open",
    drawing=Drawing(
        "modifier", icon="M1.8 11C2 2.5 12.2 2.5 13 9.6M10.6 8L13 10.4L15.4 8M2 13.5H14"
    ),
    xml=Xml(condition="_successIf", read={"Precondition": read_precondition}),
)
