"""`delay`: a time before the node begins, in each round.

SUCCESS: the node returned SUCCESS.

FAILURE: the node returned FAILURE.

RUNNING: the time is not over yet, or the node returned RUNNING. With `retry` or `repeat` on the
same node the time comes before each attempt.

Memory: when the node begins, in this round.

Halting: when halted, the running node is halted and the time is cancelled. It never halts the node
of its own accord.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import Field

from treec.files.fields import Duration
from treec.files.node_spec import (
    Data,
    Drawing,
    ModifierSpec,
    Xml,
    XmlReader,
    XmlWriter,
    milliseconds,
)
from treec.nodes.base import Modifier, Status, WakeUp

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace
    from treec.world.clock import Clock


class Delay(Modifier):
    """BehaviorTree.CPP's Delay, on the run's clock."""

    def __init__(self, name: str, seconds: float, clock: Clock, child: Behaviour) -> None:
        super().__init__(name, child)
        if seconds <= 0:
            raise ValueError(f"a delay is more than 0 seconds, not {seconds}")
        self.seconds = seconds
        self.clock = clock
        self.start = WakeUp(clock, self.alarm)

    def begin(self) -> Behaviour | None:
        """Wait, then tick the node."""
        if self.status is not Status.RUNNING:
            self.initialise()
            self.start.set(self.clock.now() + self.seconds)
        if self.start.due is None or self.start.is_due:
            return self.decorated
        self.status = Status.RUNNING
        return None

    def alarm(self) -> None:
        """Request the tick in which the node begins."""
        self.wake()

    def terminate(self, new_status: Status) -> None:
        """Cancel the time."""
        self.start.cancel()

    @property
    def memory(self) -> object:
        """When the node begins."""
        return self.start.due

    def recall(self, memory: object) -> bool:
        """Let it begin then."""
        if isinstance(memory, float):
            self.start.set(memory)
        return True


def build(at: NodePlace, value: float, child: Behaviour) -> Behaviour:
    """The node in its modifier."""
    return Delay(child.name, value, at.clock, child)


def write_xml(data: Data, to: XmlWriter) -> Any:
    """`Delay` of BehaviorTree.CPP, if the time is a whole number of milliseconds."""
    msec = milliseconds(data["delay"])
    is_there = msec is not None and to.target == "btcpp"
    return to.element("Delay", {"delay_msec": msec}) if is_there else None


def read_milliseconds(element: XmlReader) -> Data:
    """`Delay` of BehaviorTree.CPP."""
    return {"delay": element.duration("delay_msec")}


MODIFIER = ModifierSpec(
    key="delay",
    order=75,
    type=Duration | None,
    field=Field(None, gt=0, description="RUNNING for this time before the node begins."),
    build=build,
    waits=True,
    resume="child",
    swap="open",
    shows=lambda value: f"delay {value:g} s",
    drawing=Drawing("modifier", icon="M2 8H7M5 5.5L7.5 8L5 10.5M10.5 3V13M13.5 3V13"),
    xml=Xml(write=write_xml, read={"Delay": read_milliseconds}),
)
