"""Frames: a clause whose references are replaced by `X`: "yes to X", "X can wait"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause

_POINTING = ("O", "ORD", "IT", "A", "R", "OTHERONE", "ALL")
_WITHIN = ("into", "in", "of", "for", "from", "to", "on", "'s", "DET", "ADJ", "with", "onto")


@dataclass(frozen=True, slots=True)
class VerbFrame:
    """The line of a clause with `X` for its references, and the chunks of each."""

    line: str
    parts: tuple[tuple[Chunk, ...], ...]

    @property
    def named(self) -> tuple[Chunk, ...]:
        """All chunks of its references."""
        return tuple(chunk for part in self.parts for chunk in part)


def frame(clause: Clause, *, verbs: bool = True) -> VerbFrame:
    """The frame of a clause. With `verbs`, "stirring the bowl" and "R2 to stir" are references."""
    chunks = clause.core
    words: list[str] = []
    parts: list[tuple[Chunk, ...]] = []
    index = 0
    while index < len(chunks):
        stop = _reference(chunks, index, verbs)
        if stop > index:
            words.append("X")
            parts.append(tuple(chunks[index:stop]))
            index = stop
        else:
            chunk = chunks[index]
            words.append(_code(chunk))
            index += 1
    return VerbFrame(" ".join(words), tuple(parts))


def _code(chunk: Chunk) -> str:
    if chunk.kind == "DONE":
        return "DONE"
    if chunk.key == "got":
        return "have"  # "I've got nothing against it"
    if chunk.kind == "V" and chunk.verb and any(form == "past" for _, form in chunk.verb):
        return "PP"
    return chunk.code


def _reference(chunks: Sequence[Chunk], index: int, verbs: bool) -> int:
    """The index behind the reference that begins at `index`; `index` itself if there is none."""
    stop = index
    last = index
    while stop < len(chunks):
        chunk = chunks[stop]
        if (
            chunk.kind in _POINTING
            or (chunk.kind == "HEAD" and last > index)
            or (verbs and _is_verbal_reference(chunks, stop, index))
        ):
            stop += 1
            last = stop
        elif (chunk.kind in ("DET", "ADJ") and stop == index) or (
            last > index and chunk.kind in _WITHIN and stop + 1 < len(chunks)
        ):
            stop += 1
        else:
            break
    return last


def _is_verbal_reference(chunks: Sequence[Chunk], index: int, start: int) -> bool:
    """Whether a verb refers to a proposal: "stirring", "R2 to stir", "the stir"."""
    chunk = chunks[index]
    if chunk.kind != "V" or not chunk.verb or chunk.of("STOP") or chunk.of("GO"):
        return False
    if any(form == "ing" for _, form in chunk.verb):
        return True
    before = chunks[index - 1].kind if index > start else ""
    return any(form == "base" for _, form in chunk.verb) and (
        (before == "to" and index - 2 >= start and chunks[index - 2].kind == "A") or before == "DET"
    )
