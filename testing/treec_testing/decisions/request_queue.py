"""Asks one node in a world that does not change: ticks it until it has decided.

Its requests go to a queue and are answered between ticks, by any transport. With a transport that
never waits (recorded, offline) no event loop is needed: see :func:`run_sync`.
"""

from __future__ import annotations

from collections.abc import Coroutine
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.ask.asker import Deliver
from treec.ask.transport import Answer, Request, Transport, Unavailable
from treec_asking.driver import ask_guarded

T = TypeVar("T")

MAX_TICKS = 100


class NoDecision(Exception):
    """The node waits for something other than an answer."""


class PendingRequest:
    """A request in the queue."""

    def __init__(self, request: Request, deliver: Deliver, deadline: float | None) -> None:
        self.request = request
        self.deliver = deliver
        self.deadline = deadline
        self.open = True

    def cancel(self) -> None:
        """Drop the request."""
        self.open = False


class RequestQueue:
    """An `Asker` that queues requests; ``exchanges`` has the answered ones in order."""

    def __init__(self) -> None:
        self.exchanges: list[tuple[Request, Answer | Exception]] = []
        self._pending: list[PendingRequest] = []

    def start(
        self, request: Request, deliver: Deliver, deadline: float | None = None
    ) -> PendingRequest:
        """Queue a request."""
        pending = PendingRequest(request, deliver, deadline)
        self._pending.append(pending)
        return pending

    def together(self) -> AbstractContextManager[None]:
        """Requests are queued anyway."""
        return nullcontext()

    @property
    def busy(self) -> bool:
        """Never: nothing answers in another thread."""
        return False

    def close(self) -> None:
        """Nothing is to be closed."""

    def take(self) -> PendingRequest | None:
        """Take the next request that was not cancelled."""
        while self._pending:
            pending = self._pending.pop(0)
            if pending.open:
                return pending
        return None

    async def answer(self, pending: PendingRequest, transport: Transport) -> None:
        """Answer a request with a transport, and deliver the answer or the exception."""
        result: Answer | Exception
        try:
            result = await _in_time(transport, pending)
        except Exception as error:
            result = error
        self.exchanges.append((pending.request, result))
        pending.deliver(result)


async def _in_time(transport: Transport, pending: PendingRequest) -> Answer:
    if pending.deadline is None or not _in_asyncio():
        return await ask_guarded(transport, pending.request)
    import asyncio

    try:
        async with asyncio.timeout(pending.deadline):
            return await ask_guarded(transport, pending.request)
    except TimeoutError:
        raise TimeoutError(f"no answer within {pending.deadline:g} s") from None


def _in_asyncio() -> bool:
    import sys

    asyncio = sys.modules.get("asyncio")
    return asyncio is not None and asyncio._get_running_loop() is not None


async def tick_until_decided(node: Behaviour, queue: RequestQueue, transport: Transport) -> Status:
    """Tick a node until it has decided and no request is pending. Raises NoDecision."""
    for _ in range(MAX_TICKS):
        node.tick_once()
        pending = queue.take()
        if pending is not None:
            await queue.answer(pending, transport)
        elif node.status is not Status.RUNNING:
            return node.status
        else:
            raise NoDecision(f"{node.name} waits for something other than an answer")
    raise NoDecision(f"{node.name} has not decided after {MAX_TICKS} ticks")


class OfflineTransport:
    """A transport without a model: every node answers by its own rules."""

    async def ask(self, request: Request) -> Answer:
        """Raise Unavailable."""
        raise Unavailable("no model is asked")


def run_sync(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never waits, without an event loop."""
    try:
        work.send(None)
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]
    work.close()
    raise RuntimeError("this transport waits: it needs an event loop")
