"""Drivers of transports: leaves start requests without blocking, answers arrive in the inbox.

:class:`SteppedAsker` runs the transport in the loop's thread on the virtual clock, so that a run
is a function of its inputs; :class:`ThreadedAsker` runs it with asyncio in its own thread. Both
post the answer as a message of source ``answer``, never within the call that started the request.
"""

from __future__ import annotations

import atexit
import math
import sys
import threading
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Protocol, cast

from treec.ask.asker import SOURCE, Deliver, Handle
from treec.ask.transport import Answer, Pause, Request, Transport, TransportError
from treec.foreign import BadReport, ForeignError, guard, kind_of, plain_copy
from treec.world.clock import Clock, Timer
from treec.world.inbox import Inbox
from treec_asking.deadlines import Deadlines

if TYPE_CHECKING:
    import asyncio


class Delivery:
    """An answer in the inbox."""

    def __init__(self, flight: _Flight, result: Answer | Exception) -> None:
        self._flight = flight
        self._result = result

    def __call__(self) -> None:
        """Deliver the answer unless the request was cancelled in the meantime."""
        if not self._flight.cancelled:
            self._flight.deliver(self._result)


class _Flight:
    """The state of a request: it ends once, and delivers nothing after it was cancelled."""

    def __init__(self, inbox: Inbox, deliver: Deliver) -> None:
        self.deliver = deliver
        self.cancelled = False
        self._inbox = inbox
        self._lock = threading.Lock()
        self._over = False

    def end(self, result: Answer | Exception | None) -> bool:
        """End with a result, or silently; False if it had already ended."""
        with self._lock:
            if self._over:
                return False
            self._over = True
        if result is not None:
            self._inbox.post(SOURCE, Delivery(self, result))
        return True

    @property
    def over(self) -> bool:
        return self._over


class SteppedAsker:
    """Steps the transport's coroutine in the loop's thread on the virtual clock."""

    def __init__(self, transport: Transport, clock: Clock, inbox: Inbox) -> None:
        self._transport = transport
        self._clock = clock
        self._inbox = inbox

    def start(self, request: Request, deliver: Deliver, deadline: float | None = None) -> Handle:
        """Start a request. The transport may await only :func:`clock_sleep` and :func:`forever`."""
        asking = ask_guarded(self._transport, request)
        module = type(self._transport).__module__
        flight = _SteppedFlight(asking, module, self._clock, _Flight(self._inbox, deliver))
        flight.begin(deadline)
        return flight

    def together(self) -> AbstractContextManager[None]:
        """Requests begin at once."""
        return nullcontext()

    @property
    def busy(self) -> bool:
        """Never: its requests wait for the clock, which the loop sees."""
        return False

    def close(self) -> None:
        """Nothing of it runs beside the loop."""


class _SteppedFlight:
    def __init__(
        self, coroutine: Coroutine[object, None, Answer], module: str, clock: Clock, flight: _Flight
    ) -> None:
        self._coroutine = coroutine
        self._module = module
        self._clock = clock
        self._flight = flight
        self._timers: list[Timer] = []
        self._stepping = False

    def begin(self, deadline: float | None) -> None:
        if deadline is not None:
            self._timers.append(
                self._clock.call_at(self._clock.now() + deadline, lambda: self._expire(deadline))
            )
        self._step()

    def cancel(self) -> None:
        self._flight.cancelled = True
        self._end(None)

    def _expire(self, deadline: float) -> None:
        self._end(TimeoutError(f"no answer within {deadline:g} s"))

    def _step(self) -> None:
        if self._flight.over:
            return
        self._stepping = True
        try:
            with guard(self._module, Exception):
                awaited = self._coroutine.send(None)
        except StopIteration as stop:
            self._end(stop.value)
            return
        except ForeignError as error:
            self._end(TransportError(str(error)))
            return
        except Exception as error:
            self._end(error)
            return
        finally:
            self._stepping = False
        if self._flight.over:  # cancelled by what it did itself
            self._close()
        elif not isinstance(awaited, Pause):
            self._end(TransportError(f"cannot await {type(awaited).__name__} on the virtual clock"))
        elif awaited.until is not None:
            self._timers.append(self._clock.call_at(awaited.until, self._step))

    def _end(self, result: Answer | Exception | None) -> None:
        if not self._flight.end(result):
            return
        for timer in self._timers:
            timer.cancel()
        if not self._stepping:
            self._close()

    def _close(self) -> None:
        # The request is over; what its clean-up raises has no receiver.
        with suppress(ForeignError), guard(self._module):
            self._coroutine.close()


class Watchdog(Protocol):
    """A deadline that is being watched."""

    def cancel(self) -> None:
        """Stop watching."""


class ThreadedAsker:
    """Runs the transport with asyncio in one daemon thread that starts with the first request.

    Deadlines are in real seconds and are watched outside asyncio, so that they hold even for a
    transport that blocks its thread or ignores its cancellation. Its requests that are the same may
    share an answer.
    """

    def __init__(
        self,
        transport: Transport,
        inbox: Inbox,
        watchdog: Callable[[float, Callable[[], None]], Watchdog] | None = None,
    ) -> None:
        self._transport = transport
        self._inbox = inbox
        self._deadlines = Deadlines()
        self._watchdog = watchdog or self._deadlines
        self._thread: _AskingThread | None = None
        self._lock = threading.Lock()
        self._flights: set[_ThreadedFlight] = set()
        self._kept: list[Callable[[], object]] | None = None

    def start(self, request: Request, deliver: Deliver, deadline: float | None = None) -> Handle:
        """Start a request."""
        flight = _ThreadedFlight(_Flight(self._inbox, deliver), self._remove, self._in_thread)
        with self._lock:
            self._flights.add(flight)
        if deadline is not None:
            flight.watchdog = self._watchdog(deadline, lambda: flight.expire(deadline))
        self._in_thread(lambda: flight.begin(self._ask(request, flight)))
        return flight

    @property
    def busy(self) -> bool:
        """Whether a request is in flight, so that a message is to be expected."""
        with self._lock:
            return bool(self._flights)

    def close(self) -> None:
        """Cancel all requests and end the thread."""
        with self._lock:
            flights = list(self._flights)
        for flight in flights:
            flight.cancel()
        if self._thread is not None:
            self._thread.close()
            self._thread = None
        self._deadlines.close()

    async def _ask(self, request: Request, flight: _ThreadedFlight) -> None:
        result: Answer | Exception = TransportError("the request was cancelled")
        try:
            result = await ask_guarded(self._transport, replace(request, asker=self))
        except Exception as error:
            result = error
        finally:
            flight.end(result)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Keep requests, so that they leave in one step of the asking thread."""
        if self._kept is not None:
            yield
            return
        self._kept = []
        try:
            yield
        finally:
            steps, self._kept = self._kept, None
            if steps:
                self._in_thread(lambda: [step() for step in steps])

    def _remove(self, flight: _ThreadedFlight) -> None:
        with self._lock:
            self._flights.discard(flight)

    def _in_thread(self, step: Callable[[], object]) -> None:
        """Run a step in the asking thread, in order."""
        if self._kept is not None:
            self._kept.append(step)
            return
        if self._thread is None:
            self._thread = _AskingThread()
        self._thread.do(step)


class _ThreadedFlight:
    def __init__(
        self,
        flight: _Flight,
        on_end: Callable[[_ThreadedFlight], None],
        in_thread: Callable[[Callable[[], object]], None],
    ) -> None:
        self.watchdog: Watchdog | None = None
        self._task: asyncio.Task[None] | None = None
        self._flight = flight
        self._remove = on_end
        self._in_thread = in_thread

    def begin(self, asking: Coroutine[object, None, None]) -> None:
        """Start asking, in the asking thread, unless the request was cancelled before."""
        import asyncio

        if self._flight.over:
            asking.close()
        else:
            self._task = asyncio.get_running_loop().create_task(asking)

    def cancel(self) -> None:
        self._flight.cancelled = True
        if self.end(None):
            self._in_thread(self._drop)

    def expire(self, deadline: float) -> None:
        if self.end(TimeoutError(f"no answer within {deadline:g} s")):
            self._in_thread(self._drop)

    def end(self, result: Answer | Exception | None) -> bool:
        if not self._flight.end(result):
            return False
        if self.watchdog is not None:
            self.watchdog.cancel()
        self._remove(self)
        return True

    def _drop(self) -> None:
        if self._task is not None:
            self._task.cancel()  # closes the connection


class _AskingThread:
    """A thread with an event loop and a queue of steps to run in it.

    It is woken once for all steps that are queued together: each wake-up costs the caller the
    interpreter's lock for as long as it takes to send a request.
    """

    def __init__(self) -> None:
        import asyncio

        self._steps: deque[Callable[[], object]] = deque()
        self._lock = threading.Lock()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=_run, args=(self._loop,), name="treec-ask", daemon=True
        )
        self._thread.start()
        atexit.register(self.close, 1.0)  # a loop that is torn down with its tasks complains

    def do(self, step: Callable[[], object]) -> None:
        """Queue a step."""
        with self._lock:
            self._steps.append(step)
            if len(self._steps) > 1:
                return  # the thread is already being woken
        self._loop.call_soon_threadsafe(self._do_all)

    def close(self, patience: float = 10.0) -> None:
        """End the thread after the queued steps; wait for it so many seconds at most."""
        atexit.unregister(self.close)
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(timeout=patience)

    def _do_all(self) -> None:
        with self._lock:
            steps = list(self._steps)
            self._steps.clear()
        for step in steps:
            step()


def _run(loop: asyncio.AbstractEventLoop) -> None:
    import asyncio

    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        unfinished = asyncio.all_tasks(loop)
        for task in unfinished:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*unfinished, return_exceptions=True))
    finally:
        loop.close()


def open_asker(
    transport: Transport, clock: Clock, inbox: Inbox, *, in_thread: bool
) -> SteppedAsker | ThreadedAsker:
    """Who asks for a run: in another thread, or in steps of its virtual clock."""
    if in_thread:
        return ThreadedAsker(transport, inbox)
    return SteppedAsker(transport, clock, inbox)


async def ask_guarded(transport: Transport, request: Request) -> Answer:
    """A transport's answer. Raises whatever it raises that is an Exception, else TransportError.

    SystemExit from a library would end the asking thread, and with it every later request.
    """
    module = type(transport).__module__
    try:
        async with guard(module, Exception):
            answer = await transport.ask(request)
        with guard(module):
            return _as_answer(answer)
    except ForeignError as error:
        raise TransportError(str(error)) from error


def _as_answer(answer: object) -> Answer:
    """A plain copy of what a transport gave. Raises BadReport if it is no answer."""
    if not isinstance(answer, Answer):
        raise BadReport(f"the transport returned {kind_of(answer)}, not an Answer")
    what = "the transport gave an Answer"
    for name in ("text", "by"):
        if not isinstance(getattr(answer, name), str):
            raise BadReport(f"{what} whose `{name}` is {kind_of(getattr(answer, name))}")
    for name in ("input_tokens", "output_tokens", "cost", "seconds", "confidence"):
        value = getattr(answer, name)
        if not (value is None or (isinstance(value, int | float) and math.isfinite(value))):
            raise BadReport(f"{what} whose `{name}` is {kind_of(value)}")
    values = {one.name: getattr(answer, one.name) for one in fields(answer)}
    copy = cast("dict[str, Any]", plain_copy(values, what, longest=sys.maxsize))
    return Answer(**{**copy, "tries": tuple(map(str, copy["tries"]))})
