"""Retries requests to a model that is busy or unreachable, within the deadline."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import replace

from treec.ask.transport import Answer, Request, Transport, TransportError, Unavailable

TRIES = 3
"""Maximum number of tries per request."""

FIRST_WAIT = 0.5
"""Seconds before the second try unless the server says otherwise; doubled for each further try."""


class NoAnswer(TransportError):
    """No try was answered; the server may have said how long to wait, in seconds."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


Sleep = Callable[[float], Awaitable[None]]


async def real_sleep(seconds: float) -> None:
    """Sleep in real time, inside asyncio."""
    import asyncio

    await asyncio.sleep(seconds)


class RetryTransport:
    """A transport that retries requests."""

    def __init__(
        self,
        transport: Transport,
        *,
        tries: int = TRIES,
        sleep: Sleep = real_sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._transport = transport
        self._tries = tries
        self._sleep = sleep
        self._monotonic = monotonic

    async def ask(self, request: Request) -> Answer:
        """The answer. Raises TransportError with every try's reason."""
        start = self._monotonic()
        reasons: list[str] = []
        while True:
            try:
                answer = await self._transport.ask(self._with_remaining_timeout(request, start))
            except Unavailable as error:
                reasons.append(str(error))
                wait = self._wait(error, len(reasons))
                time_left = (
                    None if request.timeout is None else self._time_left(request.timeout, start)
                )
                if len(reasons) >= self._tries or (time_left is not None and wait >= time_left):
                    summary = _summary(reasons, error, time_left)
                    raise NoAnswer(summary, error.retry_after) from None
                await self._sleep(wait)
            else:
                return replace(answer, tries=(*reasons, *answer.tries))

    def _with_remaining_timeout(self, request: Request, start: float) -> Request:
        if request.timeout is None:
            return request
        return replace(request, timeout=max(self._time_left(request.timeout, start), 0.001))

    def _time_left(self, timeout: float, start: float) -> float:
        return timeout - (self._monotonic() - start)

    def _wait(self, error: Unavailable, attempts: int) -> float:
        if error.retry_after is not None:
            return max(0.0, error.retry_after)
        return float(FIRST_WAIT * 2 ** (attempts - 1))


def _summary(reasons: list[str], error: Unavailable, time_left: float | None) -> str:
    message = "; then: ".join(dict.fromkeys(reasons))
    if len(reasons) > 1:
        message += f" ({len(reasons)} tries)"
    after = error.retry_after
    if after is not None and time_left is not None and after >= time_left:
        message += f" (it asks to wait {after:g} s, longer than the answer may take)"
    return message
