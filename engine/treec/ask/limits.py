"""Limits on what a run may spend on models: time, tokens, money."""

from __future__ import annotations

from treec.ask.transport import Request, TransportError
from treec.frozen import frozen


class LimitReached(TransportError):
    """A limit of the run is reached."""


@frozen
class Limits:
    """The most a run may spend; None is no limit.

    ``time`` is the total time of waiting for answers, in seconds; ``tokens`` counts prompts and
    answers; ``cost`` is in US dollars.
    """

    time: float | None = None
    tokens: int | None = None
    cost: float | None = None

    def over(self, other: Limits) -> Limits:
        """These limits, with the other's where these are None."""
        return Limits(
            other.time if self.time is None else self.time,
            other.tokens if self.tokens is None else self.tokens,
            other.cost if self.cost is None else self.cost,
        )


CHARACTERS_PER_TOKEN = 4
"""Of English text, for the estimate of a prompt's tokens."""

NO_LIMITS = Limits()
"""The default: no limits."""


def prompt_tokens(request: Request) -> int:
    """The tokens of a request's messages, estimated by their length."""
    return sum(len(message.content) for message in request.messages) // CHARACTERS_PER_TOKEN
