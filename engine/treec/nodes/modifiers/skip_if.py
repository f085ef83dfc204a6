"""`skip_if`: SUCCESS without ticking the node, when a condition holds.

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
from treec.nodes.base import Condition, Modifier, Status

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class SkipIf(Modifier):
    """Returns SUCCESS instead of starting a round."""

    def __init__(self, name: str, condition: Condition, child: Behaviour) -> None:
        super().__init__(name, child)
        self.condition = condition

    def begin(self) -> Behaviour | None:
        """Skip, or tick the node."""
        if self.status is not Status.RUNNING:
            self.initialise()
            if self.condition():
                self.feedback_message = "skipped"
                self.stop(Status.SUCCESS)
                return None
            self.feedback_message = ""
        return self.decorated


def build(at: NodePlace, value: str, child: Behaviour) -> Behaviour:
    """The node in its modifier."""
    return SkipIf(child.name, at.condition(value), child)


def read_precondition(element: XmlReader) -> Data | None:
    """`Precondition` that gives SUCCESS, or what stands for SKIPPED."""
    status = element.attributes.get("else", "FAILURE").lower()
    if (element.skipped() if status == "skipped" else status) != "success":
        return None
    text = element.expression("if", negated=True)
    return None if text is None else {"skip_if": text}


_HOP = "M1.8 11C2 2.5 12.2 2.5 13 9.6M9.4 7.6L13.1 10.6L15.2 6.4"

MODIFIER = ModifierSpec(
    key="skip_if",
    order=10,
    type=Expr | None,
    field=Field(None, description="True: SUCCESS without ticking the node."),
    build=build,
    off=True,
    changes=True,
    resume="child",
    swap="open",
    drawing=Drawing("modifier", icon=_HOP),
    xml=Xml(condition="_successIf", read={"Precondition": read_precondition}),
)
