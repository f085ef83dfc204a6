"""Chunks: stretches of words that mean one thing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from treec.skills.kitchen.hearing.lexicon import Way

FLOATS = frozenset({"FLOAT", "PLEASE", "HEDGE", "FIRST", "NEARLY", "ONLY", "ALSO", "UM"})
"""Kinds that may stand anywhere in a clause and leave its skeleton as it is."""
DENYING = frozenset({"not", "no", "never"})
"""Kinds that deny what stands behind them, whatever that is."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of words that means one thing. `key` is its words; `kind` what it is.

    Agents, things and recipe are what it names. `verb` are the ways in which it is a verb, each
    with its form; `classes` its classes of verbs about work, each with its form.
    """

    kind: str
    key: str
    start: int
    end: int
    agents: tuple[str, ...] = ()
    things: tuple[tuple[str, ...], ...] = ()
    recipe: str | None = None
    verb: tuple[tuple[Way, str], ...] = ()
    classes: frozenset[tuple[str, str]] = frozenset()
    either: bool = False
    ref: str = ""
    spoken: tuple[str, ...] = field(default=())

    def of(self, name: str, *forms: str) -> bool:
        """Whether it is a verb of this class, in one of these forms or in any."""
        return any(c == name and (not forms or f in forms) for c, f in self.classes)

    @property
    def names(self) -> set[str]:
        """The names of all things that it may mean."""
        return {name for either in self.things for name in either}

    @property
    def code(self) -> str:
        """What it is called in a clause's line: names by their kind, the rest by its words."""
        return (
            self.kind
            if (len(self.kind) > 1 and self.kind.isupper() and self.kind != "ADJ")
            or self.kind in "AORI"
            else self.key.replace(" ", "_")
        )


def names_of(chunks: Iterable[Chunk]) -> set[str]:
    """The names of all things that any of these may mean."""
    return {name for chunk in chunks for name in chunk.names}
