"""What a run knows of nodes that ask models or people, whatever package brings them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

OFFLINE = "offline"
"""Stands for a model's name where the offline rules decided."""

FinishedStep = tuple[str, object]
"""A skill that a program has done, and its arguments as in the journal."""


class Asks:
    """A node that asks."""

    path: str
    exchange: Any = None
    """The question that it waits for."""

    def warm(self) -> None:
        """Load what the first words would wait for."""

    def load_ear(self) -> None:
        """The same, where a run's own user speaks."""


class RunsSteps:
    """A node that runs steps of a program; those that are done are left out after a resume."""

    path: str

    def leave_out(self, finished: Sequence[FinishedStep]) -> None:
        """Leave out the first steps of the next program if they are these."""
        raise NotImplementedError

    def take_up(self, text: str, by: str) -> None:
        """Run this program, which the model ``by`` has written, and ask for none."""
        raise NotImplementedError

    def forget_finished(self) -> None:
        """Leave out nothing, unless the program has begun or was asked for."""
        raise NotImplementedError
