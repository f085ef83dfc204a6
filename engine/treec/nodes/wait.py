"""`wait`: waits until a condition is true or a time has passed.

SUCCESS: the condition is true, or the time since the first tick of this round has passed. With
both, whichever comes first.

FAILURE: the condition cannot be evaluated.

RUNNING: until then. The loop wakes when the time has passed and when the world changes.

Memory: when this round began.

Halting: the timer is cancelled; the next round starts from the beginning.
"""

from __future__ import annotations

from py_trees.common import Status

from treec.nodes.leaf import WorldLeaf
from treec.nodes.runtime import Runtime
from treec.source.expression import Expression
from treec.source.scope import Scope
from treec.world.clock import Timer


class Wait(WorldLeaf):
    """Waits for a condition, for some seconds, or for either."""

    def __init__(
        self,
        name: str,
        runtime: Runtime,
        scope: Scope,
        *,
        until: Expression | None = None,
        seconds: float | None = None,
    ) -> None:
        super().__init__(name, runtime, scope)
        self.until = until
        self.seconds = seconds
        self._due: float | None = None
        self._timer: Timer | None = None

    def initialise(self) -> None:
        """Start the timer."""
        super().initialise()
        if self.seconds is not None:
            self._due = self.runtime.clock.now() + self.seconds
            self._timer = self.runtime.clock.call_at(self._due, self.runtime.wake)

    def work(self) -> Status:
        """Check the condition and the time."""
        if self.until is not None and self.until.evaluate(self.scope):
            return Status.SUCCESS
        if self._due is not None and self.runtime.clock.now() >= self._due:
            return Status.SUCCESS
        return Status.RUNNING

    def terminate(self, new_status: Status) -> None:
        """Cancel the timer."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        self._due = None
