"""`skip_if`: the node is skipped, when a condition holds.

What is skipped is not ticked, and has no status (INVALID). The node above goes on as if it were not
there: a sequence and a selector with their next child. A node whose children have all been skipped
is skipped, too; a tree that is skipped as a whole succeeds. This is BehaviorTree.CPP's SKIPPED.

SUCCESS: the node returned SUCCESS.

FAILURE: the node returned FAILURE.

RUNNING: the node returned RUNNING.

A condition that cannot be evaluated counts as false. For a status of its own write `succeed_if` or
`fail_if`.

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


class SkipIf(NodeGuard):
    """Is skipped instead of starting a round."""

    otherwise = "INVALID"
    words = "skipped"


def build(at: NodePlace, value: str, child: Behaviour) -> Behaviour:
    """The node in its modifier."""
    return SkipIf(child.name, at.condition(value), child)


def read_precondition(element: XmlReader) -> Data | None:
    """`Precondition` that gives SKIPPED."""
    if element.attributes.get("else", "FAILURE") != "SKIPPED":
        return None
    text = element.expression("if", negated=True)
    return None if text is None else {"skip_if": text}


_HOP = "M1.8 11C2 2.5 12.2 2.5 13 9.6M9.4 7.6L13.1 10.6L15.2 6.4"

MODIFIER = ModifierSpec(
    key="skip_if",
    order=14,
    type=Expr | None,
    field=Field(None, description="True: skipped; the node above goes on as without it."),
    build=build,
    off=True,
    changes=True,
    resume="child",
    swap="open",
    drawing=Drawing("modifier", icon=_HOP),
    xml=Xml(condition="_skipIf", read={"Precondition": read_precondition}),
)
