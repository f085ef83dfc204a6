"""Replace nominalizations and evaluative idioms by plain words.

"The onion chopping" is chopping the onions, "what R2 is planning" is R2's, "up my street" is fine
and "out of the question" is bad, in any position, so that the patterns need not handle each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.words import word_set

_BEFORE_NOUN = ("DET", "ADJ", "no", "not", "BRK", "and", "but", "to", "with", "for", "on", "about",
                "of", "as", "UM", "is", "PLEASE", "FLOAT", "ONLY", "without", "or", "at",
                "HEDGE")  # fmt: skip
_BEHIND_NOUN = ("is", "are", "can", "may", "should", "has", "needs", "will", "must", "for", "to",
                "on", "BRK", "FLOAT", "PLEASE", "and", "but", "would", "could", "'s", "YES", "not",
                "FINE", "POOR", "DONE", "or", "please", "at")  # fmt: skip
_PLANNING = word_set(
    "planning plan plans planned suggesting suggested suggests suggest proposing proposed proposes "
    "propose doing do does up to has have had in mind wants want going about intends intend "
    "offering offers offered offer would will like said says thinking of working on at told meant "
    "is are was 's just supposed volunteering volunteered over there due next after got lined"
)
_OWN = word_set("supposed meant asked told to do down for should am have be i was is get given got")
_DOING = word_set("do manage handle cope enjoy love like live support help allow agree offer")


def replace_nominals(chunks: Sequence[Chunk]) -> list[Chunk]:
    """The chunks with compounds, free relative clauses and idioms replaced."""
    return _replace_compounds(
        _replace_plans(_replace_ability(_replace_evaluations([_adverb(chunk) for chunk in chunks])))
    )


_NO_ADVERBS = word_set(
    "family jelly belly lovely friendly silly jolly likely unlikely lonely ugly early daily weekly "
    "hardly barely scarcely nearly chilly smelly wobbly july reply apply supply italy homely "
    "orderly "
    "elderly bully lily ally rally hilly woolly doily anomaly assembly crumbly prickly absolutely "
    "definitely certainly totally exactly precisely naturally gladly really only fully mostly "
    "partly "
    "practically virtually costly deadly hourly only timely worldly curly cuddly bubbly drizzly "
    "surely clearly obviously apparently honestly frankly possibly probably simply unfortunately"
)


def _adverb(chunk: Chunk) -> Chunk:
    """ "Happily", "swiftly", "cheerfully": an adverb of manner."""
    if chunk.kind != "W" or not chunk.key.endswith("ly") or len(chunk.key) < 6:
        return chunk
    return chunk if chunk.key in _NO_ADVERBS else replace(chunk, kind="FLOAT")


def _replace_evaluations(chunks: Sequence[Chunk]) -> list[Chunk]:
    """ "Right up my street" as "fine", "a non-starter" as "bad", behind their subject."""
    result: list[Chunk] = []
    for chunk in chunks:
        if chunk.key == "all" and [c.kind for c in result[-2:]] == ["W", "at"]:
            at = result.pop()  # "no problem at all"
            chunk = Chunk("FLOAT", "at all", at.start, chunk.end, spoken=("at", "all"))
        if chunk.kind in ("FINE", "POOR"):
            while result and result[-1].kind in ("DET", "ADJ"):
                result.pop()
            key = "fine" if chunk.kind == "FINE" else "bad"
            chunk = replace(chunk, kind="W", key=key, spoken=(key,))
        result.append(chunk)
    return result


def _replace_ability(chunks: Sequence[Chunk]) -> list[Chunk]:
    """ "… is something I can do" as "is fine", "is one thing I can't manage" as "is not fine"."""
    result: list[Chunk] = []
    index = 0
    while index < len(chunks):
        chunk = chunks[index]
        noun = chunk.key in (
            "something",
            "a thing",
            "one thing",
            "what",
            "the one thing",
            "nothing",
        )
        noun |= chunk.kind in ("HEAD", "IT", "ORD") and chunk.key.split()[-1] in ("thing", "things")
        last = next((c.kind for c in reversed(result) if c.kind not in ("DET", "FLOAT", "not")), "")
        if noun and last in ("is", "'s", "are"):
            stop = index + 1
            if stop < len(chunks) and chunks[stop].key == "that":
                stop += 1
            tail = chunks[stop : stop + 5]
            end = next((i for i, c in enumerate(tail) if c.key.split()[-1] in _DOING and i), 0)
            own = end and tail[0].kind in ("I", "WE")
            if own and all(c.kind in ("can", "could", "would", "will", "not", "be", "FLOAT", "W")
                           for c in tail[1:end]):  # fmt: skip
                negations = [c for c in tail[:end] if c.kind == "not"]
                while result and result[-1].kind == "DET":
                    result.pop()
                result += negations[:1]
                end_at = tail[end].end
                result.append(Chunk("W", "fine", chunk.start, end_at, spoken=("fine",)))
                index = stop + end + 1
                while index < len(chunks) and chunks[index].kind in ("with", "to"):
                    index += 1
                continue
        result.append(chunk)
        index += 1
    return result


def _replace_plans(chunks: Sequence[Chunk]) -> list[Chunk]:
    """ "What R2 is planning" as R2, "what I'm supposed to do" as "mine"."""
    result: list[Chunk] = []
    index = 0
    while index < len(chunks):
        chunk = chunks[index]
        who = chunks[index + 1] if index + 2 < len(chunks) else None
        relative = chunk.kind == "what" and result and result[-1].kind != "BRK"
        relative = relative or (chunk.kind == "what" and not result)
        if relative and who is not None and who.kind in ("A", "ALL", "I"):
            words = _OWN if who.kind == "I" else _PLANNING
            stop = index + 2
            while stop < len(chunks) and set(chunks[stop].key.split()) <= words:
                stop += 1
            is_end = stop < len(chunks) and chunks[stop].kind in (
                "BRK",
                "is",
                "are",
                "'s",
                "and",
                "but",
                "can",
                "sounds",
                "W",
                "suits",
                "FLOAT",
            )
            is_question = not result and any(c.key == "?" for c in chunks[stop:])
            if stop > index + 2 and (is_end or stop == len(chunks)) and not is_question:
                whose = {"I": "mine", "ALL": "yours"}.get(who.kind, "")
                reference = replace(who, kind="ORD", ref=whose, key=whose) if whose else who
                result.append(replace(reference, start=chunk.start, end=chunks[stop - 1].end))
                index = stop
                continue
        result.append(chunk)
        index += 1
    return result


def _replace_compounds(chunks: Sequence[Chunk]) -> list[Chunk]:
    """ "The onion chopping" as "the chopping onions", so that the object follows its verb."""
    result = list(chunks)
    for index, chunk in enumerate(chunks[:-1]):
        verb = chunks[index + 1]
        if chunk.kind != "O" or verb.kind != "V" or not verb.verb:
            continue
        if any(form != "ing" for _, form in verb.verb) or " " in verb.key:
            continue
        before = chunks[index - 1].kind if index else "BRK"
        behind = chunks[index + 2].kind if index + 2 < len(chunks) else "BRK"
        if before in _BEFORE_NOUN and behind in _BEHIND_NOUN and before != "is":
            result[index], result[index + 1] = verb, chunk
    return result
