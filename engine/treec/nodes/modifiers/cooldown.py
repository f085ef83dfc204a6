"""`cooldown`: a time after the node has finished in which it is not started again.

SUCCESS: the node returned SUCCESS.

FAILURE: the node finished less than the cooldown ago and is not ticked; or the node returned
FAILURE.

RUNNING: the node returned RUNNING.

Memory: when the node may be started again, kept over halts and rounds. The time runs from the tick
in which the node returned SUCCESS or FAILURE; a node that was halted may be started at once. The
clock requests a tick at the end of the time.

Halting: when halted, the running node is halted. It never halts the node of its own accord.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from treec.files.fields import Duration
from treec.files.node_spec import Drawing, ModifierSpec
from treec.nodes.base import Modifier, Status, WakeUp

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace
    from treec.world.clock import Clock


class Cooldown(Modifier):
    """A pause on the run's clock."""

    def __init__(self, name: str, seconds: float, clock: Clock, child: Behaviour) -> None:
        super().__init__(name, child)
        if seconds <= 0:
            raise ValueError(f"a cooldown is more than 0 seconds, not {seconds}")
        self.seconds = seconds
        self.clock = clock
        self.ready = WakeUp(clock, self.alarm)

    def begin(self) -> Behaviour | None:
        """Fail while cooling down, else tick the node."""
        if self.status is not Status.RUNNING:
            self.initialise()
            if self.ready.due is not None and not self.ready.is_due:
                self.feedback_message = "cooling down"
                self.stop(Status.FAILURE)
                return None
            self.feedback_message = ""
        return self.decorated

    def after(self, child: Behaviour) -> Behaviour | None:
        """Begin the time if it has finished."""
        if child.status is Status.SUCCESS or child.status is Status.FAILURE:
            self.ready.set(self.clock.now() + self.seconds)
        return super().after(child)

    def alarm(self) -> None:
        """Request a tick: the node may be started again."""
        self.wake()

    @property
    def memory(self) -> object:
        """When the node may be started again."""
        return self.ready.due

    def recall(self, memory: object) -> bool:
        """Start it no earlier."""
        if isinstance(memory, float):
            self.ready.set(memory)
        return True


def build(at: NodePlace, value: float, child: Behaviour) -> Behaviour:
    """The node in its modifier."""
    return Cooldown(child.name, value, at.clock, child)


MODIFIER = ModifierSpec(
    key="cooldown",
    order=130,
    type=Duration | None,
    field=Field(None, description="FAILURE without ticking for this time after it finished."),
    build=build,
    resume="children",
    swap="open",
    shows=lambda value: f"cooldown {value:g} s",
    drawing=Drawing("modifier", icon="M4 2H12M4 14H12M5 2C5 7 11 9 11 14M11 2C11 7 5 9 5 14"),
)
