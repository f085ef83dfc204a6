"""What the journal tells of programs that models write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treec.frozen import frozen
from treec.source.text import shorten
from treec.world.events import Event, EventText, event


@event("step.corrected")
@frozen
class StepCorrected(Event):
    """A step of a program failed; what corrects it follows, and then the step again."""

    node: str
    line: int
    skill: str
    reason: str
    attempt: int

    def describe(self) -> EventText:
        """What is corrected, and why."""
        return EventText(f"line {self.line} is corrected: {self.reason}", "warning")


@event("recalled")
@frozen
class Recalled(Event):
    """The pairs of memories that are nearest to a text: key, answer and distance of each."""

    node: str
    key: str
    pairs: tuple[Mapping[str, Any], ...]

    def describe(self) -> EventText:
        """How many there are, and the nearest."""
        if not self.pairs:
            return EventText("nothing like it is remembered")
        nearest = shorten(str(self.pairs[0]["key"]))
        return EventText(f"remembers {len(self.pairs)}, nearest: {nearest}")
