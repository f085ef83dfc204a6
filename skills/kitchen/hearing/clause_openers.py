"""Split answers and greetings that open a clause from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from treec.skills.kitchen.hearing import lexicon
from treec.skills.kitchen.hearing.chunks import FLOATS, Chunk
from treec.skills.kitchen.hearing.clauses import Clause, saying
from treec.skills.kitchen.hearing.words import word_set

_OPENERS = tuple(kind for kind in lexicon.SAYINGS if kind != "DONE")
_FRAGILE = word_set(
    "do does did let's go start begin get i you it that they he she we is are approve confirm "
    "accept leave make give take no-one not have has what works suits happy have keep be hold "
    "why put proceed just leave pass sounds count ask nothing none neither nothing consider change"
)
_SAID_WITH_NOT = (
    "not yet",
    "not now",
    "not just yet",
    "not right now",
    "absolutely not",
    "of course not",
    "certainly not",
    "definitely not",
    "not today",
    "not at the moment",
    "not really",
    "not at all",
    "not quite yet",
)
_NEVER = (
    "no way", "in no way", "under no circumstances", "never", "never ever", "no chance",
    "on no account", "not in a million years", "over my dead body",
)  # fmt: skip
_MENDING = ("actually", "sorry", "wait", "hang on", "hold on", "rather", "instead", "better")
MODALS = word_set(
    "can could will would shall should may might must is are am was has have had does do did needs "
    "has does"
)
"""Modal and auxiliary verbs that a clause may begin with."""


def split_openers(clause: Clause) -> Iterator[Clause]:
    """The clause, split behind an opening answer or greeting."""
    table = lexicon.sayings()
    chunks = clause.chunks
    joint = clause.joint
    if saying(clause).saying:
        yield clause
        return
    plain = _undo_inversion(chunks)
    if plain:
        yield replace(clause, chunks=plain, asks=False)
        return
    behind = tuple(" ".join(c.key for c in chunks[1:]).split())
    if chunks[0].kind == "A" and table.get(behind) == "WAIT":
        yield replace(clause, chunks=chunks[:1], asks=False)  # "R2 one sec"
        yield replace(clause, chunks=chunks[1:], joint=",")
        return
    if chunks[0].kind in ("A", "ALL") and len(chunks) > 2 and _starts_with_answer(chunks):
        yield replace(clause, chunks=chunks[:1], asks=False)
        chunks, joint = chunks[1:], ","
    if chunks[0].kind in ("A", "ALL") and len(chunks) > 2 and _starts_with_addressee(chunks):
        yield replace(clause, chunks=chunks[:1], asks=False)
        chunks, joint = chunks[1:], ","
    mends = len(chunks) > 2 and chunks[0].kind == "no" and chunks[1].key in _MENDING
    if mends and chunks[2].kind in ("R", "DET", "O", "W") and not verbal(chunks[2:]):
        yield replace(clause, chunks=chunks[:1], asks=False)  # "no actually the fruit salad"
        chunks, joint = chunks[2:], ","
    while chunks:
        size_taken = 0
        for size in range(min(len(chunks) - 1, 6), 0, -1):
            words = tuple(" ".join(c.key for c in chunks[:size]).split())
            kind = table.get(words, "")
            if kind in _OPENERS and _stands_apart(words, kind, chunks[size:]):
                size_taken = size
                break
        if not size_taken:
            break
        head = replace(clause, chunks=chunks[:size_taken], joint=joint, asks=False)
        if table.get(tuple(" ".join(c.key for c in chunks[:size_taken]).split())) not in (
            "UM",
            "PLEASE",
        ) or size_taken == len(chunks):
            yield head
        begs = kind == "PLEASE" and any(form == "base" for _, form in chunks[size_taken].verb)
        if begs and chunks[size_taken].kind == "V":
            clause = replace(clause, asks=False)  # "would you be so kind as to get the salt?"
        is_so = size_taken == 1 and chunks[0].key == "so" and joint in (",", "and")
        joint = "so" if is_so else "" if joint != ":" else joint
        chunks = chunks[size_taken:]
    later = table.get(tuple(" ".join(c.key for c in chunks[1:]).split()))
    if chunks[0].kind == "A" and later in ("PUTOFF", "NO") and chunks != clause.chunks:
        yield replace(clause, chunks=chunks[:1], joint=",", asks=False)  # "wait R2 not yet"
        chunks, joint = chunks[1:], ","
    rest = replace(clause, chunks=chunks, joint=joint)
    tail = chunks[-1] if len(chunks) > 1 else None
    if tail is not None and tail.key in ("yes", "thanks", "ok", "cheers") and verbal(chunks[:-1]):
        # "… slice some tomatoes yeah" asks for consent, "that will do yes" gives it
        orders = tail.key != "thanks" and chunks[0].kind in ("V", "A", "can", "could")
        clause_chunks = (*chunks[:-1], replace(tail, kind="FLOAT")) if orders else chunks[:-1]
        yield replace(rest, chunks=clause_chunks)
        if not orders:
            yield replace(clause, chunks=(tail,), joint="", asks=False)
    else:
        yield rest


def _undo_inversion(chunks: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """ "No way am I chopping" as "I am not chopping"; empty if it is not inverted."""
    for size in (1, 2, 3, 4):
        is_denial = " ".join(c.key for c in chunks[:size]) in _NEVER
        rest = chunks[size:]
        if (
            is_denial
            and len(rest) > 2
            and rest[0].kind in MODALS
            and rest[1].kind in ("I", "WE", "A")
        ):
            not_ = replace(chunks[0], kind="not", key="not", verb=(), classes=frozenset())
            return (rest[1], rest[0], not_, *rest[2:])
    return ()


def _starts_with_addressee(chunks: Sequence[Chunk]) -> bool:
    """ "R2 can you get", "robots I want": a name, then a clause with its own subject."""
    first, second = chunks[1], chunks[2]
    if first.kind in ("I", "WE", "let's"):
        return True
    if first.key == "any" and second.key == "chance":
        return True
    is_subject = second.kind in ("YOU", "I", "IT")
    if first.kind == "YOU" and second.kind == "V" and chunks[0].kind == "A" and len(chunks) > 3:
        bidden = any(form == "base" for _, form in (*second.verb, *second.classes))
        return bidden and not second.of("GO")  # "R2 you chop the celery"
    return (first.kind in ("can", "could", "will", "would") and is_subject) or (
        first.kind == "YOU"
        and (second.kind in MODALS or any(form == "base" for _, form in second.verb))
    )


def _starts_with_answer(chunks: Sequence[Chunk]) -> bool:
    """ "R1 yes please mix": a name, an answer to it, and more."""
    table = lexicon.sayings()
    return any(
        table.get(tuple(" ".join(c.key for c in chunks[1:stop]).split()))
        in ("YES", "OK", "NO", "WAIT")
        and verbal(chunks[stop:])
        and chunks[1].kind not in (*MODALS, "V", "let's")
        for stop in range(2, min(len(chunks), 5))
    )


def _stands_apart(words: tuple[str, ...], kind: str, rest: Sequence[Chunk]) -> bool:
    """Whether an opening is separate from what follows."""
    line = " ".join(words)
    next_chunk = next((c for c in rest if c.kind not in FLOATS), None)
    also = lexicon.sayings().get(tuple(" ".join(c.key for c in rest).split()))
    if kind in ("YES", "OK") and also == "YES":
        return True  # "yep on it"
    if kind in ("UM", "PLEASE", "THANKS"):
        return not (words == ("like",) or (words == ("so",) and next_chunk is None))
    if next_chunk is None or (
        next_chunk.kind in ("HEAD", "ADJ") and words[-1] not in ("yes", "no", "ok")
    ):
        return False
    if next_chunk.kind == "HEAD":
        return False
    if line not in _SAID_WITH_NOT and set(words) & _FRAGILE:
        return False
    if words[-1] == "there" and next_chunk.kind in ("is", "are"):
        return False
    if words == ("sure",) and (
        next_chunk.key in ("looks", "smells", "tastes", "feels", "sounds")
        or next_chunk.kind in ("is", "does", "was", "has")
    ):
        return False  # "sure looks pretty"
    if next_chunk.kind in (
        "to",
        "for",
        "with",
        "on",
        "about",
        "of",
        "as",
        "than",
        "by",
        "at",
        "but",
        "from",
    ):
        return False
    if next_chunk.kind in ("O", "ORD", "R") and len([c for c in rest if c.kind not in FLOATS]) == 1:
        return False
    if words in (("never",), ("never", "ever")):
        return False
    if words == ("no",) and next_chunk.of("WAIT"):
        return True
    if words == ("no",) and next_chunk.key == "the":
        return True  # "no, the soup"
    if words in (
        ("no",),
        ("please", "no"),
        ("please", "not"),
        ("sorry", "no"),
    ) and next_chunk.kind in (
        "O",
        "W",
        "R",
        "ORD",
        "DONE",
        "ADJ",
        "DET",
        "V",
    ):
        return next_chunk.kind == "V" and any(
            f == "base" and c not in ("NEED", "WANT")
            for c, f in (*next_chunk.verb, *next_chunk.classes)
        )
    is_gerund = any(f == "ing" for _, f in next_chunk.verb)
    if kind == "NEVERMIND" and (is_gerund or next_chunk.kind in ("O", "ORD", "DET")):
        return False
    if kind in ("GOOD",) and next_chunk.kind in ("W", "V", "O", "R", "HEAD", "ADJ"):
        return False
    if kind == "OK" and next_chunk.kind in ("W", "HEAD"):
        return words == ("ok",)
    return not (kind in ("WAIT", "PUTOFF") and next_chunk.kind in ("until", "till", "before"))


def verbal(chunks: Sequence[Chunk]) -> bool:
    """Whether chunks contain a verb."""
    return any(c.kind in ("V", "do", "DONE") for c in chunks)
