"""`timeout`: halts the node when it takes too long.

SUCCESS: the node returned SUCCESS before its deadline.

FAILURE: the node was still running at the deadline (feedback message: `timed out after 3m`); or the
node returned FAILURE.

RUNNING: the node returned RUNNING and there is time left.

Memory: the deadline, set when a round begins. The clock requests a tick at that time, so that the
node is halted even if nothing else happens. The node is not ticked at the deadline or later.

Halting: at the deadline the running node is halted in that tick. When halted, the running node is
halted and the deadline cancelled.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.nodes.base import Modifier

if TYPE_CHECKING:
    from treec.world.clock import Clock, Timer


class Timeout(Modifier):
    """A deadline on the run's clock; `seconds` is more than 0."""

    def __init__(self, name: str, seconds: float, clock: Clock, child: Behaviour) -> None:
        super().__init__(name, child)
        if seconds <= 0:
            raise ValueError(f"a timeout is more than 0 seconds, not {seconds}")
        self.seconds = seconds
        self.clock = clock
        self.deadline = 0.0
        self.timer: Timer | None = None

    def tick(self) -> Iterator[Behaviour]:
        """Set the deadline when a round begins; halt the node at the deadline."""
        if self.status is not Status.RUNNING:
            self.initialise()
            self.feedback_message = ""
            self.deadline = self.clock.now() + self.seconds
            self.timer = self.clock.call_at(self.deadline, self.alarm)
        elif self.clock.now() >= self.deadline:
            self.feedback_message = f"timed out after {duration_text(self.seconds)}"
            self.stop(Status.FAILURE)
            yield self
            return
        yield from self.decorated.tick()
        self.finish(self.decorated.status)
        yield self

    def alarm(self) -> None:
        """Request the tick that ends the round."""
        self.wake()

    def terminate(self, new_status: Status) -> None:
        """Cancel the deadline."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


def duration_text(seconds: float) -> str:
    """A duration as people write it: 1h, 3m, 90s, 500ms."""
    for size, unit in ((3600, "h"), (60, "m")):
        if seconds >= size and seconds % size == 0:
            return f"{seconds // size:g}{unit}"
    if seconds < 1:
        return f"{seconds * 1000:g}ms"
    return f"{seconds:g}s"
