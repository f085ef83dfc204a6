"""A recovery: a node, and what is done after each of its failures before it is tried again.

SUCCESS: the first node returned SUCCESS.

FAILURE: the first node returned FAILURE and the recovery has succeeded `retries` times in this
round; or the recovery returned FAILURE.

RUNNING: the first node or the recovery returned RUNNING. Whatever ends is followed by the other in
the same tick.

Memory: which of the two is running, and how often the recovery has succeeded in this round. This is
Nav2's RecoveryNode.

Halting: when halted, the running one of the two is halted. It never halts one of its own accord.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pydantic import Field

from treec.files.fields import Model
from treec.files.node_spec import Drawing, NodeSpec, Xml, XmlTag
from treec.files.nodes import Node, NodeBase
from treec.nodes.base import Control, Status

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class RecoveryBody(Model):
    """A node, what is done when it fails, and how often."""

    retries: int = Field(1, ge=0)
    do: Node
    recover: Node


class RecoveryNode(NodeBase):
    """Ticks a node again after each failure that the recovery has mended."""

    recovery: RecoveryBody


class Recovery(Control):
    """Nav2's RecoveryNode."""

    def __init__(self, name: str, retries: int, child: Behaviour, recovery: Behaviour) -> None:
        super().__init__(name, [child, recovery])
        self.retries = retries
        self.child = child
        self.recovery = recovery
        self.recovered = 0

    def begin(self) -> Behaviour | None:
        """Tick the node, or the recovery if that is running."""
        if self.status is not Status.RUNNING:
            self.clear()
            self.recovered = 0
            self.initialise()
        is_recovering = self.recovery.status is Status.RUNNING
        self.current_child = self.recovery if is_recovering else self.child
        return self.current_child

    def after(self, child: Behaviour) -> Behaviour | None:
        """Tick the recovery when the node has failed, and the node when that has succeeded."""
        status, ends = child.status, Status.FAILURE if child is self.child else Status.SUCCESS
        is_last = child is self.child and self.recovered >= self.retries
        if child is self.recovery and status is Status.INVALID:  # it mends nothing
            self.stop(Status.FAILURE)
            return None
        if status is not ends or is_last:
            return super().after(child)
        child.stop(Status.INVALID)
        self.recovered += child is self.recovery
        self.current_child = self.recovery if child is self.child else self.child
        return self.current_child

    @property
    def memory(self) -> object:
        """How often the recovery has succeeded."""
        return self.recovered or None

    def recall(self, memory: object) -> bool:
        """Go on after so many."""
        if memory is not None and not isinstance(memory, int):
            return False
        self.recovered = memory or 0
        return True

    @property
    def rounds(self) -> int:
        """How often it may begin its nodes anew."""
        return self.retries + 1

    def replace_children(self, by: Mapping[Behaviour, Behaviour]) -> None:
        """Tick the new ones."""
        self.child = by.get(self.child, self.child)
        self.recovery = by.get(self.recovery, self.recovery)


def build(at: NodePlace, node: RecoveryNode) -> Behaviour:
    """The node with its two children."""
    body = node.recovery
    child = at.branch(body.do, "do", "recovery", "do")
    recovery = at.branch(body.recover, "recover", "recovery", "recover")
    return Recovery(at.name, body.retries, child, recovery)


NODE = NodeSpec(
    key="recovery",
    model=RecoveryNode,
    build=build,
    waits=False,
    resume="place",
    swap="open",
    branches={"recovery.do": "do", "recovery.recover": "recover"},
    drawing=Drawing("control", "⟲", "M13.2 8A5.2 5.2 0 1 1 10.6 3.5M10.8 .8V3.7H7.7M8 5.5V10.5"),
    xml=Xml(
        tags=(XmlTag("RecoveryNode", ("btcpp",)),),
        attributes={"number_of_retries": "recovery.retries"},
        children=("recovery.do", "recovery.recover"),
    ),
)
