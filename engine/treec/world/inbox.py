"""The loop's inbox, where other threads, timers and people post messages."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection

from treec.frozen import frozen
from treec.world.clock import Clock


@frozen
class InboxMessage:
    """A message about something that happened at ``time``, posted by ``source``."""

    time: float
    sequence: int
    source: str
    payload: object


class Inbox:
    """Messages waiting for the loop, in order of (time, sequence)."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._condition = threading.Condition()
        self._messages: list[InboxMessage] = []
        self._sequence = 0
        self._woken = False
        self.on_wake: Callable[[], None] | None = None
        """Called whenever a tick is requested, by what requests it."""

    @property
    def lock(self) -> threading.Condition:
        """Held while messages and wake-ups are added, so that the loop sees them in one step."""
        return self._condition

    def post(self, source: str, payload: object, at: float | None = None) -> InboxMessage:
        """Post a message from any thread; ``at`` is when it happened (default: now)."""
        with self._condition:
            self._sequence += 1
            time = self._clock.now() if at is None else at
            message = InboxMessage(time, self._sequence, source, payload)
            self._messages.append(message)
            self._condition.notify_all()
        return message

    @property
    def posted(self) -> int:
        """How many messages have been posted so far."""
        return self._sequence

    def wake(self) -> None:
        """Request a tick without a message, from any thread."""
        if self.on_wake is not None:
            self.on_wake()
        if self._woken:  # a tick has been requested already
            return
        with self._condition:
            self._woken = True
            self._condition.notify_all()

    def ready(self) -> bool:
        """Whether a message or a wake-up is pending."""
        with self._condition:
            return self._ready()

    def drain(self) -> list[InboxMessage]:
        """Remove and return all messages in order of (time, sequence); clears the wake-up."""
        with self._condition:
            messages, self._messages = self._messages, []
            self._woken = False
        return sorted(messages, key=_order)

    def take(self, sources: Collection[str], timeout: float) -> list[InboxMessage]:
        """Remove and return the messages of some sources alone, in order of (time, sequence).

        Blocks until there is one, or for ``timeout`` real seconds. All else waits.
        """

        def is_due(message: InboxMessage) -> bool:
            return message.source in sources

        with self._condition:
            self._condition.wait_for(lambda: any(map(is_due, self._messages)), timeout)
            found = [message for message in self._messages if is_due(message)]
            self._messages = [message for message in self._messages if not is_due(message)]
        return sorted(found, key=_order)

    def wait(self, timeout: float | None) -> bool:
        """Block until something is pending, or for ``timeout`` real seconds.

        Returns whether something is pending. Does not poll.
        """
        with self._condition:
            return self._condition.wait_for(self._ready, timeout)

    def _ready(self) -> bool:
        return self._woken or bool(self._messages)


def _order(message: InboxMessage) -> tuple[float, int]:
    return message.time, message.sequence
