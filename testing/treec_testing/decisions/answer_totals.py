"""What answers take: tokens, US dollars, seconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from treec.run.model_requests import Spent


@dataclass
class AnswerTotals(Spent):
    """Totals of answers."""

    answers: int = 0

    def spend(self, *answers: Any) -> None:
        """Count answers, or recordings of such, and what they took."""
        for answer in answers:
            self.answers += 1
            self.pay(answer)

    def add_answers(self, other: AnswerTotals) -> None:
        """Count all that another has counted."""
        self.answers += other.answers
        self.add_spent(other)
