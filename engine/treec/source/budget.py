"""Limits of one evaluation: steps, text and list items, so that every evaluation ends.

Only work that grows with values is charged (loops, calls, filters, comparisons of lists); work
proportional to the text of the expression is bounded by the limit on that text.
"""

from __future__ import annotations

from treec.source.errors import EvaluationProblem

MAX_STEPS = 100_000
MAX_TEXT = 256_000
MAX_ITEMS = 10_000
MAX_NESTING = 40
"""How deep values may be nested when they are printed or compared."""

_CHARACTERS_A_STEP = 100


class Budget:
    """The remaining steps and output of one evaluation; beyond them, raises `EvaluationProblem`."""

    __slots__ = ("max_items", "max_steps", "max_text", "steps", "written")

    def __init__(
        self, steps: int = MAX_STEPS, text: int = MAX_TEXT, items: int = MAX_ITEMS
    ) -> None:
        self.max_steps = steps
        self.max_text = text
        self.max_items = items
        self.steps = steps
        self.written = 0

    def step(self, count: int = 1) -> None:
        """Charge `count` steps."""
        self.steps -= count
        if self.steps < 0:
            raise EvaluationProblem(f"this takes more than {self.max_steps:,} steps")

    def text(self, length: int) -> None:
        """Charge a text of `length` characters that is about to be made."""
        if length > self.max_text:
            raise EvaluationProblem(f"this makes a text of more than {self.max_text:,} characters")
        self.step(1 + length // _CHARACTERS_A_STEP)

    def items(self, count: int) -> None:
        """Charge a list of `count` items that is about to be made or iterated."""
        if count > self.max_items:
            raise EvaluationProblem(f"this is a list of more than {self.max_items:,} items")
        self.step(1 + count)

    def write(self, length: int) -> None:
        """Charge `length` characters of a template's output."""
        self.written += length
        if self.written > self.max_text:
            raise EvaluationProblem(f"the text is longer than {self.max_text:,} characters")
