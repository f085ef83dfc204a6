"""`repeat`: the node again after a SUCCESS, a number of times.

SUCCESS: the node has returned SUCCESS `cycles` times in this round; at once if `cycles` is 0. -1
means without limit.

FAILURE: the node returned FAILURE.

RUNNING: the node returned RUNNING; or a node that was not running returned SUCCESS and cycles are
left: the next cycle then starts in the next tick, which is requested at once (BehaviorTree.CPP's
wake-up rule). A node that had been running and returns SUCCESS starts its next cycle in the same
tick.

Memory: the finished cycles of this round. SUCCESS, FAILURE and a halt reset them.

Halting: when halted, the running node is halted. It never halts the node of its own accord.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pydantic import Field

from treec.files.node_spec import Drawing, ModifierSpec, Xml, XmlTag
from treec.nodes.base import Modifier, Status

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class Repeat(Modifier):
    """BehaviorTree.CPP's Repeat."""

    def __init__(self, name: str, cycles: int, child: Behaviour) -> None:
        super().__init__(name, child)
        if cycles < -1:
            raise ValueError(f"cycles are -1 (no limit), 0 or more, not {cycles}")
        self.cycles = cycles
        self.completed = 0

    def tick(self) -> Iterator[Behaviour]:
        """Run a cycle, and further ones as far as the wake-up rule allows."""
        if self.status is not Status.RUNNING:
            self.initialise()
        child = self.decorated
        while self.completed != self.cycles:
            was_running = child.status is Status.RUNNING
            yield from child.tick()
            status = child.status
            if status is not Status.SUCCESS:
                self.finish(status)
                yield self
                return
            self.completed += 1
            if not was_running and self.completed != self.cycles:
                self.wake()
                self.status = Status.RUNNING
                yield self
                return
        self.stop(Status.SUCCESS)
        yield self

    @property
    def memory(self) -> object:
        """The number of finished cycles of this round."""
        return self.completed or None

    def recall(self, memory: object) -> bool:
        """Go on after so many."""
        if memory is None:  # the first one
            return True
        if not isinstance(memory, int) or memory < 0 or memory == self.cycles:
            return False
        self.completed = memory
        return True

    @property
    def rounds(self) -> int:
        """The cycles, if they are limited."""
        return max(1, self.cycles)

    def terminate(self, new_status: Status) -> None:
        """Forget the cycles."""
        self.completed = 0


def build(at: NodePlace, value: int, child: Behaviour) -> Behaviour:
    """The node in its modifier."""
    return Repeat(child.name, value, child)


MODIFIER = ModifierSpec(
    key="repeat",
    order=70,
    type=int | None,
    field=Field(None, ge=-1, description="Number of times it must succeed; -1: unlimited."),
    build=build,
    endless=-1,
    off=0,
    resume="place",
    swap="open",
    drawing=Drawing("modifier", "↻", "M13.2 8A5.2 5.2 0 1 1 10.6 3.5M10.8 .8V3.7H7.7"),
    xml=Xml(
        tags=(
            XmlTag("Repeat", ("btcpp",), value="num_cycles"),
            XmlTag("Repeat", ("py_trees",), value="num_success", least=0),
        )
    ),
)
