"""A run that goes on, for whoever talks to it and stops it from another thread."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from treec.program.faults import suggest
from treec.run.run import Run
from treec.source.errors import TreecError

BY = "page"
"""Who debugs a run, in its journal."""

MAX_WORDS = 2000
"""Characters of an utterance or an order."""

MOST, WITHIN = 20, 10.0
"""Utterances that are taken within so many seconds; as many orders of whoever debugs."""


ORDERS = ("data", "say", "stop", "go_on", "debug", "faults")
"""What the page may ask of the run: methods of :class:`LiveRun`."""


class OrderRefused(TreecError):
    """The run does not do what it was asked for; ``status`` is HTTP's."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status


class TooMuch(OrderRefused):
    """Words that are too long, or too many in a short time."""

    def __init__(self, text: str) -> None:
        super().__init__(text, 429)


class RunOver(OrderRefused):
    """The run does not go on, so nobody hears it and nothing is to be stopped."""

    def __init__(self, text: str) -> None:
        super().__init__(text, 409)


class InvalidOrder(ValueError):
    """An order that cannot be; the message says what would be right."""


class RunDebugger(Protocol):
    """Holds a run, and does to it what is ordered; see ``treec_live.debugger``."""

    def data(self) -> dict[str, object]:
        """How the run is held, and what it asks."""

    def read(self, did: str, about: str, by: str) -> Any:
        """An order in words. Raises InvalidOrder."""

    def post(self, order: Any) -> None:
        """Carry out an order as soon as that can be; from any thread."""


class LiveRun:
    """A run in this process, named by its folder. Every method may be called from any thread."""

    by = BY
    """Who debugs it, in its journal."""
    most: float = MOST
    """How many utterances, and how many orders, are taken within ``WITHIN`` seconds."""

    def __init__(
        self, name: str, run: Run, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self.name = name
        self._run = run
        self._monotonic = monotonic
        self._said: deque[float] = deque()
        self._ordered: deque[float] = deque()
        self._debugger: RunDebugger | None = None
        self._no_debugger = ""
        try:  # now, in the run's thread
            self._debugger = run.debugger
        except TreecError as error:
            self._no_debugger = str(error)
        self._lock = threading.Lock()
        self._over = threading.Event()

    @property
    def is_over(self) -> bool:
        """Whether the run has ended."""
        return self._over.is_set()

    def end(self) -> None:
        """Note that the run has ended."""
        self._over.set()

    def carry_out(self, name: str, args: Mapping[str, object]) -> object:
        """Carry out one of ``ORDERS``; returns plain data. Raises OrderRefused."""
        if name not in ORDERS:
            raise OrderRefused(f"unknown order '{name}'", 400)
        return getattr(self, name)(**args)

    async def order(self, name: str, args: Mapping[str, object]) -> object:
        """The same for a page in this process."""
        return self.carry_out(name, args)

    def data(self) -> dict[str, object]:
        """Its name, whether it has ended, whom the stop button has stopped, how it is debugged.

        ``unconfirmed`` is what did not confirm that it stopped, each in a sentence.
        """
        return {
            "run": self.name,
            "over": self.is_over,
            "stopped": list(self._run.stop_button.stopped),
            "unconfirmed": list(self._run.runtime.stops.unconfirmed),
            "debug": None if self._debugger is None else self._debugger.data(),
        }

    def faults(self) -> list[str]:
        """What can be injected, with the names that the run has."""
        return suggest(self._run.view)

    def say(self, text: str) -> None:
        """Put a person's words into the inbox. Raises RunOver, TooMuch."""
        self._check()
        if len(text) > MAX_WORDS:
            raise TooMuch(f"more than {MAX_WORDS} characters cannot be said at once")
        self._count(self._said, "utterances")
        self._run.say(_whole(text))

    def debug(self, did: str, about: str) -> None:
        """Pause, step, inject, mock, answer, …: see `RunDebugger`.

        Raises OrderRefused.
        """
        self._check()
        if len(about) > MAX_WORDS:
            raise TooMuch(f"an order has at most {MAX_WORDS} characters")
        if self._debugger is None:
            raise OrderRefused(self._no_debugger, 501)
        try:
            order = self._debugger.read(did, _whole(about), self.by)
        except InvalidOrder as error:
            raise OrderRefused(str(error), 400) from None
        self._count(self._ordered, "orders")
        self._debugger.post(order)

    def stop(self) -> None:
        """Stop all robots at once. Raises RunOver."""
        self._check()
        self._run.stop_button.press()

    def go_on(self) -> None:
        """Let the robots that :meth:`stop` has stopped go on. Raises RunOver."""
        self._check()
        self._run.stop_button.release()

    def _count(self, when: deque[float], what: str) -> None:
        """Raise TooMuch if there were too many in a short time."""
        with self._lock:
            now = self._monotonic()
            while when and when[0] <= now - WITHIN:
                when.popleft()
            if len(when) >= self.most:
                raise TooMuch(f"more than {self.most} {what} in {WITHIN:g} s are not heard")
            when.append(now)

    def _check(self) -> None:
        """Raise RunOver if it has ended."""
        if self.is_over:
            raise RunOver("the run has ended")


def _whole(text: str) -> str:
    """A text without halves of pairs, which no journal can hold."""
    return text.encode("utf-8", "replace").decode()
