"""`wait`: holds the tree until a condition is true or a time is over.

SUCCESS: the condition is true, or the time since the first tick of this round is over. With both,
whichever comes first.

FAILURE: the condition cannot be evaluated.

RUNNING: until then. The loop is woken when the time is over and when the world changes.

Memory: when this round began.

Halting: the timer is cancelled; the next round waits anew.
"""

from __future__ import annotations

from py_trees.common import Status

from treec.nodes.leaf import WorldLeaf
from treec.nodes.runtime import Runtime
from treec.source.expression import Expression
from treec.source.scope import Scope
from treec.world.clock import Timer


class Wait(WorldLeaf):
    """Until a condition, for some seconds, or either."""

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
        """Begin to wait."""
        super().initialise()
        if self.seconds is not None:
            self._due = self.runtime.clock.now() + self.seconds
            self._timer = self.runtime.clock.call_at(self._due, self.runtime.wake)

    def work(self) -> Status:
        """Look whether it is over."""
        if self.until is not None and self.until.evaluate(self.scope):
            return Status.SUCCESS
        if self._due is not None and self.runtime.clock.now() >= self._due:
            return Status.SUCCESS
        return Status.RUNNING

    def terminate(self, new_status: Status) -> None:
        """Wait no more."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        self._due = None
