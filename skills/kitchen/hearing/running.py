"""Where a new clause begins although nothing joins it: reasons, and orders behind what is over."""

from __future__ import annotations

from collections.abc import Sequence

from skills.kitchen.hearing.chunks import Chunk
from skills.kitchen.hearing.words import word_set

_FINITE = word_set("is are was were has 's")
_OPENINGS = ("A", "ALL", "UM", "YOU", "can", "could", "would", "will", "PLEASE", "FLOAT")
_HANGING = word_set("if when that think sure whether because what who where how which why")


def _ordered(before: Sequence[Chunk]) -> bool:
    """Whether an order opens what was said."""
    head = next((c for c in before if c.kind not in _OPENINGS), None)
    if head is None or head.kind != "V" or any(c.kind in _HANGING for c in before):
        return False
    return any(form == "base" for _, form in head.verb)


def reasons(chunk: Chunk, before: Sequence[Chunk], behind: Sequence[Chunk]) -> bool:
    """ "Give me the ladle my hands are wet": why, behind an order and its object."""
    last = before[-1]
    if last.kind not in ("O", "PLEASE", "FLOAT", "W") or not _ordered(before) or not behind:
        return False
    if not any(c.kind in ("O", "IT", "W", "PLEASE") for c in before[1:]):
        return False
    own = chunk.kind == "DET" and chunk.key in ("my", "our", "the", "your")
    named = chunk.kind in ("OTHERS", "R", "O") or (chunk.kind == "IT" and chunk.key == "it")
    if last.kind == "W" and not own:
        return False
    if not (own or named or chunk.kind in ("there", "THEY")):
        return False
    reach = behind[1:3] if own else behind[:1]
    return any(c.kind in _FINITE for c in reach) and not any(
        c.kind in ("and", "or", "where", "BRK") for c in behind[:2]
    )


def bids_anew(chunk: Chunk, before: Sequence[Chunk], behind: Chunk | None) -> bool:
    """ "Onions are done forget the salt", "forget the ranch bring yoghurt": an order anew."""
    last = before[-1]
    forms = [form for _, form in chunk.verb]
    forms += [form for name, form in chunk.classes if name == "DROP"]
    if chunk.kind != "V" or "base" not in forms or "ing" in forms or behind is None:
        return False
    if behind.kind not in ("O", "I", "DET", "IT", "A") or last.kind not in ("O", "DONE", "IT"):
        return False
    head = next((c for c in before if c.kind not in _OPENINGS), None)
    dropped = head is not None and head.of("DROP", "base") and last.kind in ("O", "IT")
    over = last.kind == "DONE" and any(c.kind in ("is", "are") for c in before)
    return bool(dropped or over) and not any(c.kind in _HANGING for c in before)
