"""Clocks: a virtual one that jumps from timer to timer, and a real one.

Both count seconds since the start of the run, and only the loop's thread serves them. Times are
never rounded: a node that set a timer for ``start + timeout`` can compare ``now()`` with exactly
that sum when it wakes.
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Callable
from typing import ClassVar, Protocol


class Timer:
    """A callback due once, unless :meth:`cancel` is called first."""

    __slots__ = ("_cancelled", "_timers", "callback", "sequence", "when")

    def __init__(
        self, when: float, sequence: int, callback: Callable[[], None], timers: _Timers
    ) -> None:
        self.when = when
        self.sequence = sequence
        self.callback = callback
        self._timers = timers
        self._cancelled = False

    @property
    def cancelled(self) -> bool:
        """Whether the timer was cancelled."""
        return self._cancelled

    def cancel(self) -> None:
        """Drop the callback; no effect if it has run or was cancelled before."""
        if not self._cancelled:
            self._cancelled = True
            self._timers.count_cancelled()

    def __lt__(self, other: Timer) -> bool:
        return (self.when, self.sequence) < (other.when, other.sequence)


class Clock(Protocol):
    """The clock as seen by everything but the loop."""

    def now(self) -> float:
        """Seconds since the run began."""

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """Call ``callback`` in the loop's thread once ``now()`` has reached ``when``."""


class _Timers:
    """A heap of timers in order of (when, sequence)."""

    def __init__(self) -> None:
        self._heap: list[Timer] = []
        self._sequence = 0
        self._dead = 0
        self.fired = 0

    def add(self, when: float, callback: Callable[[], None]) -> Timer:
        if not math.isfinite(when):
            raise ValueError(f"a timer cannot be due at {when}")
        self._sequence += 1
        timer = Timer(when, self._sequence, callback, self)
        heapq.heappush(self._heap, timer)
        return timer

    def count_cancelled(self) -> None:
        # Most timeouts are cancelled: without this, a long run would accumulate them.
        self._dead += 1
        if self._dead > 64 and self._dead > len(self._heap) // 2:
            self._heap = [timer for timer in self._heap if not timer.cancelled]
            heapq.heapify(self._heap)
            self._dead = 0

    def next_due(self) -> float | None:
        while self._heap and self._heap[0].cancelled:
            heapq.heappop(self._heap)
            self._dead = max(0, self._dead - 1)
        return self._heap[0].when if self._heap else None

    def fire(self, now: float) -> int:
        """Call what is due at ``now``; timers added by callbacks wait for the next call."""
        newest = self._sequence
        postponed: list[Timer] = []
        fired = 0
        try:
            while (due := self.next_due()) is not None and due <= now:
                timer = heapq.heappop(self._heap)
                if timer.sequence > newest:
                    postponed.append(timer)
                    continue
                fired += 1
                self.fired += 1
                timer.callback()
        finally:
            for timer in postponed:
                heapq.heappush(self._heap, timer)
        return fired


class VirtualClock:
    """Time that moves only when :meth:`advance` is called."""

    waits: ClassVar[bool] = True
    """Whether time stands still while a model or announced work outside the loop is at work."""

    def __init__(self, start: float = 0.0) -> None:
        self._now = start
        self._timers = _Timers()

    def now(self) -> float:
        """Seconds since the run began."""
        return self._now

    @property
    def fired(self) -> int:
        """How many timers have been due so far."""
        return self._timers.fired

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """Call ``callback`` at ``when``, or at the next :meth:`advance` if that is in the past."""
        return self._timers.add(max(when, self._now), callback)

    def next_due(self) -> float | None:
        """When the next timer is due."""
        return self._timers.next_due()

    def advance(self, limit: float | None = None) -> bool:
        """Jump to the next timer and fire all that are due then, in order of (when, sequence).

        Returns False if there is no timer, or if the next one is after ``limit``; time is then
        ``limit``. A timer that a callback sets for the same time waits for the next call, so the
        tree is ticked in between.
        """
        due = self._timers.next_due()
        if due is None:
            return False
        if limit is not None and due > limit:
            self._now = max(self._now, limit)
            return False
        self._now = max(self._now, due)
        self._timers.fire(self._now)
        return True


class RealClock:
    """Monotonic time, ``speed`` simulated seconds per real second, without a thread of its own."""

    waits: ClassVar[bool] = False

    def __init__(
        self,
        speed: float = 1.0,
        monotonic: Callable[[], float] = time.monotonic,
        start: float = 0.0,
    ) -> None:
        if not (math.isfinite(speed) and speed > 0):
            raise ValueError(f"the speed of a clock must be positive, not {speed}")
        self.speed = speed
        self._monotonic = monotonic
        self._origin = monotonic()
        self._start = start
        self._held: float | None = None
        self._timers = _Timers()

    def now(self) -> float:
        """Simulated seconds since the run began; safe to call from any thread."""
        held = self._held
        if held is not None:
            return held
        return self._start + (self._monotonic() - self._origin) * self.speed

    def hold(self) -> None:
        """Let time stand still until :meth:`release`; nothing happens the second time."""
        if self._held is None:
            self._held = self.now()

    def release(self) -> None:
        """Let time pass again from where it stood."""
        if self._held is not None:
            self._start, self._origin = self._held, self._monotonic()
            self._held = None

    @property
    def fired(self) -> int:
        """How many timers have been due so far."""
        return self._timers.fired

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """Call ``callback`` from :meth:`due` once ``when`` has passed, in the loop's thread."""
        return self._timers.add(when, callback)

    def next_due(self) -> float | None:
        """When the next timer is due."""
        return self._timers.next_due()

    def due(self) -> int:
        """Fire all due timers in order of (when, sequence) and return their number."""
        return self._timers.fire(self.now())

    def real_seconds(self, when: float) -> float:
        """Real seconds until ``when``; 0 if it has passed."""
        return max(0.0, (when - self.now()) / self.speed)
