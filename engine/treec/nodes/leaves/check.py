"""`check`: evaluates a condition.

SUCCESS: the expression is true.

FAILURE: it is not. The feedback message is what `about` says, or the expression.

RUNNING: never.

Memory: none.

Halting: nothing to halt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treec.files.fields import Expr
from treec.files.node_spec import Data, Drawing, NodeSpec, Xml, XmlReader, XmlWriter
from treec.files.nodes import NodeBase
from treec.nodes.base import Status
from treec.nodes.leaf import WorldLeaf
from treec.source.expression import Expression
from treec.source.scope import Scope

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace
    from treec.nodes.runtime import Runtime


class CheckNode(NodeBase):
    """SUCCESS when the expression is true, else FAILURE."""

    check: Expr


class Check(WorldLeaf):
    """A condition."""

    def __init__(
        self, name: str, runtime: Runtime, scope: Scope, condition: Expression, about: str | None
    ) -> None:
        super().__init__(name, runtime, scope)
        self.condition = condition
        self.why = about or f"not so: {condition.text}"

    def work(self) -> Status:
        """Evaluate the condition once."""
        if self.condition.evaluate(self.scope):
            return Status.SUCCESS
        self.feedback_message = self.why
        return Status.FAILURE


def build(at: NodePlace, node: CheckNode) -> Behaviour:
    """The condition as a leaf."""
    condition = at.expression(node.check, "check")
    return Check(at.path, at.runtime, at.frame, condition, node.about)


_CONSTANTS = {"true": "AlwaysSuccess", "false": "AlwaysFailure"}


def write_xml(data: Data, to: XmlWriter) -> Any:
    """`AlwaysSuccess`, `AlwaysFailure` or `ScriptCondition` of BehaviorTree.CPP."""
    text = str(data["check"])
    if to.target == "btcpp" and text in _CONSTANTS:
        return to.element(_CONSTANTS[text], {})
    script = to.script(text) if to.target == "btcpp" else None
    return None if script is None else to.element("ScriptCondition", {"code": script})


def read_constant(element: XmlReader) -> Data:
    """`AlwaysSuccess` or `AlwaysFailure`."""
    return {"check": element.tag == "AlwaysSuccess"}


def read_script(element: XmlReader) -> Data | None:
    """`ScriptCondition`, if its script has a counterpart."""
    text = element.expression("code")
    return None if text is None else {"check": text}


NODE = NodeSpec(
    key="check",
    model=CheckNode,
    build=build,
    waits=False,
    fails_unless="check",
    label=lambda node: f"check: {node.check}",
    drawing=Drawing("condition"),
    xml=Xml(
        write=write_xml,
        read={
            "AlwaysSuccess": read_constant,
            "AlwaysFailure": read_constant,
            "ScriptCondition": read_script,
        },
    ),
)
