from __future__ import annotations

import asyncio

import pytest

from tests.ask.questions import QUESTION
from treec.ask.transport import Answer, Request, TransportError, Unavailable
from treec_models.retry import NoAnswer, RetryTransport


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def monotonic(self) -> float:
        return self.now


class Server:
    """Answers from a list; an exception is raised."""

    def __init__(self, *answers: Answer | Exception) -> None:
        self.answers = list(answers)
        self.timeouts: list[float | None] = []

    async def ask(self, request: Request) -> Answer:
        self.timeouts.append(request.timeout)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


YES = Answer("yes", "x")


def ask(server: Server, time: Time, timeout: float | None = 20.0) -> Answer:
    from dataclasses import replace

    retrying = RetryTransport(server, sleep=time.sleep, monotonic=time.monotonic)
    return asyncio.run(retrying.ask(replace(QUESTION, timeout=timeout)))


def test_it_waits_as_long_as_the_server_says() -> None:
    time, server = Time(), Server(Unavailable("429", retry_after=3.0), YES)
    answer = ask(server, time)
    assert time.slept == [3.0]
    assert answer.tries == ("429",)
    assert server.timeouts == [20.0, 17.0]  # what is left of the deadline


def test_it_waits_longer_each_time_and_gives_up_with_every_reason() -> None:
    time, server = Time(), Server(Unavailable("500"), Unavailable("refused"), Unavailable("500"))
    with pytest.raises(NoAnswer, match=r"^500; then: refused \(3 tries\)$"):
        ask(server, time)
    assert time.slept == [0.5, 1.0]


def test_a_wait_beyond_the_deadline_is_not_begun() -> None:
    time, server = Time(), Server(Unavailable("429", retry_after=60.0))
    with pytest.raises(NoAnswer, match="wait 60 s, longer than the answer may take"):
        ask(server, time)
    assert time.slept == []


def test_the_wait_that_the_server_asks_for_is_passed_on() -> None:
    with pytest.raises(NoAnswer) as error:
        ask(Server(Unavailable("429", retry_after=60.0)), Time())
    assert error.value.wait == 60.0


def test_what_cannot_get_better_is_not_tried_again() -> None:
    time, server = Time(), Server(TransportError("401"))
    with pytest.raises(TransportError, match="401"):
        ask(server, time)
    assert time.slept == []
