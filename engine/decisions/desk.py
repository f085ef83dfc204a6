"""One node asked in a world that stands still: it is ticked until it has decided.

Requests go to a desk instead of a driver, and are answered between two ticks by any transport. With
a transport that waits for nobody (recorded, offline) no event loop is needed: see :func:`at_once`.
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, TypeVar

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.ask.driver import Deliver
from treec.ask.transport import Answer, Request, Transport, TransportError, Unavailable

T = TypeVar("T")

MOST_TICKS = 100
"""A node that has not decided by then never will."""


class Undecided(Exception):
    """The node waits for something that does not come in a world that stands still."""


class Slip:
    """A request on the desk."""

    def __init__(self, request: Request, deliver: Deliver, deadline: float | None) -> None:
        self.request = request
        self.deliver = deliver
        self.deadline = deadline
        self.open = True

    def cancel(self) -> None:
        """Nobody waits for it any more."""
        self.open = False


class Desk:
    """Takes requests and keeps what came of them, in order."""

    def __init__(self) -> None:
        self.asked: list[tuple[Request, Answer | Exception]] = []
        self._slips: list[Slip] = []

    def start(self, request: Request, deliver: Deliver, deadline: float | None = None) -> Slip:
        """Put a request on the desk."""
        slip = Slip(request, deliver, deadline)
        self._slips.append(slip)
        return slip

    def take(self) -> Slip | None:
        """The next request that somebody still waits for."""
        while self._slips:
            slip = self._slips.pop(0)
            if slip.open:
                return slip
        return None

    async def answer(self, slip: Slip, transport: Transport) -> None:
        """Let a transport answer; what it raises is delivered, too."""
        result: Answer | Exception
        try:
            result = await _in_time(transport, slip)
        except Exception as error:
            result = error
        self.asked.append((slip.request, result))
        slip.deliver(result)


async def _in_time(transport: Transport, slip: Slip) -> Answer:
    if slip.deadline is None or not _in_asyncio():
        return await transport.ask(slip.request)
    import asyncio

    try:
        async with asyncio.timeout(slip.deadline):
            return await transport.ask(slip.request)
    except TimeoutError:
        raise TimeoutError(f"no answer within {slip.deadline:g} s") from None


def _in_asyncio() -> bool:
    import sys

    asyncio = sys.modules.get("asyncio")
    return asyncio is not None and asyncio._get_running_loop() is not None


async def settle(node: Behaviour, desk: Desk, transport: Transport) -> Status:
    """Tick a node until it has decided and nothing is asked any more. Raises Undecided."""
    for _ in range(MOST_TICKS):
        node.tick_once()
        slip = desk.take()
        if slip is not None:
            await desk.answer(slip, transport)
        elif node.status is not Status.RUNNING:
            return node.status
        else:
            raise Undecided(f"{node.name} waits, though nothing is asked")
    raise Undecided(f"{node.name} has not decided after {MOST_TICKS} ticks")


class OfflineTransport:
    """The transport of a machine without a model: every node answers by its own rules."""

    async def ask(self, request: Request) -> Answer:
        """Raise Unavailable."""
        raise Unavailable("no model is asked")


class OneAnswer:
    """Gives one text, once."""

    def __init__(self, text: str, by: str) -> None:
        self._answer: Answer | None = Answer(text, by)

    async def ask(self, request: Request) -> Answer:
        """The text. Raises TransportError when it was given already."""
        answer, self._answer = self._answer, None
        if answer is None:
            raise TransportError("the one answer was refused")
        return answer


def at_once(work: Coroutine[Any, Any, T]) -> T:
    """Run what waits for nobody, without an event loop."""
    try:
        work.send(None)
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]
    work.close()
    raise RuntimeError("this transport waits: it needs an event loop")
