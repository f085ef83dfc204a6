from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from tests.ask.questions import QUESTION
from treec.ask.limits import LimitReached, Limits
from treec.ask.transport import Answer, Message, Request, TransportError
from treec_models.limited import LimitedTransport
from treec_models.model_client import NoUse


class Spending:
    """Each answer takes two seconds, costs a cent and 150 tokens."""

    def __init__(self, cost: float | None = 0.01, error: Exception | None = None) -> None:
        self.asked = 0
        self.now = 0.0
        self._cost = cost
        self._error = error

    async def ask(self, request: Request) -> Answer:
        self.asked += 1
        self.now += 2.0
        if self._error is not None:
            raise self._error
        return Answer("{}", "x", 100, 50, self._cost)


def asked(limits: Limits, server: Spending) -> str:
    """Ask until it is over; why."""
    limited = LimitedTransport(server, limits, lambda: server.now)
    for _ in range(100):
        try:
            asyncio.run(limited.ask(QUESTION))
        except LimitReached as error:
            return str(error)
        except TransportError:
            continue
    return ""


@pytest.mark.parametrize(
    ("limits", "times", "reason"),
    [
        (Limits(tokens=400), 3, "the run's limit of 400 tokens is reached (450 spent)"),
        (Limits(cost=0.02), 2, "the run's limit of $0.02 is reached ($0.02 spent)"),
        (Limits(time=5), 3, "the run's limit of 5 s of waiting for answers is reached"),
        (Limits(tokens=0), 0, "the run's limit of 0 tokens is reached (0 spent)"),
        (Limits(), 100, ""),
    ],
)
def test_nobody_is_asked_once_a_limit_is_reached(limits: Limits, times: int, reason: str) -> None:
    server = Spending()
    assert asked(limits, server) == reason
    assert server.asked == times


def test_waiting_in_vain_is_waiting() -> None:
    server = Spending(error=TransportError("down"))
    assert "5 s of waiting" in asked(Limits(time=5), server)
    assert server.asked == 3


def test_an_answer_of_no_use_is_paid_for() -> None:
    server = Spending(error=NoUse("it refuses", Answer("", "x", 100, 50, cost=0.01)))
    assert "(450 spent)" in asked(Limits(tokens=400), server)
    assert server.asked == 3


def test_an_answer_without_a_price_ends_a_limit_on_cost() -> None:
    server = Spending(cost=None)
    assert asked(Limits(cost=1.0), server) == (
        "the run's limit of $1 cannot be enforced: the price of an answer is unknown"
    )
    assert server.asked == 1


def test_limits_that_say_nothing_leave_it_to_the_next() -> None:
    assert Limits(tokens=0).over(Limits(time=3, tokens=7)) == Limits(time=3, tokens=0)


class Slow(Spending):
    """Answers the first requests at once, and the later ones never."""

    async def ask(self, request: Request) -> Answer:
        answer = await super().ask(request)
        if self.asked > 1:
            await asyncio.Event().wait()
        return answer


def test_a_request_that_is_closed_counts_with_its_prompt() -> None:
    server = Slow(cost=0.15)
    limited = LimitedTransport(server, Limits(tokens=150 + 500, cost=10), lambda: server.now)
    request = replace(QUESTION, messages=(Message("user", "abcd" * 300),))

    async def ask_and_close() -> None:
        await limited.ask(request)
        for _ in range(2):
            task = asyncio.create_task(limited.ask(request))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(ask_and_close())
    assert (limited.closed, limited.tokens) == (2, 150 + 2 * 300)
    assert limited.cost == pytest.approx(0.15 + 2 * 0.3)
    with pytest.raises(LimitReached, match="limit of 650 tokens"):
        asyncio.run(limited.ask(request))
