"""Self-repairs: "bring the pep— no, the ladle", "the salt, I mean the cream"."""

from __future__ import annotations

from collections.abc import Sequence

from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.words import word_set

_BREAKS = word_set(", — - . : ;")
_SMALL = word_set("er uh um oh erm actually rather make that hang on hold scratch")
_STRONG = word_set("no sorry wait oops correction")
_NOUNS = ("O", "W")
_BEHIND = ("BRK", "FLOAT", "PLEASE", "A", "in", "into", "to", "from", "away")


def resolve_repairs(chunks: list[Chunk]) -> list[Chunk]:
    """The chunks without the reparandum and the editing term."""
    for index, chunk in enumerate(chunks):
        if chunk.kind == "R" and (other := _other_dish(chunks, index)) is not None:
            return resolve_repairs(other)
        if chunk.kind not in _NOUNS or (chunk.kind == "W" and chunks[index - 1].kind != "DET"):
            continue
        behind = chunks[index + 1].kind if index + 1 < len(chunks) else "BRK"
        start = _start(chunks, index)
        stop = _repair_start(chunks, start)
        if behind not in _BEHIND or stop == start or stop < 1:
            continue
        if chunks[start - 1].kind == "no" and start == index:
            continue  # "bring the salt, no pepper"
        wrong = chunks[stop - 1]
        begins = _start(chunks, stop - 1)
        cut_off = wrong.kind == "W" and chunks[stop].kind == "BRK" and chunks[stop].key in "—.-"
        if wrong.kind != "O" and not cut_off:
            continue
        if _has_verb(chunks[:begins]):
            return resolve_repairs([*chunks[:begins], *chunks[start:]])
    return chunks


def _other_dish(chunks: list[Chunk], index: int) -> list[Chunk] | None:
    """ "The sundae no actually the fruit salad": removes the first dish."""
    start = _start(chunks, index)
    stop = _repair_start(chunks, start)
    if stop == start or stop < 1 or chunks[stop - 1].kind != "R" or chunks[stop].kind == "BRK":
        return None
    return [*chunks[: _start(chunks, stop - 1)], *chunks[start:]]


def _start(chunks: Sequence[Chunk], index: int) -> int:
    """The index at which the noun phrase that ends at `index` begins."""
    while index and chunks[index - 1].kind in ("DET", "ADJ"):
        index -= 1
    return index


def _repair_start(chunks: Sequence[Chunk], index: int) -> int:
    """The index at which the editing term that ends at `index` begins; `index` if there is none."""
    stop = index
    strong = False
    while stop:
        chunk = chunks[stop - 1]
        is_correction = chunk.key == "i mean"
        words = set(chunk.key.split())
        between = chunk.kind == "BRK" and chunk.key in _BREAKS
        if not (is_correction or between or words <= _SMALL | _STRONG):
            break
        strong |= is_correction or bool(words & _STRONG)
        stop -= 1
    return stop if strong else index


def _has_verb(before: Sequence[Chunk]) -> bool:
    """Whether a verb of the same sentence precedes."""
    for chunk in reversed(before):
        if chunk.kind == "BRK" and chunk.key in (".", "!", "?"):
            return False
        if chunk.kind == "V" and any(form == "base" for _, form in chunk.verb):
            return True
    return False
