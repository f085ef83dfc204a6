"""A model that hangs or fails costs one wait; one request at a time tries it again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

import pytest

from tests.ask.questions import QUESTION
from treec.ask.transport import Answer, Request, TransportError, Unavailable
from treec_models.breaker import FIRST_PAUSE, Breaker, HeldBack
from treec_models.model_client import AccountError, ModelError
from treec_models.retry import NoAnswer

YES = Answer("yes", "x")
OTHER = replace(QUESTION, model="openai/other")


class Model:
    """A model that does what it is told, and a clock that only sleeping moves."""

    def __init__(self) -> None:
        self.outcome: Answer | Exception = YES
        self.probed: Answer | Exception = YES
        self.asked: list[str | None] = []
        self.probes = 0
        self.at_once = 0
        self.now = 0.0
        self.sleeps: list[float] = []
        self.go_on: asyncio.Queue[None] = asyncio.Queue()
        self.breaker = Breaker(self.ask, self.probe, sleep=self.sleep, monotonic=lambda: self.now)

    async def ask(self, request: Request) -> Answer:
        self.asked.append(request.model)
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome

    async def probe(self, request: Request) -> Answer:
        assert request.node == "probe"
        self.probes += 1
        self.at_once += 1
        assert self.at_once == 1
        try:
            await self.go_on.get()
        finally:
            self.at_once -= 1
        if isinstance(self.probed, Exception):
            raise self.probed
        return self.probed

    async def sleep(self, seconds: float) -> None:
        self.sleeps.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)

    async def said(self, request: Request = QUESTION) -> str:
        try:
            return (await self.breaker.ask(request)).text
        except (TransportError, TimeoutError) as error:
            return f"{type(error).__name__}: {error}"


def play(script: Callable[[Model], Coroutine[Any, Any, None]]) -> Model:
    async def go() -> Model:
        model = Model()
        await asyncio.wait_for(script(model), 30.0)
        return model

    return asyncio.run(go())


async def steps() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    "error", [TimeoutError("late"), NoAnswer("429"), AccountError("no key")], ids=repr
)
def test_after_one_failure_nobody_waits_until_a_request_in_the_background_is_answered(
    error: Exception,
) -> None:
    async def script(model: Model) -> None:
        model.outcome = error
        assert (await model.said()).startswith(type(error).__name__)
        await steps()
        for _ in range(3):
            assert await model.said() == f"HeldBack: not asked until it answers again: {error}"
        model.outcome = YES
        model.go_on.put_nowait(None)
        await steps()
        assert await model.said() == "yes"

    model = play(script)
    assert len(model.asked) == 2
    assert model.probes == 1


def test_it_is_tried_again_after_ever_longer_pauses_one_request_at_a_time() -> None:
    async def script(model: Model) -> None:
        model.outcome, model.probed = NoAnswer("down"), Unavailable("down")
        await model.said()
        for _ in range(9):
            model.go_on.put_nowait(None)
        await steps()
        await steps()
        assert "HeldBack" in await model.said()

    model = play(script)
    assert model.sleeps[:8] == [FIRST_PAUSE, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]


def test_a_wait_that_the_server_asks_for_is_kept_for_the_next_requests() -> None:
    async def script(model: Model) -> None:
        model.outcome = NoAnswer("429 (it asks to wait 300 s)", 300.0)
        await model.said()
        assert "300 s" in await model.said()
        await steps()
        assert model.probes == 1  # after these 300 s, in its own time

    assert play(script).sleeps[0] == 300.0


@pytest.mark.parametrize("error", [ModelError("400"), TransportError("?")], ids=repr)
def test_what_is_wrong_with_one_request_says_nothing_of_the_next(error: Exception) -> None:
    async def script(model: Model) -> None:
        model.outcome = error
        await model.said()
        model.outcome = YES
        assert await model.said() == "yes"

    assert play(script).probes == 0


def test_another_model_is_asked_meanwhile() -> None:
    async def script(model: Model) -> None:
        model.outcome = TimeoutError("late")
        await model.said()
        model.outcome = YES
        assert await model.said(OTHER) == "yes"
        assert "HeldBack" in await model.said()

    assert play(script).asked == [None, "openai/other"]


@pytest.mark.parametrize(("seconds", "held"), [(20.0, True), (3.0, False)])
def test_a_request_that_its_deadline_cancels_has_no_answer_and_a_halted_node_says_nothing(
    seconds: float, held: bool
) -> None:
    async def script(model: Model) -> None:
        begun = asyncio.Event()

        async def hang(request: Request) -> Answer:
            begun.set()
            await asyncio.get_running_loop().create_future()
            return YES

        model.breaker = Breaker(hang, model.probe, sleep=model.sleep, monotonic=lambda: model.now)
        asking = asyncio.ensure_future(model.said(replace(QUESTION, timeout=20.0)))
        await begun.wait()
        model.now = seconds
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        assert bool(model.breaker._outages) is held

    play(script)


@pytest.mark.parametrize(
    ("waits", "timeouts", "held"),
    [
        ((10.0, 6.0, 3.0), [20.0, 10.0, 10.0], True),  # whoever goes on talking waits 19 s, not 57
        ((10.0, 6.0), [20.0, 10.0], False),
        ((10.0, None, 10.0), [20.0, 10.0, 20.0], False),  # the second is answered
    ],
)
def test_what_was_waited_for_a_request_that_new_words_close_counts_for_the_next(
    waits: tuple[float | None, ...], timeouts: list[float], held: bool
) -> None:
    async def script(model: Model) -> None:
        given: list[float | None] = []

        async def ask(request: Request) -> Answer:
            given.append(request.timeout)
            if waits[(len(given) - 1) // 2] is None:
                return YES
            await asyncio.get_running_loop().create_future()
            return YES

        model.breaker = Breaker(ask, model.probe, sleep=model.sleep, monotonic=lambda: model.now)
        for wait in waits:
            two = [  # of two nodes at once, whose waits are one
                asyncio.ensure_future(model.said(replace(QUESTION, timeout=20.0))) for _ in "12"
            ]
            await steps()
            model.now += wait or 1.0
            for asking in two:
                asking.cancel()
            await asyncio.gather(*two, return_exceptions=True)
            model.now += 100.0  # nobody waits meanwhile
        assert given[::2] == timeouts
        assert bool(model.breaker._outages) is held

    play(script)


def test_it_goes_on_in_another_event_loop() -> None:
    breaker: list[Breaker] = []

    async def fail(request: Request) -> Answer:
        raise NoAnswer("down")

    async def answer(request: Request) -> Answer:
        return YES

    async def no_sleep(seconds: float) -> None:
        await asyncio.sleep(0)

    async def first() -> None:
        breaker.append(Breaker(fail, answer, sleep=lambda s: asyncio.sleep(1000)))
        with pytest.raises(NoAnswer):
            await breaker[0].ask(QUESTION)

    async def second() -> None:
        breaker[0]._sleep = no_sleep
        with pytest.raises(HeldBack):
            await breaker[0].ask(QUESTION)
        await steps()
        assert not breaker[0]._outages

    asyncio.run(first())
    asyncio.run(second())
