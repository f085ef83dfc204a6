"""The parts of a report: what tells that something is finished, where it is said to be."""

from __future__ import annotations

from skills.kitchen.hearing.chunks import Chunk
from skills.kitchen.hearing.clauses import Clause
from skills.kitchen.hearing.words import word_set

COMING = word_set("appeared surfaced arrived landed delivered came come fetched present")
"""Ways to say that a thing is there."""
HAVING = word_set("have has got had")
"""Ways to say that somebody holds a thing."""


def lately(clause: Clause) -> bool:
    """ "My daughter has already washed it", "it was washed by my wife": of here and now."""
    kinds = [c.kind for c in clause.core]
    if not clause.has("O") or clause.asks:
        return False
    if kinds[-2:] == ["by", "OTHERS"]:
        return kinds[0] == "O"
    just = {"already", "just", "has", "have"} & set(clause.words.split())
    return bool(just) and kinds[0] == "OTHERS" and any(is_past(c) for c in clause.core)


def turned_up(clause: Clause) -> bool:
    """ "The sauce has turned up": it is there at last."""
    return any(f" {way} " in f" {clause.words} " for way in ("turned up", "shown up", "showed up"))


def where_back(clause: Clause) -> bool:
    """ "R2 is back with the sauce": who comes back with a thing has fetched it."""
    keys = [c.key for c in clause.chunks]
    if not clause.has("A") or "with" not in keys:
        return False
    return bool({"back", "returned", "here"} & set(keys[: keys.index("with")]))


def is_past(chunk: Chunk) -> bool:
    """Whether a verb may be in the past."""
    return chunk.kind == "V" and any(form == "past" for _, form in chunk.verb)


def is_base(chunk: Chunk) -> bool:
    """Whether a verb may be in its base form."""
    return any(form == "base" for _, form in chunk.verb)


def after_subject(core: tuple[Chunk, ...], index: int) -> bool:
    """ "I put it in" reports, "let me put it in" does not."""
    if any(c.key in ("let", "make", "to", "ought", "please", "us") for c in core[:index]):
        return False
    if any(c.kind in ("is", "are", "has", "have", "was", "were", "been") for c in core[:index]):
        return True
    return index > 0 and core[index - 1].kind in (
        "I", "WE", "A", "THEY", "have", "has", "had", "is", "are", "was", "been", "O", "were",
    )  # fmt: skip


def says_doing(chunk: Chunk) -> bool:
    """Whether a verb says what was done, and not only that something was."""
    return (
        chunk.kind in ("V", "ADJ")
        and bool(chunk.verb)
        and chunk.key not in ("got", "have", "has", "had")
    )


def may_tell(chunk: Chunk) -> bool:
    """Whether a verb may stand in a report: in the past, or as what is finished ("chopping")."""
    if (
        chunk.key in HAVING
        or chunk.key in ("gave", "given")
        or chunk.of("FINISH")
        or chunk.of("DO", "past")
    ):
        return True
    return any(form in ("past", "ing") for _, form in chunk.verb)


def place_of(clause: Clause) -> str:
    """Where a thing is said to be: "in" something, "here", or "back"."""
    keys = [c.key for c in clause.chunks]
    if "back" in keys or "away" in keys:
        return "back"
    for index, chunk in enumerate(clause.chunks):
        behind = clause.chunks[index + 1] if index + 1 < len(clause.chunks) else None
        last = behind is None or behind.kind == "FLOAT"
        if index and chunk.key == "out" and last:
            return "here"
        if index and chunk.key == "in" and {"hand", "hands"} & set(keys[index:]):
            return "here"
        if index and chunk.key in ("in", "into", "inside"):
            return (
                "in"
                if behind is None
                or behind.kind in ("O", "IT", "there", "ALSO", "FLOAT", "W", "R", "PLEASE")
                else ""
            )
        if chunk.key in ("here", "over here", "right here"):
            return "here"
        if chunk.key in ("on", "at") and index and behind is not None and behind.kind == "O":
            return "here"
    return "here" if set(keys) & COMING or turned_up(clause) else ""
