"""`on_change`: waits until a value has changed.

SUCCESS: the value differs from that at the last SUCCESS; the first tick always succeeds.

FAILURE: the expression cannot be evaluated.

RUNNING: the value has not changed.

Memory: the value at the last SUCCESS, kept over halts and rounds.

Halting: nothing to halt.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from treec.files.fields import Expr
from treec.files.node_spec import Drawing, NodeSpec
from treec.files.nodes import NodeBase
from treec.nodes.base import Status
from treec.nodes.leaf import WorldLeaf
from treec.nodes.observation import fingerprint
from treec.source.expression import Expression
from treec.source.scope import Scope

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace
    from treec.nodes.runtime import Runtime


class OnChangeNode(NodeBase):
    """SUCCESS when a value differs from what it was at the last SUCCESS, else RUNNING."""

    on_change: Expr


class OnChange(WorldLeaf):
    """Waits for a change."""

    def __init__(self, name: str, runtime: Runtime, scope: Scope, value: Expression) -> None:
        super().__init__(name, runtime, scope)
        self.value = value
        self._last: str | None = None

    def work(self) -> Status:
        """Compare with the last value."""
        text = fingerprint({"value": self.value.evaluate(self.scope)})
        key = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
        if key == self._last:
            return Status.RUNNING
        self._last = key
        return Status.SUCCESS

    @property
    def memory(self) -> object:
        """A check sum of the value at the last SUCCESS."""
        return self._last

    def recall(self, memory: object) -> bool:
        """Compare with that value."""
        self._last = memory if isinstance(memory, str) else None
        return True


def build(at: NodePlace, node: OnChangeNode) -> Behaviour:
    """The node as a leaf."""
    return OnChange(at.path, at.runtime, at.frame, at.expression(node.on_change, "on_change"))


NODE = NodeSpec(
    key="on_change",
    model=OnChangeNode,
    build=build,
    label=lambda node: f"on_change: {node.on_change}",
    drawing=Drawing("condition", "Δ", "M8 2.5L14 13.5H2Z"),
)
