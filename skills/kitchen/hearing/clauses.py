"""Clauses, and fixed sayings that fill a whole clause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from treec.skills.kitchen.hearing import lexicon
from treec.skills.kitchen.hearing.chunks import FLOATS, Chunk
from treec.skills.kitchen.hearing.words import word_set

SUBORDINATE = word_set(
    "if unless when while until because since though although whereas before after"
)
"""Conjunctions that introduce a subordinate clause."""
_COUNTS = ("second", "third")
_BEFORE_PLACE = ("is", "are", "'s", "has", "over", "in", "into", "from", "was", "were", "W", "have")


@dataclass(frozen=True)
class Clause:
    """A clause: a sequence of chunks. `joint` is the conjunction or break before it.

    `asks`: its sentence ends in a question mark, and it is the part that asks. `addressees` are the
    agents spoken to.
    """

    chunks: tuple[Chunk, ...]
    joint: str
    sentence: int
    asks: bool = False
    addressees: tuple[str, ...] = ()
    saying: str = ""
    begin: int = -1

    @cached_property
    def core(self) -> tuple[Chunk, ...]:
        """The chunks without floating ones."""
        found: list[Chunk] = []
        for chunk in self.chunks:
            if chunk.kind in FLOATS:
                continue
            if chunk.kind in ("there", "here") and found and found[-1].kind not in _BEFORE_PLACE:
                continue
            found.append(chunk)
        return tuple(found)

    @cached_property
    def line(self) -> str:
        """The core as a line of codes, for the patterns of moods."""
        return "".join(f"{c.code} " for c in self.core)

    @property
    def start(self) -> int:
        """Offset of its first character in the utterance."""
        return self.begin if self.begin >= 0 else self.chunks[0].start

    @property
    def end(self) -> int:
        """Offset behind its last character in the utterance."""
        return self.chunks[-1].end

    @property
    def words(self) -> str:
        """All of its words, normalized."""
        return " ".join(c.key for c in self.chunks)

    def has(self, kind: str) -> bool:
        """Whether it has a chunk of this kind."""
        return any(c.kind == kind for c in self.chunks)

    def but(self, chunks: Sequence[Chunk]) -> Clause:
        """The same clause with other chunks."""
        return replace(self, chunks=tuple(chunks))


def saying(clause: Clause) -> Clause:
    """The clause, with `saying` set if it is a fixed saying as a whole."""
    table = lexicon.sayings()
    if len(clause.core) == 1 and clause.core[0].kind == "ORD" and clause.core[0].key in _COUNTS:
        return clause
    for chunks in (clause.chunks, clause.core):
        kind = table.get(tuple(" ".join(c.key for c in chunks).split()), "")
        if kind:
            return replace(clause, saying=kind)
    short = list(clause.chunks)
    while len(short) > 1 and (
        short[-1].kind in FLOATS | {"there", "here"}
        or short[-1].key in ("yet", "though", "then", "man")
    ):
        short.pop()
        kind = table.get(tuple(" ".join(c.key for c in short).split()), "")
        if kind:
            return replace(clause, saying=kind)
    kept = [c for c in clause.chunks if c.kind not in ("PLEASE", "HEDGE", "UM")]
    kind = table.get(tuple(" ".join(c.key for c in kept).split()), "")
    if kind:
        return replace(clause, saying=kind)
    return clause
