"""Clauses: chunks that say one thing, and the fixed sayings that some of them are."""

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
"""Words that make what follows hang on something else."""
_COUNTS = ("second", "third")
_BEFORE_PLACE = ("is", "are", "'s", "has", "over", "in", "into", "from", "was", "were", "W", "have")


@dataclass(frozen=True)
class Clause:
    """Chunks that say one thing. `joint` is the word or break before it.

    `asks`: its sentence ends in a question mark, and it is the part that asks. `addressees` are
    the agents spoken to; `everyone`: all are.
    """

    chunks: tuple[Chunk, ...]
    joint: str
    sentence: int
    asks: bool = False
    addressees: tuple[str, ...] = ()
    everyone: bool = False
    saying: str = ""
    begin: int = -1

    @cached_property
    def core(self) -> tuple[Chunk, ...]:
        """The chunks without those that may stand anywhere."""
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
        """Where it begins in the utterance."""
        return self.begin if self.begin >= 0 else self.chunks[0].start

    @property
    def end(self) -> int:
        """Where it ends in the utterance."""
        return self.chunks[-1].end

    @property
    def words(self) -> str:
        """All of its words, as they were understood."""
        return " ".join(c.key for c in self.chunks)

    def has(self, kind: str) -> bool:
        """Whether a chunk of this kind stands in it."""
        return any(c.kind == kind for c in self.chunks)

    def but(self, chunks: Sequence[Chunk]) -> Clause:
        """The same clause with other chunks."""
        return replace(self, chunks=tuple(chunks))


def saying(clause: Clause) -> Clause:
    """The clause with the kind of fixed saying that it is from end to end, if it is one."""
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
