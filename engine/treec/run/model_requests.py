"""Counts of model requests per node: answers, tokens, cost, latency.

Requests that a limit held back were never sent and are counted separately.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from treec.nodes.events import Answered

LIMITS = "treec.ask.limits"
"""The module named in records of requests that a limit held back."""

UNSENT = (LIMITS, "treec.ask.held_back")
"""The modules named in records of requests that were not sent."""

COUNTS = (
    *("asked", "used", "refused", "failed", "dropped", "held_back", "kept"),
    *("input_tokens", "output_tokens", "closed_tokens"),
)


@dataclass
class Spent:
    """What answers took: tokens, US dollars (None if none has a price), the seconds of each."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    seconds: list[float] = field(default_factory=list)

    @property
    def tokens(self) -> int:
        """Those of prompts and answers together."""
        return self.input_tokens + self.output_tokens

    @property
    def mean(self) -> float | None:
        """The mean latency in seconds."""
        return sum(self.seconds) / len(self.seconds) if self.seconds else None

    def pay(self, answer: Any) -> None:
        """Count what an answer took: one of a transport, its record or its recording."""
        tokens = max(0, answer.input_tokens or 0), max(0, answer.output_tokens or 0)
        seconds = [] if answer.seconds is None else [answer.seconds]
        self.add_spent(Spent(*tokens, answer.cost, seconds))

    def add_spent(self, other: Spent) -> None:
        """Count all that another has counted."""
        self.input_tokens += other.input_tokens
        self.output_tokens += other.output_tokens
        if other.cost is not None:
            self.cost = (self.cost or 0.0) + other.cost
        self.seconds += other.seconds


@dataclass
class NodeRequests(Spent):
    """The model requests of one node."""

    asked: int = 0
    used: int = 0
    refused: int = 0
    failed: int = 0
    held_back: int = 0
    kept: int = 0
    """Questions that were not asked again, since the prompt was that of the last answer."""
    closed_tokens: int = 0
    """Tokens of the prompts of requests that were closed, estimated."""

    @property
    def dropped(self) -> int:
        """Requests closed before an answer came, or still open."""
        return max(0, self.asked - self.used - self.refused - self.failed)

    @property
    def answers(self) -> int:
        """Requests that were answered, whether the answer was used or refused."""
        return self.used + self.refused

    @property
    def worst(self) -> float | None:
        """The highest latency in seconds."""
        return max(self.seconds, default=None)

    def count_answer(self, event: Answered) -> None:
        """Count the outcome of a request."""
        if event.module in UNSENT:
            self.asked -= 1
            self.held_back += 1
        elif event.failed is not None:
            self.failed += 1
        elif event.refused is not None:
            self.refused += 1
        else:
            self.used += 1
        self.pay(event)

    def add(self, other: NodeRequests) -> None:
        """Add the counts of another node, or of the same one in another run."""
        self.add_spent(other)
        for one in ("asked", "used", "refused", "failed", "held_back", "kept", "closed_tokens"):
            setattr(self, one, getattr(self, one) + getattr(other, one))

    def data(self) -> dict[str, object]:
        """The counts as plain data."""
        return {
            **{name: getattr(self, name) for name in COUNTS},
            "cost": None if self.cost is None else round(self.cost, 9),
            "seconds_mean": None if self.mean is None else round(self.mean, 6),
            "seconds_worst": None if self.worst is None else round(self.worst, 6),
        }


def total_requests(nodes: Mapping[str, NodeRequests]) -> NodeRequests:
    """The sum over all nodes."""
    whole = NodeRequests()
    for one in nodes.values():
        whole.add(one)
    return whole


def refused_answers(number: int, reason: str) -> str:
    """Why nothing came of answers that were all refused."""
    return f"{'the answer was' if number == 1 else f'{number} answers were'} refused: {reason}"
