"""A circuit breaker: a model that hangs or fails costs one wait, not one at every node.

After a request that got no answer, none is sent until a small one in the background is answered:
one at a time, after ever longer pauses, and not before the server wants to be asked again.

New words close a request before its time is up. What was waited for it counts for the next one, so
that people who go on talking do not wait for ever.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from treec.ask.held_back import HeldBack
from treec.ask.limits import LimitReached
from treec.ask.transport import Answer, Message, Request, Unavailable
from treec_models.model_client import AccountError, ModelError
from treec_models.retry import NoAnswer, Sleep, real_sleep

if TYPE_CHECKING:
    import asyncio

FIRST_PAUSE = 1.0
"""Seconds before the first request in the background; doubled for each further one."""

LONGEST_PAUSE = 60.0
"""Seconds between two requests in the background at most."""

LATE = 0.9
"""Share of its timeout after which a request that is cancelled counts as one without an answer."""

LEAST = 0.5
"""Share of its timeout that a request has, however long those before it have waited in vain."""

PROBE = Request(
    node="probe",
    kind="probe",
    messages=(Message("user", 'Answer with the JSON object {"ok": true}.'),),
    schema={
        "type": "object",
        "properties": {"ok": {"type": "boolean"}},
        "required": ["ok"],
        "additionalProperties": False,
    },
    observation={},
)
"""The request in the background. Any answer will do."""


@dataclass
class _Silence:
    """How many seconds a model has been waited for since its last answer, and until when."""

    seconds: float = 0.0
    until: float = 0.0

    def add(self, start: float, now: float) -> None:
        """Add a wait, but no moment twice."""
        self.seconds += max(0.0, now - max(start, self.until))
        self.until = max(self.until, now)


Ask = Callable[[Request], Awaitable[Answer]]


@dataclass
class _Outage:
    """A model that does not answer, why, and the task that tries it again."""

    why: str
    until: float
    task: asyncio.Task[None] | None = None


class Breaker:
    """Asks models through ``ask``, but not those that do not answer; tries these by ``probe``."""

    def __init__(
        self,
        ask: Ask,
        probe: Ask,
        *,
        sleep: Sleep = real_sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ask = ask
        self._probe = probe
        self._sleep = sleep
        self._monotonic = monotonic
        self._outages: dict[str | None, _Outage] = {}
        self._silences: dict[str | None, _Silence] = {}

    async def ask(self, request: Request) -> Answer:
        """The answer. Raises TransportError, TimeoutError."""
        import asyncio

        outage = self._outages.get(request.model)
        if outage is not None:
            self._try_again(request, outage)  # of an earlier event loop, nothing goes on
            raise HeldBack(f"not asked until it answers again: {outage.why}")
        start, timeout = self._monotonic(), request.timeout
        silence = self._silences.setdefault(request.model, _Silence())
        before = silence.seconds
        if timeout is not None and before:
            request = replace(request, timeout=max(LEAST * timeout, timeout - before))
        try:
            answer = await self._ask(request)
        except asyncio.CancelledError:
            silence.add(start, self._monotonic())
            if timeout is not None and silence.seconds >= LATE * timeout:
                self._open(request, f"no answer within {round(silence.seconds, 1):g} s")
            raise
        except TimeoutError as error:
            silence.add(start, self._monotonic())
            if before:
                error.args = (f"no answer within {round(silence.seconds, 1):g} s",)
            self._open(request, str(error))
            raise
        except (NoAnswer, AccountError) as error:
            self._open(request, str(error), getattr(error, "wait", None))
            raise
        except ModelError:
            self._silences.pop(request.model, None)
            raise
        self._silences.pop(request.model, None)
        return answer

    def _open(self, request: Request, why: str, wait: float | None = None) -> None:
        outage = _Outage(why, self._monotonic() + (wait or FIRST_PAUSE))
        outage = self._outages.setdefault(request.model, outage)
        self._try_again(request, outage)

    def _try_again(self, request: Request, outage: _Outage) -> None:
        import asyncio

        if outage.task is None or outage.task.done():
            loop = asyncio.get_running_loop()
            outage.task = loop.create_task(self._probe_until_answered(request, outage))

    async def _probe_until_answered(self, request: Request, outage: _Outage) -> None:
        """End the outage once the model answers, or a limit says that it is not asked anyway."""
        probe = replace(PROBE, model=request.model, timeout=request.timeout)
        pause = FIRST_PAUSE
        while True:
            await self._sleep(max(0.0, outage.until - self._monotonic()))
            pause = min(2 * pause, LONGEST_PAUSE)
            try:
                await self._probe(probe)
            except (Unavailable, AccountError, TimeoutError) as error:
                wait = getattr(error, "retry_after", None)
                outage.until = self._monotonic() + max(pause, wait or 0.0)
            except (LimitReached, ModelError):
                break  # this request has no answer, and that is one
            except Exception as error:
                outage.why, outage.until = str(error), self._monotonic() + pause
            else:
                break
        self._outages.pop(request.model, None)
        self._silences.pop(request.model, None)
