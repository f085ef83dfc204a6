"""A switch: the one child whose key equals a value.

A key is read as what the value is: `1` is the number for a number, `true` and `false` for a truth
value, `none` for none, and a text or the name of a thing otherwise. Quotes make no difference.

SUCCESS: the chosen child returned SUCCESS.

FAILURE: the chosen child returned FAILURE; or no key equals the value and there is no default.

RUNNING: the chosen child returned RUNNING.

A value that cannot be evaluated equals no key.

Memory: none. The value is evaluated before every tick, as in BehaviorTree.CPP's Switch. To keep the
first choice, set a variable before the switch and use that.

Halting: when the value now selects another child, the running one is halted before the other is
ticked, in the same tick. When halted, the running child is halted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import Field

from treec.files.fields import Expr, Model
from treec.files.node_spec import Data, Drawing, NodeSpec, Xml, XmlReader, XmlWriter
from treec.files.nodes import Node, NodeBase
from treec.nodes.base import Control, Status
from treec.source.values import is_reference, number_in

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class SwitchBody(Model):
    """An expression, and a node for each of its values."""

    of: Expr = Field(examples=["'a'"])
    cases: dict[str, Node] = Field(examples=[{"a": {"log": "to do"}, "b": {"log": "to do"}}])
    default: Node | None = None


class SwitchNode(NodeBase):
    """Ticks the child whose key equals the value."""

    switch: SwitchBody


class Switch(Control):
    """Chooses by a value; keys are texts, which are read as what the value is."""

    def __init__(
        self,
        name: str,
        select: Callable[[], object],
        cases: Mapping[str, Behaviour],
        default: Behaviour | None = None,
    ) -> None:
        children = list(cases.values())
        if default is not None:
            children.append(default)
        super().__init__(name, children)
        self.select = select
        self.cases = dict(cases)
        self.default = default

    def begin(self) -> Behaviour | None:
        """Evaluate the value, halt another child if it was running, tick the chosen one."""
        if self.status is not Status.RUNNING:
            self.clear()
            self.initialise()
            self.feedback_message = ""
        value = self.select()
        chosen = self.choose(value)
        before = self.current_child
        if before is not None and before is not chosen and before.status is Status.RUNNING:
            before.stop(Status.INVALID)
        self.current_child = chosen
        if chosen is None:
            self.feedback_message = f"no case for {value!r}"
            self.stop(Status.FAILURE)
        return chosen

    def replace_children(self, by: Mapping[Behaviour, Behaviour]) -> None:
        """Choose among the new ones."""
        self.cases = {key: by.get(child, child) for key, child in self.cases.items()}
        if self.default is not None:
            self.default = by.get(self.default, self.default)

    def choose(self, value: object) -> Behaviour | None:
        """The child for a value.

        Keys are compared with ``==`` rather than hashed: a value may be an entity that equals its
        name, or a list.
        """
        cases = self.cases.items()
        if value is None or isinstance(value, bool):
            word = str(value).lower()
            found = (child for key, child in cases if key.lower() == word)
        elif isinstance(value, int | float):
            found = (child for key, child in cases if number_in(key) == value)
        else:
            found = (child for key, child in cases if value == key)
        return next(found, self.default)


_NO_CASE = object()


def build(at: NodePlace, node: SwitchNode) -> Behaviour:
    """The node with a child for each case."""
    body = node.switch
    cases = {
        key: at.branch(child, key, "switch", "cases", key) for key, child in body.cases.items()
    }
    default = None
    if body.default is not None:
        default = at.branch(body.default, "default", "switch", "default")
    return Switch(at.name, at.value(body.of, _NO_CASE, "switch", "of"), cases, default)


def write_xml(data: Data, to: XmlWriter) -> Any:
    """`Switch2` to `Switch6` of a variable with a default, or an own element."""
    body = data["switch"]
    of, cases, default = str(body["of"]), body["cases"], body.get("default")
    inside = [to.node(child, "switch", "cases", one) for one, child in cases.items()]
    if default is not None:
        inside.append(to.node(default, "switch", "default"))
    is_variable = is_reference(f"${of}") and "." not in of
    if to.target == "btcpp" and default is not None and len(cases) in _SIZES and is_variable:
        given = {f"case_{n + 1}": to.text(str(one)) for n, one in enumerate(cases)}
        return to.element(f"Switch{len(cases)}", {"variable": f"${of}", **given}, *inside)
    return to.added("switch", {"of": of, "cases": [str(one) for one in cases]}, *inside)


def read_switch(element: XmlReader) -> Data | None:
    """`Switch2` to `Switch6`, if each case has its child and the last child is for all others."""
    count = int(element.tag[-1])
    variable = element.attributes.get("variable", "")
    of = variable[1:-1] if variable.startswith("{") else variable
    names = [element.text(f"case_{n + 1}") for n in range(count)]
    names = [name for name in names if name is not None]
    if len(set(names)) != count or element.size != count + 1 or not is_reference(f"${of}"):
        return None
    *children, default = element.nodes()
    cases = dict(zip(names, children, strict=True))
    return {"switch": {"of": of, "cases": cases, "default": default}}


def read_own(element: XmlReader) -> Data:
    """The element of treec's own."""
    names, nodes = element.value("cases"), element.nodes()
    cases = dict(zip(names if isinstance(names, list) else (), nodes, strict=False))
    body = {"of": element.value("of", ""), "cases": cases}
    if len(nodes) > len(cases):
        body["default"] = nodes[-1]
    return {"switch": body}


_SIZES = range(2, 7)

NODE = NodeSpec(
    key="switch",
    model=SwitchNode,
    build=build,
    waits=False,
    compares=(("switch", "of"), ("switch", "cases")),
    resume="children",
    swap="open",
    label=lambda node: f"switch: {node.switch.of}",
    branches={"switch.default": "else"},
    drawing=Drawing("control", icon="M2 8H5.5L10.5 3H14M5.5 8H14M5.5 8L10.5 13H14"),
    xml=Xml(
        write=write_xml,
        read={"": read_own, **{f"Switch{size}": read_switch for size in _SIZES}},
    ),
)
