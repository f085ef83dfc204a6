"""Parts of a report: predicates of completion, and places."""

from __future__ import annotations

import re
from dataclasses import replace

from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.words import word_set

COMING = word_set("appeared surfaced arrived landed delivered received came come fetched present")
"""Predicates of a thing that is there."""
_AT_HAND = re.compile(
    r" (?:(?:right |down |straight )?(?:in front of|next to|beside|near|close to|before) "
    r"(?:me|us)|(?:next to|beside) (?:bowl|pot|hob|stove|oven|sink|salt|"
    r"others|rest)|(?:by|at|beside|next to) (?:my|our) (?!side)\w+|under my nose|"
    r"within (?:easy )?reach|to hand|"
    r"into my (?:hand|hands|arms)|on my (?:board|side|table|worktop|left|right)) "
)
_SURFACES = word_set("counter worktop board bench countertop island chopping-board side")
_WHITHER = word_set("to into in onto here back over home inside")
CUT_UP = word_set("pieces slices cubes bits rings strips chunks rounds coins shreds ribbons")
HAVING = word_set("have has got had")
"""Verbs of holding a thing."""


def normalize_others_work(clause: Clause) -> bool:
    """ "My daughter has already washed it", "it was washed by my wife": work done just now."""
    kinds = [c.kind for c in clause.core]
    if not clause.has("O") or clause.asks:
        return False
    if kinds[-2:] == ["by", "OTHERS"]:
        return kinds[0] == "O"
    just = {"already", "just", "has", "have", "round", "through", "over"} & set(
        clause.words.split()
    ) or any(c.key in ("for me", "for us") for c in clause.chunks)
    return bool(just) and kinds[0] == "OTHERS" and any(is_past(c) for c in clause.core)


def has_turned_up(clause: Clause) -> bool:
    """ "The sauce has turned up": it is there at last."""
    return any(f" {way} " in f" {clause.words} " for way in ("turned up", "shown up", "showed up"))


def normalize_did(clause: Clause) -> Clause:
    """ "R2 did bring the sauce" as "R2 brought the sauce"."""
    core = clause.core
    is_did = len(core) > 3 and core[1].kind == "did" and core[0].kind in ("A", "I", "WE", "OTHERS")
    if not is_did or clause.asks or not is_base(core[2]):
        return clause
    past = replace(core[2], verb=tuple((way, "past") for way, _ in core[2].verb))
    remaining = [c for c in clause.chunks if c is not core[1]]
    return clause.but([past if c is core[2] else c for c in remaining])


def normalize_arrival(clause: Clause) -> Clause:
    """ "The stock made it to the table" as "the stock arrived to the table"."""
    chunks = list(clause.chunks)
    for index, chunk in enumerate(chunks[:-2]):
        behind = chunks[index + 1 : index + 3]
        if chunk.key == "made" and behind[0].key == "it" and behind[1].key in _WHITHER:
            came = replace(chunk, kind="W", key="arrived", verb=(), classes=frozenset())
            return clause.but([*chunks[:index], came, *chunks[index + 2 :]])
    return clause


def normalize_presentation(clause: Clause) -> Clause:
    """ "That's the pasta drained for you" as "the pasta is drained"."""
    core = clause.core
    is_presented = (
        [c.kind for c in core[:3]] == ["IT", "is", "O"] and len(core) > 3 and is_past(core[3])
    )
    if not is_presented or clause.asks:
        return clause
    cut = next((i for i, c in enumerate(core) if c.kind == "for" and i > 3), len(core))
    return clause.but([core[2], core[1], *core[3:cut]])


def tells_of_robot(clause: Clause) -> bool:
    """ "The arm stirred the pan": a past tense that cannot be an imperative."""
    core = clause.core
    is_past_tense = (
        len(core) > 2 and core[0].kind == "A" and is_past(core[1]) and not is_base(core[1])
    )
    return is_past_tense and not clause.asks


def where_back(clause: Clause) -> bool:
    """ "R2 is back with the sauce": has fetched it."""
    keys = [c.key for c in clause.chunks]
    if not clause.has("A") or "with" not in keys:
        return False
    return bool({"back", "returned", "here"} & set(keys[: keys.index("with")]))


def is_past(chunk: Chunk) -> bool:
    """Whether a verb may be in the past tense."""
    return chunk.kind == "V" and any(form == "past" for _, form in chunk.verb)


def is_base(chunk: Chunk) -> bool:
    """Whether a verb may be in its base form."""
    return any(form == "base" for _, form in chunk.verb)


def after_subject(core: tuple[Chunk, ...], index: int) -> bool:
    """ "I put it in" is a report, "let me put it in" is not."""
    if any(c.key in ("let", "make", "to", "ought", "please", "us") for c in core[:index]):
        return False
    if any(c.kind in ("is", "are", "has", "have", "was", "were", "been") for c in core[:index]):
        return True
    return index > 0 and core[index - 1].kind in (
        "I", "WE", "A", "THEY", "have", "has", "had", "is", "are", "was", "been", "O", "were",
    )  # fmt: skip


def names_action(chunk: Chunk) -> bool:
    """Whether a verb names the action that was done, not only that something was."""
    return (
        chunk.kind in ("V", "ADJ")
        and bool(chunk.verb)
        and chunk.key not in ("got", "have", "has", "had")
    )


def may_stand_in_report(chunk: Chunk) -> bool:
    """Whether a verb may be part of a report: in the past, or as a gerund ("chopping")."""
    if (
        chunk.key in HAVING
        or chunk.key in ("gave", "given")
        or chunk.of("FINISH")
        or chunk.of("DO", "past")
    ):
        return True
    return any(form in ("past", "ing") for _, form in chunk.verb)


def at_hand(clause: Clause) -> bool:
    """ "Right in front of me", "by my elbow": within the speaker's reach."""
    return _AT_HAND.search(f" {clause.words} ") is not None


def place_of(clause: Clause) -> str:
    """The place of a thing: "in" something, "here", or "back"."""
    keys = [c.key for c in clause.chunks]
    if "back" in keys or "away" in keys:
        return "back"
    if at_hand(clause):
        return "here"
    for index, chunk in enumerate(clause.chunks):
        behind = clause.chunks[index + 1] if index + 1 < len(clause.chunks) else None
        last = behind is None or behind.kind == "FLOAT"
        source = behind is not None and behind.kind in ("of", "from")
        if index and chunk.key == "out" and (last or source):
            return "here"
        if index and chunk.key == "in" and {"hand", "hands"} & set(keys[index:]):
            return "here"
        is_stored = behind is not None and {"pantry", "shelf"} & behind.names
        if index and chunk.key in ("in", "on", "at") and is_stored:
            return ""  # "the stock is still in the pantry"
        if chunk.key == "in" and behind is not None and behind.key in CUT_UP:
            return "cut up"
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
        if chunk.key in ("on", "at", "by") and index and _SURFACES & set(keys[index:]):
            return "here"
    return "here" if set(keys) & COMING or has_turned_up(clause) else ""
