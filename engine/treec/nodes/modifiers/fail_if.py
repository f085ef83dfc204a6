"""`fail_if`: FAILURE without ticking the node, when a condition holds.

SUCCESS: the node returned SUCCESS.

FAILURE: the condition is true as a round begins, or cannot be evaluated; or the node returned
FAILURE.

RUNNING: the node returned RUNNING.

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


class FailIf(NodeGuard):
    """Returns FAILURE instead of starting a round."""

    otherwise = "FAILURE"
    words = "refused by its fail_if"


def build(at: NodePlace, value: str, child: Behaviour) -> Behaviour:
    """The node in its modifier; a condition that cannot be evaluated counts as true."""
    return FailIf(child.name, at.condition(value, otherwise=True), child)


def read_precondition(element: XmlReader) -> Data | None:
    """`Precondition` that gives FAILURE."""
    if element.attributes.get("else", "FAILURE") != "FAILURE":
        return None
    text = element.expression("if", negated=True)
    return None if text is None else {"fail_if": text}


MODIFIER = ModifierSpec(
    key="fail_if",
    order=10,
    type=Expr | None,
    field=Field(None, description="True: FAILURE without ticking the node."),
    build=build,
    off=True,
    fails_while=True,
    resume="child",
    swap="open",
    drawing=Drawing("modifier", icon="M2.2 8a5.8 5.8 0 1 0 11.6 0a5.8 5.8 0 1 0 -11.6 0M4 4L12 12"),
    xml=Xml(condition="_failureIf", read={"Precondition": read_precondition}),
)
