"""Orders to a run from the process of its page: a line of JSON each way, over two pipes.

The page has a process of its own, so that whoever watches a run, and whatever they ask for, costs
that run nothing: it only takes orders, and each of them only posts. The page's process ends when
the pipe to it does, however the run's process ends.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import IO, Protocol

from treec import crash
from treec.run.live_run import LiveRun, OrderRefused

PATIENCE = 10.0
"""Seconds after which a run that does not answer an order is told."""


class RunLink(Protocol):
    """A way to the run: :class:`LiveRun` itself, or :class:`RemoteRun` from another process."""

    async def order(self, name: str, args: Mapping[str, object]) -> object:
        """Give one of ``ORDERS``. Raises OrderRefused."""


class RemoteRun:
    """The run, seen from the process of its page; used on one event loop."""

    def __init__(self, read: IO[bytes], write: IO[bytes]) -> None:
        self._read, self._write = read, write
        self.run = ""
        """Its name, once it is known."""
        self._has_ended = False
        self._numbers = itertools.count(1)
        self._open: dict[int, asyncio.Future[Mapping[str, object]]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def listen(self) -> None:
        """Take answers until the run's process has ended."""
        for line in self._read:
            answer = json.loads(line)
            if self._loop is not None:
                with suppress(RuntimeError):  # the server has ended meanwhile
                    self._loop.call_soon_threadsafe(self._take, answer)
        self._has_ended = True
        if self._loop is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._end)

    def close(self) -> None:
        """Give no more orders; the run's process ends."""
        self._has_ended = True
        with suppress(OSError):
            self._write.close()

    async def order(self, name: str, args: Mapping[str, object]) -> object:
        """Give an order and wait for its answer. Raises OrderRefused."""
        if self._has_ended:
            return self._gone(name)
        self._loop = asyncio.get_running_loop()
        number = next(self._numbers)
        answer = self._open[number] = self._loop.create_future()
        try:
            self._write.write(_line({"n": number, "order": name, "args": args}))
            self._write.flush()
            found = await asyncio.wait_for(answer, PATIENCE)
        except (OSError, TimeoutError):
            raise OrderRefused("the run does not answer", 503) from None
        finally:
            del self._open[number]
        if "gone" in found:
            return self._gone(name)
        if "refused" in found:
            raise OrderRefused(str(found["refused"]), int(str(found["status"])))
        return found["data"]

    def _gone(self, name: str) -> object:
        """What is answered once its process has ended. Raises OrderRefused."""
        if name == "data":
            over = {"run": self.run, "over": True, "stopped": [], "unconfirmed": []}
            return {**over, "debug": None}
        raise OrderRefused("the run's process has ended", 409)

    def _end(self) -> None:
        for waiting in self._open.values():
            if not waiting.done():
                waiting.set_result({"gone": True})

    def _take(self, answer: Mapping[str, object]) -> None:
        waiting = self._open.get(int(str(answer["n"])))
        if waiting is not None and not waiting.done():
            waiting.set_result(answer)


def carry_out(
    live: LiveRun,
    read: IO[bytes],
    write: IO[bytes],
    ended: Callable[[], None] = lambda: None,
    end: Callable[[], None] = lambda: None,
) -> threading.Thread:
    """Carry out the orders that come, in a thread that ends with the page's process.

    ``ended`` is called then: nobody can press the stop button any more. ``end`` ends the run: the
    order that :class:`LiveRun` does not have.
    """

    def go() -> None:
        for line in read:
            asked = json.loads(line)
            answer: dict[str, object] = {"n": asked["n"]}
            try:
                if asked["order"] == "end":
                    end()
                    answer["data"] = None
                else:
                    answer["data"] = live.carry_out(asked["order"], asked["args"])
            except OrderRefused as error:
                answer |= {"refused": str(error), "status": error.status}
            except Exception as error:  # orders go on, whatever becomes of one
                crash.report(error)
                answer |= {"refused": f"{type(error).__name__}: {error}", "status": 500}
            try:
                write.write(_line(answer))
                write.flush()
            except (OSError, ValueError):  # the page's process has ended
                break
        ended()

    thread = threading.Thread(target=go, name="treec page orders", daemon=True)
    thread.start()
    return thread


def _line(data: object) -> bytes:
    return json.dumps(data).encode() + b"\n"
