"""Calls of code of others that must end in time: `cancel`, `terminate` and `close`.

Such a call is made in a thread of its own, so that nothing in it (a sleep, an endless loop, a lock,
a read that blocks) holds who calls it, nor keeps the next robot from being told. One that does not
return within its bound is given up; its thread goes on, since it may yet stop what it is to stop,
and ends with the process.
"""

from __future__ import annotations

import contextvars
import threading
import time
from collections.abc import Callable
from typing import Generic, Literal, TypeVar

T = TypeVar("T")

BOUND = 1.0
"""Real seconds that such a call may take."""

CallStatus = Literal["ok", "failed", "hung"]


class NotInTime(Exception):
    """A call did not return within its bound."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"did not return within {seconds:g} s")
        self.seconds = seconds


class BoundedCall(Generic[T]):
    """A call that begins at once; :meth:`result` waits for it, until its bound is over."""

    def __init__(self, function: Callable[[], T], seconds: float | None = None) -> None:
        """``seconds`` is its bound (default: ``BOUND``)."""
        self.seconds = BOUND if seconds is None else seconds
        self._began = time.monotonic()
        self._function = function
        self._done = threading.Event()
        self._values: list[T] = []
        self._error: BaseException | None = None
        run = contextvars.copy_context().run
        threading.Thread(target=run, args=(self._call,), name="treec stop", daemon=True).start()

    @property
    def is_done(self) -> bool:
        """Whether it has returned or raised, be it late."""
        return self._done.is_set()

    @property
    def status(self) -> CallStatus:
        """How it has ended; ``hung`` while it has not."""
        if not self.is_done:
            return "hung"
        return "ok" if self._error is None else "failed"

    def wait(self, seconds: float) -> None:
        """Wait so many seconds since it began, or less if it ends before."""
        self._done.wait(max(0.0, self._began + seconds - time.monotonic()))

    def result(self) -> T:
        """What it returned. Raises what it raised, or NotInTime once its bound is over."""
        self.wait(self.seconds)
        if not self.is_done:
            raise NotInTime(self.seconds)
        if self._error is not None:
            raise self._error
        return self._values[0]

    def _call(self) -> None:
        try:
            self._values.append(self._function())
        except BaseException as error:
            self._error = error
        finally:
            self._done.set()
