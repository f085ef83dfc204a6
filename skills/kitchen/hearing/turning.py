"""Clauses put into the order that the readers expect: tags taken off, objects behind verbs."""

from __future__ import annotations

from dataclasses import replace

from skills.kitchen.hearing.chunks import Chunk
from skills.kitchen.hearing.clauses import Clause
from skills.kitchen.hearing.words import word_set


def untagged(parts: list[Clause]) -> list[Clause]:
    """ "You couldn't add salt, could you": a request said as a denial, its tag left out."""
    result: list[Clause] = []
    skip = False
    if not parts:
        return []
    for clause, behind in zip(parts, [*parts[1:], None], strict=True):
        if skip:
            skip = False
            continue
        core = clause.core
        kinds = [c.kind for c in core[:3]]
        tag = [c.kind for c in behind.core] if behind is not None else []
        if len(core) > 3 and kinds[0] == "YOU" and kinds[2] == "not" and tag == [kinds[1], "YOU"]:
            clause = clause.but((core[1], core[0], *core[3:]))
            skip = True
        result.append(clause)
    return result


def rotated(clause: Clause) -> Clause:
    """ "Stirring I'll do", "the stirring may continue": the object put behind its verb."""
    clause = _caused(_filled(_asked_back(_ahead(clause))))
    core = clause.core
    if clause.saying or len(core) < 3 or clause.asks:
        return clause
    size = 0
    while size < len(core) and (
        core[size].kind in ("O", "DET", "ORD") or any(f == "ing" for _, f in core[size].verb)
    ):
        size += 1
    rest = core[size:]
    if len(rest) > 2 and rest[-1].key in ("it", "them") and rest[-2].kind == "V":
        rest = rest[:-1]  # "the cream I pour it"
    denied = any(c.kind in ("not", "no") for c in rest)
    if not size or len(rest) < 2 or (denied and not (rest[-1].of("DO", "base") and size > 1)):
        return clause
    named = core[:size]
    if denied and rest[0].kind in ("I", "WE", "A") and len(rest) <= 4:
        return replace(clause, chunks=(*rest, *named), begin=clause.start)
    task = any(form in ("base", "s") for _, form in rest[-1].verb) and named[-1].kind == "O"
    doing = rest[-1].of("DO", "base") or (task and rest[0].kind != "YOU")
    if rest[0].kind in ("I", "A", "YOU") and doing and len(rest) <= 4:
        return replace(clause, chunks=(*rest, *named), begin=clause.start)
    verb = rest[-1]
    if (
        rest[0].kind in ("may", "can", "should", "must", "could")
        and len(rest) == 2
        and (any(c.kind == "V" for c in named) or (verb.of("GO", "base") and verb.key != "go"))
        and (verb.of("GO", "base") or verb.of("STOP", "base"))
    ):
        return replace(
            clause, chunks=(verb, *(c for c in named if c.kind != "DET")), begin=clause.start
        )
    return clause


_BY_ITSELF = word_set("simmer boil cook fry bake melt heat warm drain toast roast stew bubble")
_SOUPS = word_set("soup broth stew lot mixture food dish water rest")
_CAUSING = word_set("let get keep leave have bring set")
_SHALL = ("can", "could", "shall", "should", "may", "must", "will")


def _caused(clause: Clause) -> Clause:
    """ "Let it simmer", "leave the rice to boil": what goes on by itself is done by who lets it."""
    core = clause.core
    at = next((i for i, c in enumerate(core[:4]) if c.key in _CAUSING), None)
    if at is None or len(core) < at + 3:
        return clause
    if core[at + 1].kind == "DET" and core[at + 2].key in _SOUPS:
        core = (*core[: at + 1], *core[at + 2 :])
        core = (*core[: at + 1], replace(core[at + 1], kind="IT"), *core[at + 2 :])
    thing, rest = core[at + 1], core[at + 2 :]
    if not rest:
        return clause
    while len(rest) > 1 and (rest[0].kind in ("to", "DET", "on", "at") or rest[0].key == "a"):
        rest = rest[1:]
    verb = rest[0]
    itself = verb.verb and any(way[0] in _BY_ITSELF for way, _ in verb.verb)
    if thing.kind not in ("O", "IT", "R") or not itself or len(rest) > 1:
        return clause
    if any(c.kind == "not" for c in core[:at]):
        return clause
    base = replace(verb, verb=tuple((way, "base") for way, _ in verb.verb))
    return clause.but((*core[:at], base, thing, *_small(clause)))


def _small(clause: Clause) -> list[Chunk]:
    return [c for c in clause.chunks if c not in clause.core]


def _ahead(clause: Clause) -> Clause:
    """ "I do the stirring" as "I'll do the stirring": who says so takes it on."""
    core = clause.core
    if clause.asks or [c.key for c in core[:2]] != ["i", "do"] or len(core) > 4:
        return clause
    rest = core[2:]
    doing = len(rest) == 2 and rest[0].kind == "DET" and any(f == "ing" for _, f in rest[1].verb)
    if not doing and [c.kind for c in rest] != ["O"]:
        return clause
    will = Chunk("will", "will", core[1].start, core[1].start)
    return clause.but((core[0], will, *core[1:], *_small(clause)))


def _filled(clause: Clause) -> Clause:
    """ "Fill the pot [with water]": what is poured into it."""
    core = clause.core
    at = next((i for i, c in enumerate(core[:4]) if c.key in ("fill", "fill up", "top up")), None)
    if at is None or core[at + 1 : at + 2] == () or core[at + 1].kind != "O":
        return clause
    rest = core[at + 2 :]
    rest = rest[1:] if rest and rest[0].kind == "up" else rest
    stuff = rest[1:] if rest and rest[0].kind == "with" else ()
    if len(rest) > 2 or (rest and [c.kind for c in stuff] != ["O"]):
        return clause
    head = core[at]
    pour = replace(head, kind="V", key="pour", verb=((("pour",), "base"),), classes=frozenset())
    into = Chunk("into", "into", core[at + 1].start, core[at + 1].start)
    return clause.but((*core[:at], pour, *stuff, into, core[at + 1], *_small(clause)))


def _asked_back(clause: Clause) -> Clause:
    """ "The celery shall the arm chop": the subject behind its modal, as learners put it."""
    core = clause.core
    kinds = [c.kind for c in core]
    better = kinds[1:3] == ["A", "V"] and any(form == "s" for _, form in core[2].verb)
    if better and core[0].key == "better":
        return clause.but(clause.chunks[clause.chunks.index(core[0]) + 1 :])  # "better R2 boils it"
    turned = kinds == ["O", "V", "A"] and any(form == "s" for _, form in core[1].verb)
    if turned and not clause.asks:
        return clause.but((core[2], core[1], core[0], *_small(clause)))  # "the salmon brings R2"
    if clause.saying or clause.asks or len(core) != 4 or kinds[0] != "O":
        return clause
    if kinds[1] not in _SHALL or kinds[2] not in ("A", "I") or not core[3].verb:
        return clause
    return clause.but((core[2], core[1], core[3], core[0], *_small(clause)))
