"""Chunks: word sequences with one meaning."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from treec.skills.kitchen.hearing.lexicon import Way

FLOATS = frozenset({"FLOAT", "PLEASE", "HEDGE", "FIRST", "NEARLY", "ONLY", "ALSO", "UM"})
"""Kinds that may stand anywhere in a clause without changing its structure."""
DENYING = frozenset({"not", "no", "never"})
"""Kinds that negate what follows."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A word sequence with one meaning. `key` is its words, `kind` its category.

    It may refer to agents, things and a recipe. `verb` are its readings as a task's verb, each with
    its form; `classes` its classes of verbs about work, each with its form.
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
        """Whether it is a verb of this class, in one of these forms if any are given."""
        return any(c == name and (not forms or f in forms) for c, f in self.classes)

    @property
    def names(self) -> set[str]:
        """The names of all things that it may refer to."""
        return {name for either in self.things for name in either}

    @property
    def code(self) -> str:
        """Its code in a clause's line: the kind for names, else the words."""
        return (
            self.kind
            if (len(self.kind) > 1 and self.kind.isupper() and self.kind != "ADJ")
            or self.kind in "AORI"
            else self.key.replace(" ", "_")
        )


def names_of(chunks: Iterable[Chunk]) -> set[str]:
    """The names of all things that these chunks may refer to."""
    return {name for chunk in chunks for name in chunk.names}
