"""`on_change`: waits until a value has changed.

SUCCESS: the value differs from that at the last SUCCESS; the first tick always succeeds. With
`counts: sets` a variable was set since then, even to the same value.

FAILURE: the expression cannot be evaluated; or the value has not changed, with
`otherwise: failure`.

RUNNING: the value has not changed. With `otherwise: skip` it is skipped then (see `skip_if`).

Memory: the value at the last SUCCESS, kept over halts and rounds.

Halting: nothing to halt.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from treec.files.fields import Expr, Model
from treec.files.node_spec import Data, Drawing, NodeSpec, Xml, XmlReader, XmlWriter
from treec.files.nodes import NodeBase, mapping_or
from treec.nodes.base import Status
from treec.nodes.leaf import WorldLeaf
from treec.nodes.observation import fingerprint
from treec.source.expression import Expression
from treec.source.values import is_reference

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.frame import Frame
    from treec.nodes.node_place import NodePlace
    from treec.nodes.runtime import Runtime


class OnChangeBody(Model):
    """A value, what counts as a change, and what it is without one."""

    of: Expr
    counts: Literal["values", "sets"] = Field(
        "values", description="sets: a variable that is set, also to the value that it has."
    )
    otherwise: Literal["running", "failure", "skip"] = "running"


class OnChangeNode(NodeBase):
    """SUCCESS when a value differs from what it was at the last SUCCESS, else RUNNING."""

    on_change: Annotated[
        Annotated[OnChangeBody, Tag("mapping")] | Annotated[Expr, Tag("expression")],
        Discriminator(mapping_or("expression")),
    ]


def _body(node: OnChangeNode) -> OnChangeBody:
    given = node.on_change
    return given if isinstance(given, OnChangeBody) else OnChangeBody.model_validate({"of": given})


class OnChange(WorldLeaf):
    """Waits for a change."""

    scope: Frame

    def __init__(self, name: str, runtime: Runtime, scope: Frame, value: Expression) -> None:
        super().__init__(name, runtime, scope)
        self.value = value
        self.otherwise = Status.RUNNING
        self.counts_sets = False
        self._last: object = None
        self._is_pending: bool | None = None
        """In a resumed run: whether it was set after it was looked at last."""

    def work(self) -> Status:
        """Compare with the last value."""
        mark = self._mark()
        if self._is_pending is not None:
            self._last, self._is_pending = None if self._is_pending else mark, None
        if mark == self._last:
            return self.otherwise
        self._last = mark
        return Status.SUCCESS

    def _mark(self) -> object:
        if self.counts_sets:
            cell = self.scope.cell(self.value.text)
            if cell is not None:
                return cell.times_set or None
        text = fingerprint({"value": self.value.evaluate(self.scope)})
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    @property
    def memory(self) -> object:
        """A check sum of the value at the last SUCCESS; of what is set, whether it was since."""
        if isinstance(self._last, int):
            return {"pending": self._mark() != self._last}
        return self._last

    def recall(self, memory: object) -> bool:
        """Compare with that value."""
        if isinstance(memory, Mapping):
            self._is_pending = memory.get("pending") is True
        self._last = memory if isinstance(memory, str) else None
        return True


def build(at: NodePlace, node: OnChangeNode) -> Behaviour:
    """The node as a leaf."""
    body = _body(node)
    loc = ("on_change", "of") if isinstance(node.on_change, OnChangeBody) else ("on_change",)
    made = OnChange(at.path, at.runtime, at.frame, at.expression(body.of, *loc))
    made.counts_sets = body.counts == "sets"
    if body.otherwise != "running":
        made.otherwise = Status["INVALID" if body.otherwise == "skip" else "FAILURE"]
    return made


def write_xml(data: Data, to: XmlWriter) -> Any:
    """`WasEntryUpdated` of BehaviorTree.CPP."""
    body = data["on_change"]
    if to.target != "btcpp" or not isinstance(body, Mapping) or body.get("counts") != "sets":
        return None
    entry = f"${body['of']}"
    if body.get("otherwise") != "failure" or not is_reference(entry) or "." in entry:
        return None
    return to.element("WasEntryUpdated", {"entry": entry})


def read_updated(element: XmlReader) -> Data | None:
    """The same."""
    entry = element.value("entry")
    if not is_reference(entry):
        return None
    return {"on_change": {"of": entry[1:], "counts": "sets", "otherwise": "failure"}}


NODE = NodeSpec(
    key="on_change",
    model=OnChangeNode,
    build=build,
    waits=lambda node: _body(node).otherwise == "running",
    label=lambda node: f"on_change: {_body(node).of}",
    drawing=Drawing("condition", "Δ", "M8 2.5L14 13.5H2Z"),
    xml=Xml(write=write_xml, read={"WasEntryUpdated": read_updated}),
)
