"""If, then, else: one of two children, by a condition.

The condition is an expression, or a node: while that is RUNNING nothing is chosen yet; SUCCESS is
true, FAILURE false.

SUCCESS: the chosen child returned SUCCESS.

FAILURE: the chosen child returned FAILURE; or the condition is false and there is no `else`, as
in BehaviorTree.CPP's IfThenElse. To continue instead, use `skip_if`.

RUNNING: the condition or the chosen child returned RUNNING.

An expression that cannot be evaluated counts as false. Where the condition is skipped, or the
chosen child, the whole is.

Memory: the choice. The condition is evaluated when a round begins; the chosen child then runs to
its end even if the condition changes. With `reactive: true` it is evaluated at every tick, as in
BehaviorTree.CPP's WhileDoElse. Use `while` for a condition that must keep holding.

Halting: when halted, the running child is halted. With `reactive: true` the other child is halted,
if it is running, before the chosen one is ticked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Discriminator, Field, Tag

from treec.files.fields import Expr
from treec.files.node_spec import Data, Drawing, NodeSpec, Xml, XmlReader, XmlWriter
from treec.files.nodes import Node, NodeBase
from treec.nodes.base import Condition, Control, Status
from treec.source.values import is_reference

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class IfNode(NodeBase):
    """Ticks one of two children, by a condition."""

    if_: Annotated[
        Annotated[Expr, Tag("text")] | Annotated[Node, Tag("node")],
        Discriminator(lambda data: "node" if _is_node(data) else "text"),
    ] = Field(alias="if", description="An expression, or a node.")
    then: Node
    else_: Node | None = Field(None, alias="else")
    reactive: bool = Field(False, description="Choose anew at every tick.")


def _is_node(data: object) -> bool:
    return isinstance(data, Mapping | list | NodeBase)


class If(Control):
    """Chooses once a round, or at every tick."""

    def __init__(
        self,
        name: str,
        condition: Condition | Behaviour,
        then: Behaviour,
        else_: Behaviour | None = None,
        reactive: bool = False,
    ) -> None:
        self.condition = None if not callable(condition) else condition
        self.test = None if callable(condition) else condition
        super().__init__(name, [one for one in (self.test, then, else_) if one is not None])
        self.then = then
        self.else_ = else_
        self.reactive = reactive

    def begin(self) -> Behaviour | None:
        """Choose if a round begins; tick the chosen child."""
        if self.status is not Status.RUNNING:
            self.clear()
            self.initialise()
        elif self.current_child is not self.test and not self.reactive:
            return self.current_child
        if self.condition is not None:
            return self._choose(self.condition())
        self.current_child = self.test
        return self.test

    def after(self, child: Behaviour) -> Behaviour | None:
        """Choose by the condition's status; that of the chosen child is the whole's."""
        if child is self.test and child.status in (Status.SUCCESS, Status.FAILURE):
            return self._choose(child.status is Status.SUCCESS)
        return super().after(child)

    def _choose(self, holds: bool) -> Behaviour | None:
        chosen, other = (self.then, self.else_) if holds else (self.else_, self.then)
        if other is not None and other.status is Status.RUNNING:
            other.stop(Status.INVALID)
        self.current_child = chosen
        if chosen is None:
            self.stop(Status.FAILURE)
        return chosen

    def replace_children(self, by: Mapping[Behaviour, Behaviour]) -> None:
        """Choose among the new ones."""
        if self.test is not None:
            self.test = by.get(self.test, self.test)
        self.then = by.get(self.then, self.then)
        if self.else_ is not None:
            self.else_ = by.get(self.else_, self.else_)


def build(at: NodePlace, node: IfNode) -> Behaviour:
    """The node with its two branches, and its condition if that is a node."""
    test: Condition | Behaviour
    if isinstance(node.if_, str):
        test = at.condition(node.if_, "if")
    else:
        test = at.branch(node.if_, "condition", "if")
    then = at.branch(node.then, "then", "then")
    else_ = at.branch(node.else_, "else", "else") if node.else_ is not None else None
    return If(at.name, test, then, else_, node.reactive)


def label(node: IfNode) -> str:
    """Its condition."""
    words = "while" if node.reactive else "if"
    return f"{words}: {node.if_}" if isinstance(node.if_, str) else words


def write_xml(data: Data, to: XmlWriter) -> Any:
    """`IfThenElse` or `WhileDoElse` of BehaviorTree.CPP, if there is a script for an expression."""
    test = data["if"]
    if to.target == "btcpp" and (updated := _updated(data)) is not None:
        otherwise, entry = updated
        return to.element(_UPDATED[otherwise], {"entry": entry}, to.node(data["then"], "then"))
    if to.target == "btcpp" and not _is_node(test):
        script = to.script(str(test))
        test = None if script is None else to.other("ScriptCondition", {"code": script})
    elif _is_node(test):
        test = to.node(test, "if")
    inside = [to.node(data[key], key) for key in ("then", "else") if data.get(key) is not None]
    if to.target == "btcpp" and test is not None:
        tag = "WhileDoElse" if data.get("reactive") else "IfThenElse"
        return to.element(tag, {}, test, *inside)
    given = {key: data[key] for key in ("if", "reactive") if not _is_node(data.get(key, {}))}
    return to.added("if", given, *([] if "if" in given else [test]), *inside)


_UPDATED = {"skip": "SkipUnlessUpdated", "running": "WaitValueUpdate"}


def _updated(data: Data) -> tuple[str, str] | None:
    """The status without a change, and the entry, of a node that is begun when that is set."""
    match data:
        case {"if": {"on_change": {"of": str(name), "counts": "sets", **rest}}} if data.get(
            "else"
        ) is None and not data.get("reactive"):
            otherwise = rest.get("otherwise", "running")
            is_entry = is_reference(f"${name}") and "." not in name
            is_alone = data["if"].keys() == {"on_change"}
            return (
                (otherwise, f"${name}") if otherwise in _UPDATED and is_entry and is_alone else None
            )
    return None


def read_updated(element: XmlReader) -> Data | None:
    """`SkipUnlessUpdated` and `WaitValueUpdate`."""
    entry = element.value("entry")
    if not is_reference(entry) or element.size != 1:
        return None
    otherwise = next(key for key, tag in _UPDATED.items() if tag == element.tag)
    test = {"on_change": {"of": entry[1:], "counts": "sets", "otherwise": otherwise}}
    return {"if": test, "then": element.nodes()[0]}


def read_own(element: XmlReader) -> Data:
    """The element of treec's own."""
    given = {key: element.value(key) for key in ("if", "reactive") if key in element.attributes}
    keys = (*(() if "if" in given else ("if",)), "then", "else")
    return {**given, **dict(zip(keys, element.nodes(), strict=False))}


def read_if(element: XmlReader) -> Data | None:
    """`IfThenElse`, or `WhileDoElse`, which chooses anew in each tick."""
    if element.size not in (2, 3):
        return None
    test, *branches = element.nodes()
    node = {"if": _checked(test), **dict(zip(("then", "else"), branches, strict=False))}
    return {**node, "reactive": True} if element.tag == "WhileDoElse" else node


def _checked(test: Any) -> Any:
    """The expression of a node that only checks one; another node as it is."""
    if not isinstance(test, dict) or test.keys() != {"check"}:
        return test
    text = test["check"]
    return str(text).lower() if isinstance(text, bool) else str(text)


NODE = NodeSpec(
    key="if",
    model=IfNode,
    build=build,
    waits=False,
    begins={"then": ("if", True), "else": ("if", False)},
    resume="children",
    swap="open",
    label=label,
    branches={"if": "if", "then": "then", "else": "else"},
    drawing=Drawing("control", "◇", "M8 1.8L14.2 8L8 14.2L1.8 8Z"),
    xml=Xml(
        write=write_xml,
        read={
            "": read_own,
            **dict.fromkeys(("IfThenElse", "WhileDoElse"), read_if),
            **dict.fromkeys(_UPDATED.values(), read_updated),
        },
    ),
)
