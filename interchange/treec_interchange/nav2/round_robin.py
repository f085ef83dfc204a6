"""A round robin: its children in turn, one success each; the next round goes on with the next one.

SUCCESS: a child returned SUCCESS. The next round begins with the child after it.

FAILURE: every child has returned FAILURE in this round; also when there is no child.

RUNNING: a child returned RUNNING. Children that fail within one tick follow each other in that
tick; after the last comes the first.

Memory: the child whose turn it is, kept over SUCCESS, also when a node above begins a new round.
FAILURE, and a halt while it is RUNNING, reset it to the first one.
This is Nav2's RoundRobin, which tries another recovery each time.

Halting: when halted, the running child is halted. It never halts a child of its own accord.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from treec.files.node_spec import Drawing, NodeSpec, Xml, XmlTag
from treec.files.nodes import Node, NodeBase
from treec.nodes.base import Control, Status

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class RoundRobinNode(NodeBase):
    """Ticks children in turn until one succeeds; the next round goes on with the next one."""

    round_robin: list[Node]


class RoundRobin(Control):
    """Nav2's RoundRobin."""

    def __init__(self, name: str, children: Sequence[Behaviour]) -> None:
        super().__init__(name, children)
        self.turn = 0
        self.failures = self._skipped = 0

    def begin(self) -> Behaviour | None:
        """Tick the child whose turn it is."""
        if self.status is not Status.RUNNING:
            self.clear()
            self.failures = 0
            self.initialise()
        self._skipped = 0
        return self._next()

    def after(self, child: Behaviour) -> Behaviour | None:
        """Tick the next one if it has failed."""
        if child.status is Status.RUNNING:
            self.status = Status.RUNNING
            return None
        self.turn = (self.turn + 1) % len(self.children)
        if child.status is Status.SUCCESS:
            self.stop(Status.SUCCESS)
            return None
        if child.status is Status.FAILURE:
            self.failures += 1
        else:
            self._skipped += 1
        return self._next()

    def _next(self) -> Behaviour | None:
        if self.failures + self._skipped < len(self.children):
            self.current_child = self.children[self.turn % len(self.children)]
            return self.current_child
        is_skipped = self.children and self._skipped == len(self.children)
        self.stop(Status.INVALID if is_skipped else Status.FAILURE)
        return None

    def terminate(self, new_status: Status) -> None:
        """Begin with the first child again, unless one has succeeded."""
        halted = new_status is Status.INVALID and self.status is Status.RUNNING
        if halted or new_status is Status.FAILURE:
            self.turn = 0

    @property
    def memory(self) -> object:
        """The child whose turn it is, and how many have failed in this round."""
        return (self.turn, self.failures) if self.turn or self.failures else None

    def recall(self, memory: object) -> bool:
        """Go on with that child."""
        match memory:
            case None:
                return True
            case (int(turn), int(failures)) if turn < len(self.children):
                self.turn, self.failures = turn, failures
                return True
        return False


def build(at: NodePlace, node: RoundRobinNode) -> Behaviour:
    """The node with its children."""
    return RoundRobin(at.name, at.children(node.round_robin, "round_robin"))


NODE = NodeSpec(
    key="round_robin",
    model=RoundRobinNode,
    build=build,
    waits=False,
    resume="place",
    swap="open",
    drawing=Drawing("control", "?→", "M3 6A5.3 5.3 0 0 1 13 6M13.5 2.5V6.3H9.7M3 10.5H13M3 13.5H9"),
    xml=Xml(tags=(XmlTag("RoundRobin", ("btcpp",)),), children=("round_robin",)),
)
