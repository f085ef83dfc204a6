"""The tick that a node asks the clock for, at one time that it may change or give up."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treec.world.clock import Clock, Timer


class WakeUp:
    """One timer; ``due`` is when it is set to, None if it is not."""

    __slots__ = ("_clock", "_timer", "_wake", "due")

    def __init__(self, clock: Clock, wake: Callable[[], None]) -> None:
        self._clock = clock
        self._wake = wake
        self._timer: Timer | None = None
        self.due: float | None = None

    @property
    def is_due(self) -> bool:
        """Whether the time has come."""
        return self.due is not None and self._clock.now() >= self.due

    def set(self, due: float) -> None:
        """Ask for a tick at a time, and no longer at the one before."""
        self.cancel()
        self.due, self._timer = due, self._clock.call_at(due, self._wake)

    def cancel(self) -> None:
        """Ask for none."""
        if self._timer is not None:
            self._timer.cancel()
        self.due = self._timer = None
