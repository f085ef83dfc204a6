"""Deadlines on the real clock, all watched by one thread.

One thread per deadline would cost a thread switch per request just when many are sent.
"""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Callable
from itertools import count

Action = Callable[[], None]


class Alarm:
    """An action that runs at its deadline unless it is cancelled before."""

    def __init__(self, action: Action) -> None:
        self._action: Action | None = action

    def cancel(self) -> None:
        """Do not run the action."""
        self._action = None

    @property
    def cancelled(self) -> bool:
        """Whether it was cancelled."""
        return self._action is None

    def run(self) -> None:
        """Run the action now."""
        action = self._action
        if action is not None:
            action()


class Deadlines:
    """Runs actions at their deadlines, in a daemon thread that starts with the first one."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._condition = threading.Condition()
        self._alarms: list[tuple[float, int, Alarm]] = []
        self._numbers = count()
        self._thread: threading.Thread | None = None
        self._closed = False

    def __call__(self, seconds: float, action: Action) -> Alarm:
        """Run an action after some seconds. Thread-safe."""
        alarm = Alarm(action)
        with self._condition:
            heapq.heappush(self._alarms, (self._monotonic() + seconds, next(self._numbers), alarm))
            if self._alarms[0][2] is alarm:
                self._condition.notify()
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._watch, name="treec-deadlines", daemon=True
                )
                self._thread.start()
        return alarm

    def close(self) -> None:
        """Drop all pending actions and end the thread; the next deadline starts a new one."""
        with self._condition:
            self._closed = True
            self._condition.notify()
        if self._thread is not None:
            self._thread.join(timeout=10.0)
        self._thread, self._closed = None, False
        self._alarms.clear()

    def _watch(self) -> None:
        while (alarm := self._next_due()) is not None:
            alarm.run()

    def _next_due(self) -> Alarm | None:
        """Wait for the next deadline; None once closed."""
        with self._condition:
            while not self._closed:
                while self._alarms and self._alarms[0][2].cancelled:
                    heapq.heappop(self._alarms)
                if not self._alarms:
                    self._condition.wait()
                elif (left := self._alarms[0][0] - self._monotonic()) > 0:
                    self._condition.wait(left)
                else:
                    return heapq.heappop(self._alarms)[2]
        return None
