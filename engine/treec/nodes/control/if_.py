"""If, then, else: one of two children, by a condition.

SUCCESS: the chosen child returned SUCCESS.

FAILURE: the chosen child returned FAILURE; or the condition is false and there is no `else`, as
in BehaviorTree.CPP's IfThenElse. To continue instead, use `skip_if`.

RUNNING: the chosen child returned RUNNING.

A condition that cannot be evaluated counts as false.

Memory: the choice. The condition is evaluated when a round begins; the chosen child then runs to
its end even if the condition changes. Use `while` for a condition that must keep holding.

Halting: when halted, the running child is halted. It never halts a child of its own accord.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import Field

from treec.files.fields import Expr
from treec.files.node_spec import Data, Drawing, NodeSpec, Xml, XmlReader, XmlWriter
from treec.files.nodes import Node, NodeBase
from treec.nodes.base import Condition, Control, Status

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class IfNode(NodeBase):
    """Ticks one of two children, by a condition."""

    if_: Expr = Field(alias="if")
    then: Node
    else_: Node | None = Field(None, alias="else")


class If(Control):
    """Chooses once a round."""

    def __init__(
        self,
        name: str,
        condition: Condition,
        then: Behaviour,
        else_: Behaviour | None = None,
    ) -> None:
        super().__init__(name, [then] if else_ is None else [then, else_])
        self.condition = condition
        self.then = then
        self.else_ = else_

    def begin(self) -> Behaviour | None:
        """Choose if a round begins; tick the chosen child."""
        if self.status is not Status.RUNNING:
            self.clear()
            self.initialise()
            self.current_child = self.then if self.condition() else self.else_
        if self.current_child is None:
            self.stop(Status.FAILURE)
        return self.current_child

    def replace_children(self, by: Mapping[Behaviour, Behaviour]) -> None:
        """Choose among the new ones."""
        self.then = by.get(self.then, self.then)
        if self.else_ is not None:
            self.else_ = by.get(self.else_, self.else_)


def build(at: NodePlace, node: IfNode) -> Behaviour:
    """The node with its two branches."""
    then = at.branch(node.then, "then", "then")
    else_ = at.branch(node.else_, "else", "else") if node.else_ is not None else None
    return If(at.name, at.condition(node.if_, "if"), then, else_)


def write_xml(data: Data, to: XmlWriter) -> Any:
    """`IfThenElse` of BehaviorTree.CPP with a `ScriptCondition`, if there is a script for it."""
    script = to.script(str(data["if"])) if to.target == "btcpp" else None
    if script is None:
        return None
    inside = [to.node(data[key], key) for key in ("then", "else") if data.get(key) is not None]
    return to.element("IfThenElse", {}, to.element("ScriptCondition", {"code": script}), *inside)


def read_if(element: XmlReader) -> Data | None:
    """`IfThenElse`: a condition that is a node sets a variable first."""
    if element.size not in (2, 3):
        return None
    condition, *branches = element.nodes()
    node = dict(zip(("then", "else"), branches, strict=False))
    if (text := _checked(condition)) is not None:
        return {"if": text, **node}
    chosen = element.variable("chosen")
    return {"sequence": [*_choice(chosen, condition), {"if": chosen, **node}]}


def read_while(element: XmlReader) -> Data | None:
    """`WhileDoElse`, which chooses anew in each tick; its condition is not RUNNING."""
    if element.size not in (2, 3):
        return None
    condition, *branches = element.nodes()
    body = {"cases": {"true": branches[0]}}
    if len(branches) > 1:
        body["default"] = branches[1]
    if (text := _checked(condition)) is not None:
        return {"switch": {"of": f"true if {text} else false", **body}}
    chosen = element.variable("chosen")
    switch = {"switch": {"of": chosen, **body}}
    return {"reactive_sequence": [*_choice(chosen, condition), switch]}


def _checked(condition: Any) -> str | None:
    """The expression of a node that but checks one."""
    if not isinstance(condition, dict) or condition.keys() != {"check"}:
        return None
    text = condition["check"]
    return str(text).lower() if isinstance(text, bool) else str(text)


def _choice(chosen: str, condition: Any) -> list[Data]:
    """Nodes that set a variable to whether a node succeeds."""
    succeeded = {"sequence": [condition, {"set": {chosen: True}}], "force_success": True}
    return [{"set": {chosen: False}}, succeeded]


NODE = NodeSpec(
    key="if",
    model=IfNode,
    build=build,
    waits=False,
    begins={"then": ("if", True), "else": ("if", False)},
    resume="children",
    swap="open",
    label=lambda node: f"if: {node.if_}",
    branches={"then": "then", "else": "else"},
    drawing=Drawing("control", "◇", "M8 1.8L14.2 8L8 14.2L1.8 8Z"),
    xml=Xml(
        attributes={"condition": "if"},
        children=("then", "else"),
        write=write_xml,
        read={"IfThenElse": read_if, "WhileDoElse": read_while},
    ),
)
