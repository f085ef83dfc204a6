"""`while`: the node runs only as long as a condition holds.

SUCCESS: the node returned SUCCESS.

FAILURE: the condition is false or cannot be evaluated before a tick, and the node is not ticked; or
the node returned FAILURE. The feedback messages differ, and `on_failure` on the same node runs only
for the second. A node that has ended by then, since the last of its skills or waits has, keeps its
result: a skill may make the condition false itself.

RUNNING: the condition is true and the node returned RUNNING.

Memory: none. The condition is evaluated before every tick of the node, including the first.

Halting: when the condition is false, the running node is halted in that tick. When halted, the
running node is halted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import Field

from treec.files.fields import Expr
from treec.files.node_spec import Data, Drawing, ModifierSpec, Xml, XmlReader, XmlWriter
from treec.nodes.guards import LastingGuard

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class While(LastingGuard):
    """A condition without which it fails."""

    otherwise = "FAILURE"
    words = "ended by its while"


def build(at: NodePlace, value: str, child: Behaviour) -> Behaviour:
    """The node in its modifier."""
    return While(child.name, at.condition(value), child)


def write_xml(data: Data, to: XmlWriter) -> Any:
    """`ReactiveSequence` of a `ScriptCondition` and the node, if there is a script for it."""
    script = to.script(str(data["while"])) if to.target == "btcpp" else None
    if script is None:
        return None
    condition = to.node({"check": data["while"]}, "while")
    return to.other("ReactiveSequence", {"name": "while"}, condition, to.inner)


def read_shape(element: XmlReader) -> Data | None:
    """The same."""
    condition, node = element.parts()
    if condition.tag == "ScriptCondition":
        text = condition.expression("code")
        return None if text is None else {"while": text, "node": node.node()}
    constants = {"AlwaysSuccess": "true", "AlwaysFailure": "false"}
    text = constants.get(condition.tag)
    return None if text is None else {"while": text, "node": node.node()}


MODIFIER = ModifierSpec(
    key="while",
    order=30,
    type=Expr | None,
    field=Field(None, alias="while", description="False: the node is stopped this tick, FAILURE."),
    build=build,
    off=False,
    fails_while=False,
    resume="child",
    swap="open",
    drawing=Drawing("modifier", icon="M13.2 8A5.2 5.2 0 1 1 10.6 3.5M10.8 .8V3.7H7.7"),
    xml=Xml(write=write_xml, shape="ReactiveSequence", read={"": read_shape}),
)
