"""A transport within limits on what a run may spend on models.

Once a limit is reached, no further request is sent. One that is in flight may still be answered,
since its cost is known only afterwards. A request that is closed before its answer has been read by
the model all the same: its prompt counts, estimated from its length and the prices so far.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from treec.ask.limits import LimitReached, Limits, prompt_tokens
from treec.ask.transport import Answer, Request, Transport


class LimitedTransport:
    """A transport that refuses requests once a limit is reached. One per run."""

    def __init__(
        self,
        transport: Transport,
        limits: Limits,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.limits = limits
        self.seconds = 0.0
        self.tokens = 0
        self.cost = 0.0
        self.closed = 0
        """Requests closed before their answer."""
        self.closed_tokens = 0
        """The tokens of their prompts, estimated."""
        self.unpriced = False
        self._transport = transport
        self._monotonic = monotonic
        self._lock = threading.Lock()

    async def ask(self, request: Request) -> Answer:
        """The answer. Raises LimitReached, and TransportError as the transport does."""
        return await self.ask_through(self._transport, request)

    async def ask_through(self, transport: Transport, request: Request) -> Answer:
        """The answer of another transport, within the same limits. Raises as ``ask`` does."""
        limit = self.exceeded_limit
        if limit:
            raise LimitReached(limit)
        start = self._monotonic()
        answer, is_closed = None, True
        try:
            answer = await transport.ask(request)
            is_closed = False
        except Exception as error:
            is_closed, answer = False, getattr(error, "spent", None)
            raise
        finally:
            self._add(self._monotonic() - start, answer)
            if is_closed:
                self._add_closed(request)
        return answer

    @property
    def exceeded_limit(self) -> str:
        """The limit that is reached, as a sentence; empty if none is."""
        limits = self.limits
        with self._lock:
            if limits.cost is not None and self.cost >= limits.cost:
                return f"the run's limit of ${limits.cost:g} is reached (${self.cost:.4g} spent)"
            if limits.cost is not None and self.unpriced:
                limit = f"the run's limit of ${limits.cost:g}"
                return f"{limit} cannot be enforced: the price of an answer is unknown"
            if limits.tokens is not None and self.tokens >= limits.tokens:
                spent = f"({self.tokens:,} spent)"
                return f"the run's limit of {limits.tokens:,} tokens is reached {spent}"
            if limits.time is not None and self.seconds >= limits.time:
                return f"the run's limit of {limits.time:g} s of waiting for answers is reached"
        return ""

    def _add_closed(self, request: Request) -> None:
        tokens = prompt_tokens(request)
        with self._lock:
            self.closed += 1
            self.closed_tokens += tokens
            if self.tokens:
                self.cost += tokens * self.cost / self.tokens
            self.tokens += tokens

    def _add(self, seconds: float, answer: Answer | None) -> None:
        with self._lock:
            self.seconds += seconds
            if answer is not None:
                self.tokens += answer.tokens
                self.cost += answer.cost or 0.0
                self.unpriced |= answer.cost is None
