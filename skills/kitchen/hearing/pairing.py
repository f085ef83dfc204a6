"""Answers dealt out in a row: "1st ok 2nd no", "pepper and sauce yes, lettuce no".

A sentence of nothing but names and answers pairs each name with the answer beside it. Which side
that is shows in the first pair, or within the commas.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from treec.skills.kitchen.hearing.acts import Act, act
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.lexicon import sayings
from treec.skills.kitchen.hearing.refs import Refs

_YES = ("YES", "OK", "GOOD")
_ANSWERS = (*_YES, "NO", "PUTOFF", "WAIT")
_LONGEST = 4
_SMALL = ("DET", "ADJ", "PLEASE", "FLOAT", "UM", "ONLY", "HEAD", "to", "for", "with", "on", "is",
          "are", "'s", "of")  # fmt: skip
_NUMBERS = {
    **dict.fromkeys(("1", "one", "first"), "first"),
    **dict.fromkeys(("2", "two"), "second"),
    **dict.fromkeys(("3", "three"), "third"),
}
_POINTING = ("O", "ORD", "A", "OTHERONE")


@dataclass(frozen=True, slots=True)
class _Token:
    """A name ("ref"), an answer (accept or decline), or a break between them ("")."""

    kind: str
    chunks: tuple[Chunk, ...]


_Pair = tuple[_Token, list[_Token]]
"""An answer with the names that it is to."""


def paired(parts: Sequence[Clause], refs: Refs) -> tuple[list[Act], int]:
    """The answers that a sentence begins with, and how many of its clauses they take up."""
    if len(refs.context.proposals) < 2:
        return [], 0
    sentence = parts[0].sentence
    own = [p for p in parts if p.sentence == sentence]
    for count in range(len(own), 0, -1):
        if own[count - 1].asks or (count < len(own) and own[count].joint not in (",", "but", ":")):
            continue
        pairs = _pairs(_tokens(own[:count], refs))
        counted = any(t.chunks[0].key in _NUMBERS for _, named in pairs for t in named)
        begun = {token.kind for token, _ in pairs} == {"accept"} and any(
            c.key in ("now", "right now") for p in own[:count] for c in p.chunks
        )
        if begun:
            continue
        if (len(pairs) > 1 or (pairs and counted)) and (made := _answers(pairs, own[0], refs)):
            return made, count
    return [], 0


def _tokens(parts: Sequence[Clause], refs: Refs) -> list[_Token]:
    """The tokens of clauses; none at all if something else is said."""
    found: list[_Token] = []
    table = sayings()
    for number, part in enumerate(parts):
        if number:
            found.append(_Token("", ()))
        index = 0
        while index < len(part.chunks):
            token = None
            for size in range(min(_LONGEST, len(part.chunks) - index), 0, -1):
                chunks = part.chunks[index : index + size]
                kind = table.get(tuple(" ".join(c.key for c in chunks).split()), "")
                doing = chunks[0].kind in ("do", "let")  # "R1 do it", "let it simmer"
                named = doing or any(c.kind in _POINTING for c in chunks)
                if kind in _ANSWERS and not named:
                    token = _Token("accept" if kind in _YES else "decline", chunks)
                    break
            token = token or _token(part.chunks[index], refs)
            if token is None:
                return []
            if token.chunks or token.kind != "small":
                found.append(token)
            index += max(1, len(token.chunks))
    return found


def _token(chunk: Chunk, refs: Refs) -> _Token | None:
    if chunk.kind == "not":
        return _Token("decline", (chunk,))
    if chunk.key in ("now", "right now") and chunk.kind == "FLOAT":
        return _Token("now", (chunk,))
    if chunk.kind in ("and", "but", "or"):
        return _Token("", (chunk,))
    if chunk.key in _NUMBERS and chunk.kind in ("W", "DET", "FIRST", "HEAD"):
        return _Token("ref", (replace(chunk, kind="ORD", ref=_NUMBERS[chunk.key]),))
    if chunk.kind in _POINTING or (chunk.kind == "I" and chunk.key == "me"):
        return _Token("ref", (chunk,))
    if chunk.verb and any(form in ("base", "ing") for _, form in chunk.verb):
        proposed = {m.task for m in refs.proposed.values() if m is not None}
        return _Token("ref", (chunk,)) if refs.kitchen.tasks_of(chunk) & proposed else None
    small = chunk.kind in _SMALL or chunk.key in ("it", "that")
    return _Token("small", ()) if small else None


def _pairs(tokens: Sequence[_Token]) -> list[_Pair]:
    """Each answer with the names that it is to; none if they do not pair off."""
    segments: list[list[_Token]] = [[]]
    for token in tokens:
        if token.kind:
            segments[-1].append(token)
        elif segments[-1]:
            segments.append([])
    segments = [begun for s in segments if s and (begun := _begun(s))]
    joined: list[list[_Token]] = []
    for segment in segments:  # "R1 and R2 yes": names without an answer go with what follows
        bare = joined and all(t.kind == "ref" for t in joined[-1])
        answered = segments[0][0].kind != "ref" and len(segments[0]) > 1
        if answered and joined and all(t.kind == "ref" for t in segment):
            joined[-1] = [*joined[-1], *segment]  # "no to one and three, yes to two"
        elif bare:
            joined[-1] = [*joined[-1], *segment]
        else:
            joined.append(segment)
    if all(sum(t.kind != "ref" for t in s) == 1 and len(s) > 1 for s in joined):
        return [
            (next(t for t in s if t.kind != "ref"), [t for t in s if t.kind == "ref"])
            for s in joined
        ]
    flat = [t for s in segments for t in s]
    if not flat or flat[0].kind == flat[-1].kind == "ref":
        return []
    if flat[0].kind == "ref":
        flat.reverse()
    pairs: list[_Pair] = []
    for token in flat:
        if token.kind != "ref":
            pairs.append((token, []))
        elif pairs:
            pairs[-1][1].append(token)
    return pairs if all(named for _, named in pairs) else []


def _begun(segment: list[_Token]) -> list[_Token]:
    """ "Pepper first", "pepper now": beside what is to wait it is a yes."""
    last = segment[-1]
    plain = all(t.kind in ("ref", "now") for t in segment)
    if len(segment) > 1 and plain and (last.kind == "now" or last.chunks[0].key == "first"):
        return [*segment[:-1], _Token("accept", last.chunks)]
    return [t for t in segment if t.kind != "now"]


def _answers(pairs: Sequence[_Pair], clause: Clause, refs: Refs) -> list[Act]:
    """The yes and the no of each pair; none if a name stands for nothing that is proposed."""
    made: list[Act] = []
    every = [(said, named, [_meant(t, refs) for t in named]) for said, named in pairs]
    dealt = {i for _, _, found in every for ids in found for i in ids or ()}
    rest = tuple(p.id for p in refs.context.proposals if p.id not in dealt)
    for said, named, found in every:
        ids = [i for meant in found for i in (rest if meant is None else meant)]
        if () in found or not ids:
            return []
        answer = act(said.kind, clause.but([c for t in named for c in t.chunks]))
        whole = [chunk for token in (said, *named) for chunk in token.chunks]
        answer.start = min(chunk.start for chunk in whole)
        answer.end = max(chunk.end for chunk in whole)
        answer.ids = tuple(dict.fromkeys(ids))
        made.append(answer)
    made.sort(key=lambda it: it.start)
    return made


def _meant(token: _Token, refs: Refs) -> tuple[str, ...] | None:
    """What a name stands for; None for the others, whichever they are."""
    if any(c.ref in ("rest", "other") for c in token.chunks):
        return None
    return refs.proposals(refs.read(token.chunks)) or ()


def said_to(clause: Clause, last: Act | None, refs: Refs) -> list[Act]:
    """ "Yes, the salt, and …": what a yes is to, named behind it."""
    core = clause.core
    plain = last is not None and last.bare and last.kind == "accept" and not last.weak
    if last is None or not plain or last.clause.saying not in ("YES", "OK"):
        return []
    if clause.joint != "," or clause.asks or [c.kind for c in core] != ["O"] or core[0].either:
        return []
    ids = refs.proposals(refs.read(core))
    if not ids:
        return []
    made = act("accept", clause)
    made.ids = ids
    return [made]
