"""`rate`: the node is begun at most so many times a second.

SUCCESS: the node returned SUCCESS.

FAILURE: the node returned FAILURE.

RUNNING: the node returned RUNNING; or it ended less than the period ago and is not ticked. The
clock requests a tick when it may begin.

Memory: since when the period counts: the first tick, and each SUCCESS since. A halt forgets it, so
that the node may begin at once. In a `pipeline` this is Nav2's RateController, which plans anew
every so often.

Halting: when halted, the running node is halted. It never halts the node of its own accord.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from treec.files.node_spec import Drawing, ModifierSpec, Xml, XmlTag
from treec.nodes.base import Modifier, Status, WakeUp

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace
    from treec.world.clock import Clock


class Rate(Modifier):
    """Nav2's RateController, on the run's clock."""

    def __init__(self, name: str, hz: float, clock: Clock, child: Behaviour) -> None:
        super().__init__(name, child)
        self.period = 1 / hz
        self.clock = clock
        self.since: float | None = None
        self.next_round = WakeUp(clock, self.alarm)

    def begin(self) -> Behaviour | None:
        """Tick the node if it is running or may begin."""
        super().begin()
        now = self.clock.now()
        if self.since is None:
            self.since = now
        elif self.decorated.status is not Status.RUNNING and now < self.since + self.period:
            self.status = Status.RUNNING
            self.next_round.set(self.since + self.period)
            return None
        return self.decorated

    def after(self, child: Behaviour) -> Behaviour | None:
        """Begin the period after a success."""
        if child.status is Status.SUCCESS:
            self.since = self.clock.now()
            self.next_round.set(self.since + self.period)
        return super().after(child)

    def alarm(self) -> None:
        """Request a tick: the node may begin."""
        self.wake()

    def terminate(self, new_status: Status) -> None:
        """Forget the period when halted, or reset by the node above."""
        if new_status is Status.INVALID:
            self.since = None
            self.next_round.cancel()

    @property
    def memory(self) -> object:
        """Since when the period counts."""
        return self.since

    def recall(self, memory: object) -> bool:
        """Count from then."""
        if isinstance(memory, float):
            self.since = memory
            self.next_round.set(memory + self.period)
        return True


def build(at: NodePlace, value: float, child: Behaviour) -> Behaviour:
    """The node in its modifier."""
    return Rate(child.name, value, at.clock, child)


MODIFIER = ModifierSpec(
    key="rate",
    order=55,
    type=float | None,
    field=Field(None, gt=0, description="At most so many rounds a second; RUNNING in between."),
    build=build,
    waits=True,
    resume="place",
    swap="open",
    shows=lambda value: f"{value:g} a second",
    drawing=Drawing(
        "modifier", icon="M2.2 8a5.8 5.8 0 1 0 11.6 0a5.8 5.8 0 1 0 -11.6 0M8 4.5V8L10.6 9.7"
    ),
    xml=Xml(tags=(XmlTag("RateController", ("btcpp",), value="hz"),)),
)
