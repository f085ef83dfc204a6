"""Words that join clauses but are not always conjunctions: "also", "as" for "because"."""

from __future__ import annotations

from collections.abc import Sequence

from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clause_openers import MODALS, verbal
from treec.skills.kitchen.hearing.words import word_set

SUBJECTS = ("A", "I", "WE", "YOU", "SOMEONE", "THEY", "OTHERONE")
"""Kinds that may be the subject of a clause."""
_COMPARED = word_set("as so such same long soon much well far many just like good fast quick")
_DOES = ("could_do_with", "needs", "goes", "can", "should", "will", "would")


def gives_reason(chunks: Sequence[Chunk], index: int) -> bool:
    """ "As I'm too tired": a reason, not a comparison."""
    before = chunks[index - 1].key.split()[-1] if index else ""
    if before in _COMPARED or len(chunks) < index + 3:
        return False
    subject, verb = chunks[index + 1 : index + 3]
    return subject.kind in (*SUBJECTS, "IT", "OTHERS", "there", "DET") and (
        verb.kind in MODALS or verb.key in ("am", "do", "will", "not")
    )


def whole(before: Sequence[Chunk]) -> bool:
    """Whether the words so far are complete, so that "also" can add to them."""
    last, has_verb = before[-1] if before else None, verbal(before)
    if last is None or last.kind in (
        *MODALS,
        "I",
        "WE",
        "YOU",
        "THEY",
        "SOMEONE",
        "not",
        "be",
        "so",
    ):
        return False
    if last.kind == "A":
        return has_verb or before[0].of("STOP") or before[0].of("GO")
    return has_verb or len(before) > 2 or (len(before) == 2 and last.kind in ("O", "PLEASE", "V"))


def tells(behind: Sequence[Chunk]) -> bool:
    """ "… also the pepper is in": a statement of its own."""
    if len(behind) < 2:
        return False
    first, second = behind[:2]
    copulas = ("is", "are", "DONE", "has", "'s", "in")
    answers = first.kind in ("no", "not", "PLEASE", "UM") or first.key in (
        "yes",
        "ok",
        "tell",
        "never",
    )
    return answers or (first.kind == "O" and (second.kind in copulas or second.code in _DOES))


def alike(before: Sequence[Chunk], behind: Chunk | None, chunks: Sequence[Chunk]) -> bool:
    """Whether "and" joins two predicates of the same thing."""
    like = ("ADJ", "W")
    if behind is None or behind.kind not in like or len(before) < 3 or before[-1].kind not in like:
        return False
    at = next(i for i, c in enumerate(chunks) if c is behind)
    thing = before[0].kind == "O" and any(c.kind in ("is", "are", "'s") for c in before[1:3])
    return thing and all(c.kind in ("FLOAT", "DONE") for c in chunks[at + 1 :])
