"""`timeout`: halts the node when it takes too long.

SUCCESS: the node returned SUCCESS, at its deadline at the latest.

FAILURE: the node was still running at the deadline (feedback message: `timed out after 3m`); or the
node returned FAILURE.

RUNNING: the node returned RUNNING and there is time left.

Memory: the deadline, set when a round begins. The clock requests a tick at that time, so that the
node is halted even if nothing else happens. What has ended by then keeps its result: if a skill or
a wait below has, the node is ticked a last time, in which no skill begins.

Halting: at the deadline a node that is still running is halted in that tick. When halted, the
running node is halted and the deadline cancelled.
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
    XmlTag,
    XmlWriter,
    milliseconds,
)
from treec.nodes.base import Modifier, Status, WakeUp, ended_leaf

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace
    from treec.world.clock import Clock


class Timeout(Modifier):
    """A deadline on the run's clock; `seconds` is more than 0."""

    def __init__(self, name: str, seconds: float, clock: Clock, child: Behaviour) -> None:
        super().__init__(name, child)
        if seconds <= 0:
            raise ValueError(f"a timeout is more than 0 seconds, not {seconds}")
        self.seconds = seconds
        self.clock = clock
        self.deadline = WakeUp(clock, self.alarm)

    def begin(self) -> Behaviour | None:
        """Set the deadline when a round begins; end the round at the deadline."""
        if self.status is not Status.RUNNING:
            self.initialise()
            self.feedback_message = ""
            self.deadline.set(self.clock.now() + self.seconds)
        elif self.deadline.is_due:
            why = f"timed out after {duration_text(self.seconds)}"
            self.end(why, ended_leaf(self.decorated))
            return None
        return self.decorated

    def alarm(self) -> None:
        """Request the tick that ends the round."""
        self.wake()

    def terminate(self, new_status: Status) -> None:
        """Cancel the deadline."""
        self.deadline.cancel()

    @property
    def memory(self) -> object:
        """The deadline."""
        return self.deadline.due

    def recall(self, memory: object) -> bool:
        """Keep the deadline."""
        if self.status is Status.RUNNING:
            due = memory if isinstance(memory, float) else self.clock.now() + self.seconds
            self.deadline.set(due)
        return True


def duration_text(seconds: float) -> str:
    """A duration as people write it: 1h, 3m, 90s, 500ms."""
    for size, unit in ((3600, "h"), (60, "m")):
        if seconds >= size and seconds % size == 0:
            return f"{seconds // size:g}{unit}"
    if seconds < 1:
        return f"{seconds * 1000:g}ms"
    return f"{seconds:g}s"


def build(at: NodePlace, value: float, child: Behaviour) -> Behaviour:
    """The node in its modifier."""
    return Timeout(child.name, value, at.clock, child)


def write_xml(data: Data, to: XmlWriter) -> Any:
    """`Timeout` of BehaviorTree.CPP, if the time is a whole number of milliseconds."""
    msec = milliseconds(data["timeout"])
    return None if msec is None or to.target != "btcpp" else to.element("Timeout", {"msec": msec})


def read_milliseconds(element: XmlReader) -> Data:
    """`Timeout` of BehaviorTree.CPP."""
    return {"timeout": element.duration("msec")}


MODIFIER = ModifierSpec(
    key="timeout",
    order=50,
    type=Duration | None,
    field=Field(None, gt=0, description="The node is stopped after this time: FAILURE."),
    build=build,
    resume="below",
    swap="open",
    shows=lambda value: f"timeout {value:g} s",
    drawing=Drawing(
        "modifier", icon="M2.2 8a5.8 5.8 0 1 0 11.6 0a5.8 5.8 0 1 0 -11.6 0M8 4.5V8L10.6 9.7"
    ),
    xml=Xml(
        tags=(XmlTag("Timeout", ("py_trees",), value="duration"),),
        write=write_xml,
        read={"Timeout": read_milliseconds},
    ),
)
