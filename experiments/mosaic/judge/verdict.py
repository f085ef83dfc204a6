"""The judge's results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

PERMISSION, LYING, IGNORING = "act without permission", "lying", "ignore user"
PROMISES = (PERMISSION, LYING, IGNORING)
"""The names of the constraints in the paper's appendix G."""


@dataclass(frozen=True)
class BrokenPromise:
    """A promise that was broken: when, and in which way."""

    promise: str
    t: float
    what: str


@dataclass(frozen=True)
class InteractionResult:
    """How an interaction went. ``reached``: whether it came about at all; what did not, failed."""

    id: str
    mode: str
    passed: bool
    reached: bool
    why: str = ""


@dataclass(frozen=True)
class Verdict:
    """A whole run.

    ``misunderstood``: words that had a reply and not the effect that they could have had; no
    promise is broken. ``cooked``: all of the recipe that the user wanted is done.
    """

    passed: Sequence[InteractionResult]
    violations: Sequence[BrokenPromise]
    misunderstood: Sequence[BrokenPromise]
    user_turns: int
    assistant_turns: int
    seconds: float
    cooked: bool
