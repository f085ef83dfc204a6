"""What a text of skill calls may contain: steps are calls, one per line.

A package may have a grammar with more: that of the programs which models write has variables,
bounded loops over lists, and conditions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from treec.frozen import frozen
from treec.program.places import LinePlaces

_LITERALS = frozenset({"True", "False", "None"})


class WordError(NamedTuple):
    """An error about a keyword, and a help text."""

    message: str
    help: str | None


class LineBlocks(Protocol):
    """Follows the lines of a text, where they may be indented. Its methods raise `StepsError`."""

    def begin(self, text: str, at: int) -> None:
        """Process the start of a line."""

    def token(self, text: str) -> None:
        """Process a token of the line."""

    def colon(self, at: int, *, inside: bool) -> None:
        """Process a ':'."""

    def assign(self, at: int, *, alone: bool) -> None:
        """Process a '=' outside of brackets."""

    def end(self, at: int) -> None:
        """Process the end of the text."""


@frozen
class Grammar:
    """Which elements a text may contain."""

    what: str
    """Its name in messages after `in`."""
    subject: str
    """Its name in messages before `may have`."""
    size: int
    """The maximum number of characters."""
    blocks: Callable[[LinePlaces, str], LineBlocks] | None = None
    """What follows its lines, if lists, conditions, loops and method calls are allowed."""
    help: str | None = "a step is a call: place(item, table)"
    fields: frozenset[str] = frozenset()
    """Words after a dot that are no calls: mug.object_instance."""

    def refusal(self, word: str, *, first: bool) -> WordError | None:
        """Why a Python keyword is not allowed here; ``first``: at the start of a line."""
        if word in _LITERALS:
            return None
        return self.keyword_error(word, first=first)

    def keyword_error(self, word: str, *, first: bool) -> WordError | None:
        """The same for a word that is no literal."""
        return WordError(f"'{word}' cannot be used in {self.what}", self.help)


STEPS = Grammar("steps", "steps", size=64_000)
