"""`beep`: beeps so many times, with a pause after each.

SUCCESS: it has beeped as often as the expression says.

FAILURE: the expression is not a whole number.

RUNNING: it pauses.

Memory: how often it has beeped in this round.

Halting: nothing to halt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from treec import Drawing, NodeSpec, Xml, XmlTag
from treec.files.fields import Duration, Expr
from treec.files.nodes import NodeBase
from treec.nodes.base import Status
from treec.nodes.leaf import WorldLeaf
from treec.source.expression import Expression

if TYPE_CHECKING:
    from treec.nodes.node_place import NodePlace
    from treec.nodes.runtime import Runtime
    from treec.source.scope import Scope


class BeepNode(NodeBase):
    """Beeps as often as the expression says."""

    beep: Expr
    every: Duration = Field(0.0, description="The pause after each beep.")


class Beep(WorldLeaf):
    """Writes each beep into the journal."""

    def __init__(
        self, name: str, runtime: Runtime, scope: Scope, times: Expression, every: float
    ) -> None:
        super().__init__(name, runtime, scope)
        self.times = times
        self.every = every
        self.done = 0
        self._due = 0.0

    def work(self) -> Status:
        """Beep if a pause is over."""
        from treec.nodes.events import Logged

        clock = self.runtime.clock
        times = self.times.evaluate(self.scope)
        if not isinstance(times, int):
            return self.fail(f"{times} is not a number of beeps")
        while self.done < times and clock.now() >= self._due:
            self.done += 1
            self.runtime.world.emit(Logged(f"beep {self.done} of {times}"), self.path)
            self._due = clock.now() + self.every
        if self.done >= times and clock.now() >= self._due:
            return Status.SUCCESS
        clock.call_at(self._due, self.runtime.wake)
        return Status.RUNNING

    def terminate(self, new_status: Status) -> None:
        """Begin anew next time."""
        self.done, self._due = 0, 0.0

    @property
    def memory(self) -> object:
        """The beeps of this round."""
        return self.done or None

    def recall(self, memory: object) -> bool:
        """Go on with the next one."""
        self.done = memory if isinstance(memory, int) else 0
        return True


def build(at: NodePlace, node: BeepNode) -> Beep:
    """The node as a leaf."""
    times = at.expression(node.beep, "beep")
    return Beep(at.path, at.runtime, at.frame, times, node.every)


NODE = NodeSpec(
    key="beep",
    model=BeepNode,
    build=build,
    resume="place",
    label=lambda node: f"beep {node.beep} times",
    drawing=Drawing("action", "♪", "M6 12V3L13 2V11"),
    xml=Xml(
        tags=(XmlTag("Beep", ("btcpp",)),),
        attributes={"num_beeps": "beep", "every": "every"},
    ),
)
