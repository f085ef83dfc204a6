"""Work outside the loop that is announced, so that virtual time waits for it.

A thread, process or callback whose result the loop will need is announced before it starts. On the
virtual clock, time stands still until it says that it is done; on a real clock it only wakes the
loop. Work that exceeds its limit in real seconds is no longer waited for, and becomes an alarm.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from types import TracebackType
from typing import Protocol

from treec.foreign import is_ctrl_c
from treec.world.clock import RealClock, VirtualClock
from treec.world.inbox import Inbox

LIMIT = 60.0
"""Real seconds that virtual time waits for a piece of work."""


class ExternalWork:
    """A piece of announced work; all methods but :meth:`take` may be called from any thread.

    As a context manager it is done at the end of the block; an exception of the block is handed to
    ``on_error`` instead of leaving the thread.
    """

    def __init__(
        self,
        name: str,
        inbox: Inbox,
        *,
        by: str = "",
        limit: float = LIMIT,
        began: float = 0.0,
        is_held: bool = False,
        on_error: Callable[[BaseException], None] | None = None,
    ) -> None:
        self.name = name
        self.by = by
        self.limit = limit
        self.began = began
        self._inbox = inbox
        self._on_error = on_error
        self._values: list[object] = []
        self._held: list[Callable[[], None]] | None = [] if is_held else None
        self._is_done = False

    @property
    def is_done(self) -> bool:
        """Whether it has ended; its last values are there then."""
        return self._is_done

    @property
    def is_held(self) -> bool:
        """Whether its time has not come yet, so that what it delivers is kept back."""
        return self._held is not None

    def post(self, value: object) -> None:
        """Hand a value to the loop's thread and wake the loop."""
        self.deliver(lambda: self._values.append(value))

    def take(self) -> list[object]:
        """The values posted since the last call, in order; for the loop's thread."""
        with self._inbox.lock:
            values, self._values = self._values, []
        return values

    def done(self) -> None:
        """End it and wake the loop: nothing more will be posted. No effect the second time."""
        self.deliver(self._end)

    def deliver(self, action: Callable[[], None]) -> None:
        """Do something and wake the loop, in one step; later if its time has not come yet."""
        with self._inbox.lock:
            if self._held is not None:
                self._held.append(action)
            else:
                action()
                self._inbox.wake()

    def release(self) -> None:
        """Deliver from now on, and what was kept back first."""
        with self._inbox.lock:
            held, self._held = self._held, None
            for action in held or ():
                self.deliver(action)

    def cancel(self) -> None:
        """Wait for it no longer; what it delivers has no effect on virtual time."""
        with self._inbox.lock:
            self._held, self._is_done = None, True

    def _end(self) -> None:
        self._is_done = True

    def __enter__(self) -> ExternalWork:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        on_error = self._on_error
        if on_error is None or error is None or is_ctrl_c(error):
            self.done()
            return False
        with self._inbox.lock:
            if not self._is_done:
                self.deliver(partial(on_error, error))
            self.done()
        return True


class BeginExternal(Protocol):
    """Announces work; see :meth:`ExternalWorks.begin`."""

    def __call__(self, name: str, *, takes: float = 0.0, limit: float = LIMIT) -> ExternalWork:
        """Announce work before it starts, on the loop's thread."""


class ExternalWorks:
    """The announced work of a run. ``monotonic`` gives real seconds."""

    def __init__(
        self,
        clock: VirtualClock | RealClock,
        inbox: Inbox,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._inbox = inbox
        self.monotonic = monotonic
        self._works: list[ExternalWork] = []

    def begin(
        self,
        name: str,
        *,
        by: str = "",
        takes: float = 0.0,
        limit: float = LIMIT,
        on_error: Callable[[BaseException], None] | None = None,
    ) -> ExternalWork:
        """Announce work before it starts, on the loop's thread.

        ``name`` stands in the alarm if it is not done after ``limit`` real seconds. Virtual time
        goes on for ``takes`` seconds, and waits then; what is delivered earlier is kept until then,
        so that a run does not depend on how fast the work is. On a real clock ``takes`` has no
        effect.
        """
        is_held = takes > 0 and self._clock.waits
        began = self.monotonic()
        work = ExternalWork(
            name,
            self._inbox,
            by=by,
            limit=limit,
            began=began,
            is_held=is_held,
            on_error=on_error,
        )
        if is_held:
            self._clock.call_at(self._clock.now() + takes, work.release)
        self._works.append(work)
        return work

    @property
    def in_progress(self) -> bool:
        """Whether virtual time must wait."""
        self._works = [work for work in self._works if not work.is_done]
        return any(not work.is_held for work in self._works)

    def overdue(self) -> list[ExternalWork]:
        """The work that has exceeded its limit; it is returned once and no longer waited for."""
        now = self.monotonic()
        late = [w for w in self._works if not w.is_done and now - w.began >= w.limit]
        self._works = [work for work in self._works if work not in late]
        return late


def unattended(name: str, *, takes: float = 0.0, limit: float = LIMIT) -> ExternalWork:
    """Work that no run waits for: for environments that are opened without one."""
    del takes
    return ExternalWork(name, Inbox(VirtualClock()), limit=limit)
