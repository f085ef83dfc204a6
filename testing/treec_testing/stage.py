"""A stage on which workers and nodes are played: virtual time, an environment, threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from treec.nodes.environment import Environment
from treec.run.clocks import SteppingClock
from treec.world.external import ExternalWorks
from treec.world.inbox import Inbox
from treec_testing.isolation import misbehaviour_of, watch
from treec_testing.trial import Misbehaviour

STEPS = 5_000
"""How many timers and reports a play may have."""
WORKING = 5.0
"""Real seconds within which announced work is done."""
MOMENT = 0.5
"""Real seconds within which threads that nobody announced have said what they have to say."""


class Stage:
    """A fresh clock, an environment, and threads that are waited for."""

    def __init__(self, environment: Environment | None = None) -> None:
        self.environment = environment
        self.clock = SteppingClock()
        self.inbox = Inbox(self.clock)
        self.clock.ready = self.inbox.ready
        self.external = ExternalWorks(self.clock, self.inbox)
        self.wakes = 0
        self._raised: list[Misbehaviour] = []
        self._others = set(threading.enumerate())
        threading.excepthook = lambda raised: self.note_raised(raised.exc_value or SystemExit())
        if environment is not None:
            self.clock.drive(environment)

    def note_raised(self, error: BaseException) -> None:
        """Take note of what a timer or a thread raised."""
        self._raised.append(misbehaviour_of("a timer or thread", error))
        self.inbox.wake()

    def raise_first(self) -> None:
        """Raise the first Misbehaviour of a timer or a thread."""
        for problem in self._raised:
            raise problem

    def run_until(self, is_over: Callable[[], bool], limit: float) -> None:
        """Let time pass until something is so, at most to a time. Raises Misbehaviour."""
        for _ in range(STEPS):
            watch("a timer or the environment")
            self.raise_first()
            self.wakes += self.inbox.ready()
            self.inbox.drain()
            if is_over():
                return
            if self.external.in_progress:
                watch("announced work", 2 * WORKING)
                if not self.inbox.wait(WORKING):
                    what = f"announced work was not done in {WORKING:g} s: call its done()"
                    raise Misbehaviour(what)
            elif not self.clock.advance(limit) and not self.join_threads():
                return
        raise Misbehaviour(f"it set more than {STEPS:,} timers")

    def let_pass(self, seconds: float) -> None:
        """Let time pass, whatever happens in it."""
        limit = self.clock.now() + seconds
        self.clock.call_at(limit, lambda: None)  # time comes that far in any case
        self.run_until(lambda: self.clock.now() >= limit, limit)

    def join_threads(self) -> bool:
        """Wait a moment for threads that nobody announced; whether they had to say something."""
        watch("a thread")
        until = time.monotonic() + MOMENT
        for thread in set(threading.enumerate()) - self._others:
            thread.join(max(0.0, until - time.monotonic()))
        return self.inbox.ready()
