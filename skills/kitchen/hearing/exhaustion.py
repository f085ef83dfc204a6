"""Work that is done because its material is used up: "that was the last onion"."""

from __future__ import annotations

import re

from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.references import Refs
from treec.skills.kitchen.hearing.words import word_set

_LEFT = re.compile(
    r"(?:there (?:is|are) |(?:i|we) (?:have |have got |am |are )?|have )*"
    r"(?:nothing|none|no more|not (?:a|an|one)(?: single)?|no|run out of|out of)\b.*"
)
_STILL = re.compile(
    r"(?:(?:there (?:is|are)|i have(?: got)?|we have(?: got)?) )?still (?!need|want)\b.* to \w+|"
    r"(?:only|just) (?:a |one |two |three )?.* to (?:go|\w+ still)"
)
_LAST = re.compile(
    r"(?:that|this|it|those|these|here) (?:is|was|were|are|has been) (?:it for )?(?:the|my|our)?"
)
_PIECES = word_set(
    "leaf leaves piece pieces bit bits batch one ones slice bunch done chopped washed sliced cut "
    "peeled rinsed finished sorted"
)


def used_up(clause: Clause, refs: Refs) -> str | None:
    """The speaker's subtask whose material, according to the clause, is used up."""
    now = refs.at(refs.user)
    meaning = refs.meanings[now.id] if now is not None else None
    if now is None or meaning is None or clause.asks or clause.has("NEARLY") or clause.has("TALE"):
        return None
    if any(c.key.endswith((" time", " thing")) for c in clause.core):
        return None  # "the last thing I need"
    if any(c.kind in ("if", "until", "when", "A", "will", "YOU", "PLEASE") for c in clause.chunks):
        return None
    about = {value for _, value in meaning.args}
    things = [c for c in clause.core if c.kind == "O"]
    if any(not set(names) & about for c in things for names in c.things):
        return None
    if not (_nothing_left(clause, refs, meaning.task, bool(things)) or _the_last(clause)):
        return None
    return now.id


def still_to_do(clause: Clause) -> bool:
    """ "Still a few onions to chop": a statement about remaining work, not a request."""
    is_statement = _STILL.fullmatch(clause.words) is not None and not clause.asks
    return is_statement and not any(
        c.kind in ("PLEASE", "SOMEONE", "YOU", "A") for c in clause.chunks
    )


def _nothing_left(clause: Clause, refs: Refs, task: str, things: bool) -> bool:
    """ "There's nothing left to chop", "no onions left"."""
    if _LEFT.fullmatch(clause.words) is None:
        return False
    core = clause.core
    cut = next((i for i, c in enumerate(core) if c.kind == "to"), None)
    is_left = any(c.key in ("left", "more", "no more") for c in core[:cut])
    if cut is None:
        return is_left and things and core[-1].key == "left"
    if cut + 2 != len(core) or not (is_left or things):
        return False
    tasks = refs.kitchen.tasks_of(core[-1])
    return task in tasks or core[-1].key in ("do", "cut")


def _the_last(clause: Clause) -> bool:
    """ "That was the last onion", "that's the last of them", "that's the lot"."""
    core = clause.core
    if len(core) < 3 or _LAST.match(clause.words) is None or core[0].kind != "IT":
        return False
    tail = [c for c in core[2:] if c.kind not in ("DET", "of")]
    last = any(_is_last(c) for c in tail)
    plain = all(c.kind in ("ORD", "O", "IT", "DONE") or c.key in _PIECES for c in tail)
    return last and len(tail) < 4 and plain


def _is_last(chunk: Chunk) -> bool:
    words = chunk.key.split()
    return chunk.ref == "last" or "last" in words or words[-1:] == ["lot"]
