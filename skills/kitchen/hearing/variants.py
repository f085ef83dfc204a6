"""Variants of an utterance: a part left out or set apart.

Parts unknown to the grammar (an aside, a nickname, a reason without a comma) stand between parts
that it knows. Without them, or with a full stop in between, the rest can be read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from treec.skills.kitchen.hearing.chunks import Chunk

_LONGEST = 10
"""Maximum number of chunks for which both ends are left out at once (quadratic)."""
_MOST = 40
"""Maximum number of chunks for which there are variants."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A modified utterance.

    ``way``: its "head", "tail" or both "ends" are left out, it has a "hole", or a "stop" or "comma"
    is inserted. ``omitted``: the indices of the chunks left out. ``pieces``: the beginning of each
    remaining part in the variant and in the utterance, in characters.
    """

    way: str
    text: str
    omitted: tuple[int, ...]
    pieces: tuple[tuple[int, int], ...]

    def place(self, at: int) -> int:
        """The offset in the utterance of a character of the variant."""
        begin, own = max(piece for piece in self.pieces if piece[0] <= at)
        behind = [other for start, other in self.pieces if start > begin]
        return min(own + at - begin, *behind) if behind else own + at - begin


def variants(text: str, chunks: Sequence[Chunk]) -> Iterator[Variant]:
    """Every variant that leaves out one part, or sets one apart."""
    said = [chunk for chunk in chunks if chunk.kind != "BRK"]
    count = len(said)
    if not 2 <= count <= _MOST:
        return
    for i in range(count - 1):
        yield Variant("tail", text[: said[i].end], tuple(range(i + 1, count)), ((0, 0),))
    for i in range(1, count):
        start = said[i].start
        yield Variant("head", text[start:], tuple(range(i)), ((0, start),))
    for size in (1, 2) if count > 2 else (1,):
        for i in range(count + 1 - size):
            before, behind = said[i].start, said[i + size - 1].end
            pieces = ((0, 0), (before, behind)) if before else ((0, behind),)
            rest = text[:before] + text[behind:]
            yield Variant("hole", rest, tuple(range(i, i + size)), pieces)
    for way, mark in (("stop", "."), ("comma", ",")):
        for chunk in said[:-1]:
            end = chunk.end
            pieces = ((0, 0), (end + len(mark), end))
            yield Variant(way, text[:end] + mark + text[end:], (), pieces)
    for i in range(1, count - 1) if count <= _LONGEST else ():
        for j in range(i, count - 1):
            omitted = (*range(i), *range(j + 1, count))
            start = said[i].start
            yield Variant("ends", text[start : said[j].end], omitted, ((0, start),))
