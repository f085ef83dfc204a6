"""What answers take: tokens, US dollars, seconds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol


class PricedAnswer(Protocol):
    """An answer, or its recording."""

    @property
    def input_tokens(self) -> int | None:
        """Those of the prompt, if they are known."""

    @property
    def output_tokens(self) -> int | None:
        """Those of the answer, if they are known."""

    @property
    def cost(self) -> float | None:
        """In US dollars, if it is known."""

    @property
    def seconds(self) -> float | None:
        """How long it took, if it is known."""


@dataclass
class Spent:
    """Totals of answers."""

    answers: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    """In US dollars; None if no answer's cost is known."""
    seconds: list[float] = field(default_factory=list)
    """How long each answer took, as far as that is known."""

    def pay(self, answer: PricedAnswer) -> None:
        """Count what an answer took, but not the answer."""
        self.input_tokens += max(0, answer.input_tokens or 0)
        self.output_tokens += max(0, answer.output_tokens or 0)
        if answer.cost is not None:
            self.cost = (self.cost or 0.0) + answer.cost
        if answer.seconds is not None:
            self.seconds.append(answer.seconds)

    def spend(self, *answers: PricedAnswer) -> None:
        """Count answers and what they took."""
        for answer in answers:
            self.answers += 1
            self.pay(answer)

    def add_spent(self, other: Spent) -> None:
        """Count all that another has counted."""
        self.answers += other.answers
        self.input_tokens += other.input_tokens
        self.output_tokens += other.output_tokens
        if other.cost is not None:
            self.cost = (self.cost or 0.0) + other.cost
        self.seconds += other.seconds

    @property
    def tokens(self) -> int:
        """Those of prompts and answers together."""
        return self.input_tokens + self.output_tokens

    @property
    def mean(self) -> float | None:
        """Mean seconds of an answer."""
        return sum(self.seconds) / len(self.seconds) if self.seconds else None
