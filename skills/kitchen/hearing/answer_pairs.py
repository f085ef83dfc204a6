"""Lists of answers: "1st ok 2nd no", "pepper and sauce yes, lettuce no".

A sentence that consists of names and answers pairs each name with the answer next to it. The first
pair, or the commas, show on which side that is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from treec.skills.kitchen.hearing.acts import HeardAct, act
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.lexicon import sayings
from treec.skills.kitchen.hearing.references import Refs

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
"""An answer with the names that it is for."""


def pair_answers(parts: Sequence[Clause], refs: Refs) -> tuple[list[HeardAct], int]:
    """The answers that a sentence begins with, and the number of clauses that they span."""
    if len(refs.context.proposals) < 2:
        return [], 0
    sentence = parts[0].sentence
    own = [p for p in parts if p.sentence == sentence]
    for count in range(len(own), 0, -1):
        if own[count - 1].asks or (count < len(own) and own[count].joint not in (",", "but", ":")):
            continue
        pairs = _pairs(_tokens(own[:count], refs))
        has_number = any(t.chunks[0].key in _NUMBERS for _, names in pairs for t in names)
        segment_left = {token.kind for token, _ in pairs} == {"accept"} and any(
            c.key in ("now", "right now") for p in own[:count] for c in p.chunks
        )
        if segment_left:
            continue
        if (len(pairs) > 1 or (pairs and has_number)) and (
            answers := _answers(pairs, own[0], refs)
        ):
            return answers, count
    return [], 0


def _tokens(parts: Sequence[Clause], refs: Refs) -> list[_Token]:
    """The tokens of clauses; empty if there is anything else."""
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
                is_verb = chunks[0].kind in ("do", "let")  # "R1 do it", "let it simmer"
                names = is_verb or any(c.kind in _POINTING for c in chunks)
                if kind in _ANSWERS and not names:
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
        tasks = {m.task for m in refs.proposed.values() if m is not None}
        return _Token("ref", (chunk,)) if refs.kitchen.tasks_of(chunk) & tasks else None
    small = chunk.kind in _SMALL or chunk.key in ("it", "that")
    return _Token("small", ()) if small else None


def _pairs(tokens: Sequence[_Token]) -> list[_Pair]:
    """Each answer with its names; empty if they do not pair off."""
    segments: list[list[_Token]] = [[]]
    for token in tokens:
        if token.kind:
            segments[-1].append(token)
        elif segments[-1]:
            segments.append([])
    segments = [segment_left for s in segments if s and (segment_left := _accept_first(s))]
    merged: list[list[_Token]] = []
    for segment in segments:  # "R1 and R2 yes": names without an answer go with what follows
        bare = merged and all(t.kind == "ref" for t in merged[-1])
        starts_with_answer = segments[0][0].kind != "ref" and len(segments[0]) > 1
        if starts_with_answer and merged and all(t.kind == "ref" for t in segment):
            merged[-1] = [*merged[-1], *segment]  # "no to one and three, yes to two"
        elif bare:
            merged[-1] = [*merged[-1], *segment]
        else:
            merged.append(segment)
    if all(sum(t.kind != "ref" for t in s) == 1 and len(s) > 1 for s in merged):
        return [
            (next(t for t in s if t.kind != "ref"), [t for t in s if t.kind == "ref"])
            for s in merged
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
    return pairs if all(names for _, names in pairs) else []


def _accept_first(segment: list[_Token]) -> list[_Token]:
    """ "Pepper first", "pepper now": a yes, next to something postponed."""
    last = segment[-1]
    plain = all(t.kind in ("ref", "now") for t in segment)
    if len(segment) > 1 and plain and (last.kind == "now" or last.chunks[0].key == "first"):
        return [*segment[:-1], _Token("accept", last.chunks)]
    return [t for t in segment if t.kind != "now"]


def _answers(pairs: Sequence[_Pair], clause: Clause, refs: Refs) -> list[HeardAct]:
    """The answers of each pair; empty if a name stands for no proposal."""
    answers: list[HeardAct] = []
    every = [
        (answer_token, names, [_resolve(t, refs) for t in names]) for answer_token, names in pairs
    ]
    dealt = {i for _, _, found in every for ids in found for i in ids or ()}
    rest = tuple(p.id for p in refs.context.proposals if p.id not in dealt)
    for answer_token, names, found in every:
        ids = [
            i
            for proposals_named in found
            for i in (rest if proposals_named is None else proposals_named)
        ]
        if () in found or not ids:
            return []
        answer = act(answer_token.kind, clause.but([c for t in names for c in t.chunks]))
        whole = [chunk for token in (answer_token, *names) for chunk in token.chunks]
        answer.start = min(chunk.start for chunk in whole)
        answer.end = max(chunk.end for chunk in whole)
        answer.ids = tuple(dict.fromkeys(ids))
        answers.append(answer)
    answers.sort(key=lambda it: it.start)
    return answers


def _resolve(token: _Token, refs: Refs) -> tuple[str, ...] | None:
    """The proposals that a name stands for; None for "the others"."""
    if any(c.ref in ("rest", "other") for c in token.chunks):
        return None
    return refs.proposals(refs.read(token.chunks)) or ()


def answer_with_name(clause: Clause, last: HeardAct | None, refs: Refs) -> list[HeardAct]:
    """ "Yes, the salt, and …": the object of a yes, named behind it."""
    core = clause.core
    plain = last is not None and last.bare and last.kind == "accept" and not last.weak
    if last is None or not plain or last.clause.saying not in ("YES", "OK"):
        return []
    if clause.joint != "," or clause.asks or [c.kind for c in core] != ["O"] or core[0].either:
        return []
    ids = refs.proposals(refs.read(core))
    if not ids:
        return []
    answers = act("accept", clause)
    answers.ids = ids
    return [answers]
