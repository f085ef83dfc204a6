import asyncio
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import pytest

from treec.ask.asker import deliver_answer
from treec.ask.transport import (
    NEVER,
    Answer,
    Request,
    Scripted,
    ScriptedTransport,
    TransportError,
    clock_sleep,
    forever,
)
from treec.world.clock import RealClock, VirtualClock
from treec.world.inbox import Inbox
from treec_asking.driver import SteppedAsker, ThreadedAsker

GUARD = 30.0
"""Seconds after which a hung test fails; no timing."""

REQUEST = Request("a", "decision", (), {}, {})


class Bench:
    """A stepped asker and what was delivered, with the time."""

    def __init__(self, transport: object = None) -> None:
        self.clock = VirtualClock()
        self.inbox = Inbox(self.clock)
        self.got: list[tuple[float, Answer | Exception]] = []
        if transport is not None:
            self.use(transport)

    def use(self, transport: object) -> None:
        self.asker = SteppedAsker(transport, self.clock, self.inbox)  # type: ignore[arg-type]

    def start(self, deadline: float | None = None) -> object:
        return self.asker.start(
            REQUEST, lambda answer: self.got.append((self.clock.now(), answer)), deadline
        )

    def run(self) -> None:
        while True:
            for message in self.inbox.drain():
                assert message.source == "answer"
                deliver_answer(message)
            if not self.clock.advance():
                return


def scripted(bench: Bench, *answers: object) -> None:
    bench.use(ScriptedTransport({"a": answers}, clock=bench.clock))  # type: ignore[dict-item]


# Stepped


def test_an_answer_is_never_delivered_in_the_call_that_asks() -> None:
    bench = Bench(ScriptedTransport({"a": ["yes"]}))
    bench.start()
    assert bench.got == []
    bench.run()
    assert bench.got == [(0.0, Answer("yes", "scripted"))]


def test_answers_take_their_time_on_the_clock() -> None:
    bench = Bench()
    scripted(bench, Scripted("slow", after=2.0), Scripted("fast", after=0.5))
    bench.start()
    bench.start()
    bench.run()
    assert [(time, answer.text) for time, answer in bench.got] == [(0.5, "fast"), (2.0, "slow")]


def test_a_deadline_ends_a_request_and_its_coroutine() -> None:
    closed = []

    class Slow:
        async def ask(self, request: Request) -> Answer:
            try:
                await forever()
            finally:
                closed.append(True)
            return Answer("", "")

    bench = Bench(Slow())
    bench.start(deadline=20.0)
    bench.run()
    ((time, error),) = bench.got
    assert (time, type(error), str(error)) == (20.0, TimeoutError, "no answer within 20 s")
    assert closed == [True]


def test_an_answer_in_time_cancels_the_deadline() -> None:
    bench = Bench()
    scripted(bench, Scripted("yes", after=1.0))
    bench.start(deadline=20.0)
    bench.run()
    assert [time for time, _ in bench.got] == [1.0]
    assert bench.clock.now() == 1.0


def test_cancelling_closes_the_request_and_silences_it() -> None:
    bench = Bench()
    scripted(bench, Scripted("yes", after=1.0), NEVER)
    for handle in (bench.start(), bench.start(deadline=3.0)):
        handle.cancel()
        handle.cancel()
    bench.run()
    assert bench.got == []
    assert bench.clock.now() == 0.0


def test_an_answer_that_waits_in_the_inbox_is_silenced_too() -> None:
    bench = Bench(ScriptedTransport({"a": ["yes"]}))
    handle = bench.start()
    assert bench.inbox.ready()
    handle.cancel()
    bench.run()
    assert bench.got == []


def test_a_transport_may_wait_several_times() -> None:
    bench = Bench()

    class Patient:
        async def ask(self, request: Request) -> Answer:
            for _ in range(3):
                await clock_sleep(bench.clock, 0.5)
            return Answer("done", "x")

    bench.use(Patient())
    bench.start()
    bench.run()
    assert bench.got == [(1.5, Answer("done", "x"))]


def test_what_a_stepped_transport_cannot_await_is_an_error() -> None:
    class Foreign:
        def __await__(self) -> Iterator[int]:
            yield 3

    class Wrong:
        async def ask(self, request: Request) -> Answer:
            await Foreign()
            return Answer("", "")

    bench = Bench(Wrong())
    bench.start()
    bench.run()
    assert str(bench.got[0][1]) == "cannot await int on the virtual clock"


class Raises:
    async def ask(self, request: Request) -> Answer:
        raise KeyError("x")


class Returns:
    async def ask(self, request: Request) -> Answer:
        return "text"  # type: ignore[return-value]


class Stubborn:
    """Will not end the first time it is told to."""

    async def ask(self, request: Request) -> Answer:
        try:
            await forever()
        except GeneratorExit:
            await forever()
        return Answer("", "")


def test_whatever_a_transport_does_wrong_is_delivered() -> None:
    bench = Bench(Raises())
    bench.start()
    bench.use(Returns())
    bench.start()
    bench.use(Stubborn())
    bench.start(deadline=1.0)
    bench.run()
    assert [type(error) for _, error in bench.got] == [KeyError, TransportError, TimeoutError]
    assert str(bench.got[1][1]) == "the transport returned a str, not an Answer"


def test_a_transport_may_cancel_its_own_request() -> None:
    bench = Bench()
    handles: list[object] = []

    class Suicidal:
        async def ask(self, request: Request) -> Answer:
            await clock_sleep(bench.clock, 1.0)
            handles[0].cancel()  # type: ignore[attr-defined]
            await forever()
            return Answer("", "")

    bench.use(Suicidal())
    handles.append(bench.start())
    bench.run()
    assert bench.got == []


def test_the_same_run_twice_delivers_the_same_in_the_same_order() -> None:
    def once() -> list[tuple[float, str]]:
        bench = Bench()
        scripted(bench, *(Scripted(str(i), after=float(i % 3)) for i in range(9)))
        for _ in range(9):
            bench.start(deadline=2.0)
        bench.run()
        return [(time, str(answer)) for time, answer in bench.got]

    assert once() == once()


# Threaded


class ManualTimer:
    """A watchdog fired by the test."""

    def __init__(self, seconds: float, fire: Callable[[], None]) -> None:
        self.seconds, self.fire = seconds, fire
        self.running = True

    def cancel(self) -> None:
        self.running = False


class Threads:
    """A threaded asker, its watchdogs and what was delivered."""

    def __init__(self) -> None:
        self.inbox = Inbox(RealClock())
        self.got: list[Answer | Exception] = []
        self.timers: list[ManualTimer] = []
        self.askers: list[ThreadedAsker] = []

    def asker(self, transport: object) -> ThreadedAsker:
        def timer(seconds: float, fire: Callable[[], None]) -> ManualTimer:
            self.timers.append(ManualTimer(seconds, fire))
            return self.timers[-1]

        self.askers.append(ThreadedAsker(transport, self.inbox, timer))  # type: ignore[arg-type]
        return self.askers[-1]

    def receive(self) -> None:
        assert self.inbox.wait(GUARD)
        for message in self.inbox.drain():
            deliver_answer(message)


@pytest.fixture
def threads() -> Iterator[Threads]:
    bench = Threads()
    yield bench
    for asker in bench.askers:
        asker.close()


def test_an_answer_comes_through_the_inbox(threads: Threads) -> None:
    asker = threads.asker(ScriptedTransport({"a": ["yes"]}))
    asker.start(REQUEST, threads.got.append)
    threads.receive()
    assert threads.got == [Answer("yes", "scripted")]
    assert not asker.busy


def test_deliveries_happen_in_the_thread_that_drains(threads: Threads) -> None:
    where = []
    threads.asker(ScriptedTransport({"a": ["yes"]})).start(
        REQUEST, lambda answer: where.append(threading.get_ident())
    )
    threads.receive()
    assert where == [threading.get_ident()]


def test_a_scripted_delay_waits_inside_asyncio(threads: Threads) -> None:
    clock = RealClock(speed=1e9)
    transport = ScriptedTransport({"a": [Scripted("yes", after=5.0)]}, clock=clock)
    threads.asker(transport).start(REQUEST, threads.got.append)
    threads.receive()
    assert threads.got == [Answer("yes", "scripted")]


def test_a_virtual_clock_inside_asyncio_is_an_error(threads: Threads) -> None:
    transport = ScriptedTransport({"a": [Scripted("yes", after=5.0)]}, clock=VirtualClock())
    threads.asker(transport).start(REQUEST, threads.got.append)
    threads.receive()
    assert "use SteppedAsker" in str(threads.got[0])


class Watched:
    """Says when it waits, and when it has been cancelled."""

    def __init__(self) -> None:
        self.waiting, self.cancelled = threading.Event(), threading.Event()

    async def ask(self, request: Request) -> Answer:
        self.waiting.set()
        try:
            await forever()
        except asyncio.CancelledError:
            self.cancelled.set()
            raise
        return Answer("", "")


def test_cancelling_reaches_the_task_and_nothing_is_delivered(threads: Threads) -> None:
    transport = Watched()
    asker = threads.asker(transport)
    handle = asker.start(REQUEST, threads.got.append)
    assert transport.waiting.wait(GUARD)
    assert asker.busy
    handle.cancel()
    assert transport.cancelled.wait(GUARD)
    assert not asker.busy
    assert not threads.inbox.ready()


def test_a_deadline_ends_the_request(threads: Threads) -> None:
    transport = Watched()
    threads.asker(transport).start(REQUEST, threads.got.append, deadline=20.0)
    assert transport.waiting.wait(GUARD)
    (timer,) = threads.timers
    assert (timer.seconds, timer.running) == (20.0, True)
    timer.fire()
    threads.receive()
    assert [(type(e), str(e)) for e in threads.got] == [(TimeoutError, "no answer within 20 s")]
    assert transport.cancelled.wait(GUARD)


def test_a_deadline_holds_for_a_transport_that_blocks_its_thread(threads: Threads) -> None:
    blocked, release = threading.Event(), threading.Event()

    class Blocking:
        async def ask(self, request: Request) -> Answer:
            blocked.set()
            release.wait(GUARD)
            return Answer("late", "x")

    threads.asker(Blocking()).start(REQUEST, threads.got.append, deadline=20.0)
    assert blocked.wait(GUARD)
    threads.timers[0].fire()
    threads.receive()
    release.set()
    assert [type(error) for error in threads.got] == [TimeoutError]


def test_an_answer_in_time_stops_the_watchdog(threads: Threads) -> None:
    asker = threads.asker(ScriptedTransport({"a": ["yes"]}))
    asker.start(REQUEST, threads.got.append, deadline=20.0)
    threads.receive()
    assert not threads.timers[0].running
    threads.timers[0].fire()
    assert not threads.inbox.ready()


class Exits:
    async def ask(self, request: Request) -> Answer:
        raise SystemExit(3)


def test_a_transport_that_exits_does_not_end_the_thread(threads: Threads) -> None:
    threads.asker(Exits()).start(REQUEST, threads.got.append)
    threads.receive()
    said = str(threads.got[0])
    assert said.startswith("SystemExit: it called exit(3) (tests/ask/test_driver.py:")
    asker = threads.asker(Raises())
    asker.start(REQUEST, threads.got.append)
    threads.receive()
    asker.start(REQUEST, threads.got.append)
    threads.receive()
    assert [type(error) for error in threads.got[1:]] == [KeyError, KeyError]


def test_closing_cancels_and_the_next_request_starts_anew(threads: Threads) -> None:
    transport = Watched()
    asker = threads.asker(transport)
    asker.start(REQUEST, threads.got.append)
    assert transport.waiting.wait(GUARD)
    asker.close()
    assert transport.cancelled.is_set()
    assert not threads.inbox.ready()
    transport.waiting.clear()
    asker.start(REQUEST, threads.got.append)
    assert transport.waiting.wait(GUARD)


def test_importing_the_drivers_does_not_import_asyncio() -> None:
    code = "import sys, treec_asking.driver; sys.exit('asyncio' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=GUARD).returncode == 0
