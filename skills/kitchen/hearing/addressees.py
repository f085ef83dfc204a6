"""Addressees of a clause, its urgency, and the time it refers to."""

from __future__ import annotations

from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.reader_state import commands
from treec.skills.kitchen.hearing.utensils import UTENSILS
from treec.skills.kitchen.hearing.words import word_set

_URGENT = word_set("quick quickly fast now please hurry pronto immediately")


def before_us(clause: Clause, behind: Clause) -> bool:
    """ "It was done before you asked": whether `behind` dates a past event."""
    people = behind.core[:1] != () and behind.core[0].kind in ("I", "WE", "YOU", "THEY")
    is_past = any(c.key.endswith("ed") or c.key in ("came", "said", "got") for c in behind.core)
    return people and is_past and clause.sentence == behind.sentence


def addresses_hailed(clause: Clause) -> bool:
    """Whether a clause is addressed to the agent named in the sentence before: "R2. Tongs."."""
    is_bare_name = all(c.kind in ("O", "W", "DET", "ADJ") for c in clause.core)
    thing = is_bare_name and any(c.kind == "O" or c.key in UTENSILS for c in clause.core[-1:])
    return clause.core[0].kind == "YOU" or thing or bids(clause) or commands(clause)


def bids(clause: Clause) -> bool:
    """Whether a clause begins with a verb, as an imperative does."""
    head = clause.core[0]
    forms = [form for _, form in (*head.verb, *head.classes)]
    return head.kind == "V" and "base" in forms and len(clause.core) > 1


def urges(clause: Clause, behind: Clause) -> bool:
    """ "A towel, somebody", "a plate, quick": a noun phrase, then an urgent call."""
    is_bare_name = all(c.kind in ("O", "W", "DET", "ADJ", "and") for c in clause.core)
    urgency = ("SOMEONE", "PLEASE", "ADJ", "FLOAT", "UM")
    return (
        is_bare_name
        and clause.core[-1:] != ()
        and clause.core[-1].kind in ("O", "W")
        and not clause.saying
        and all(c.kind in urgency or c.key == "fast" for c in behind.chunks)
        and any(c.kind == "SOMEONE" or c.key in _URGENT for c in behind.chunks)
    )


def to_anyone(clause: Clause, behind: Clause) -> bool:
    """Whether an imperative is followed by a call that names no one in particular."""
    alone = [c.kind for c in behind.core] == ["SOMEONE"] and behind.sentence == clause.sentence
    return alone and behind.joint == "," and bool(clause.core) and bids(clause)


def names_thing(chunk: Chunk) -> bool:
    """Whether a chunk names a thing of the scene or a common kitchen thing."""
    return chunk.kind == "O" or chunk.key in UTENSILS
