"""Normalize the word order of clauses: remove tags, put objects behind their verbs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.words import word_set

_MUST = ("shall", "should", "can", "could", "must", "will", "may")
_GIVING = ("give", "hand", "pass", "bring", "tell", "show", "ask", "get", "help")
_UNWILLING = frozenset(
    ("I", "do", "not", "will", "can", "would", "am", "to", "W", "V", "never", "shall", "WE")
)


def remove_tags(parts: list[Clause]) -> list[Clause]:
    """ "You couldn't add salt, could you": a negated request, without its tag."""
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


def normalize_word_order(clause: Clause) -> Clause:
    """ "Stirring I'll do", "the stirring may continue": the object behind its verb."""
    clause = _normalize_causative(_undo_inversion(_as_future(_merge_subject(clause))))
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
    is_refusal = size and denied and _is_refusal(rest)
    if not size or len(rest) < 2:
        return clause
    if denied and not (is_refusal or (rest[-1].of("DO", "base") and size > 1)):
        return clause
    fronted = core[:size]
    if denied and rest[0].kind in ("I", "WE", "A") and len(rest) <= 4:
        return replace(clause, chunks=(*rest, *fronted), begin=clause.start)
    if is_refusal and fronted[-1].kind == "O":
        return replace(clause, chunks=(*rest, *fronted), begin=clause.start)
    kinds_behind = [c.kind for c in rest[2:]]
    is_giving = rest[1].key in ("leave", "give", "hand", "pass", "leaving", "delegate")
    if (
        rest[0].kind == "I"
        and is_giving
        and kinds_behind in (["to", "A"], ["for", "A"], ["with", "A"])
    ):
        return replace(  # "the whisking I leave to the arm"
            clause, chunks=(*rest[:2], *fronted, *rest[2:]), begin=clause.start
        )
    kinds = [c.kind for c in rest]
    if len(kinds) == 3 and kinds[0] in _MUST and kinds[1] in ("A", "I") and rest[2].verb:
        return replace(  # "the celery shall the arm chop"
            clause, chunks=(rest[1], rest[0], rest[2], *fronted), begin=clause.start
        )
    task = any(form in ("base", "s") for _, form in rest[-1].verb) or rest[-1].key == "fill"
    task = task and fronted[-1].kind == "O"
    is_task = rest[-1].of("DO", "base") or (task and (rest[0].kind != "YOU" or len(rest) == 2))
    if rest[0].kind in ("I", "A", "YOU") and is_task and len(rest) <= 4:
        return replace(clause, chunks=(*rest, *fronted), begin=clause.start)
    verb = rest[-1]
    if (
        rest[0].kind in ("may", "can", "should", "must", "could")
        and len(rest) == 2
        and (any(c.kind == "V" for c in fronted) or (verb.of("GO", "base") and verb.key != "go"))
        and (verb.of("GO", "base") or verb.of("STOP", "base"))
    ):
        return replace(
            clause, chunks=(verb, *(c for c in fronted if c.kind != "DET")), begin=clause.start
        )
    return clause


def _is_refusal(rest: Sequence[Chunk]) -> bool:
    """ "(The cheese) I don't want to grate": a refusal with a fronted object."""
    if not 4 <= len(rest) <= 8 or rest[0].kind != "I":
        return False
    verb = rest[-1]
    if any(c.kind not in _UNWILLING for c in rest) or rest[-2].kind not in ("to", "not"):
        return False
    return verb.kind == "V" and any(form == "base" for _, form in verb.verb)


def _passive_to_active(clause: Clause) -> Clause | None:
    """ "The pot will be heated by me" as "I will heat the pot"."""
    core = clause.core
    who = replace(core[-1], kind="I", key="i") if core[-1].kind != "A" else core[-1]
    if core[-1].kind != "A":
        floats = clause.chunks[-1]
        who = replace(floats, kind="I", key="i")
    verb = next((c for c in core if any(form == "past" for _, form in c.verb)), None)
    if verb is None or core[0].kind not in ("O", "IT") or core[1].kind not in (*_MUST, "gets"):
        return None
    if any(c.kind in ("not", "never") for c in core):
        return None
    plain = replace(verb, verb=tuple((way, "base") for way, form in verb.verb if form == "past"))
    will = replace(core[1], kind="will", key="will")
    return replace(clause, chunks=(who, will, plain, core[0]), begin=clause.start)


def _merge_subject(clause: Clause) -> Clause:
    """ "Me I cook the rice", "R1 you wash it": a doubled subject as one."""
    core = clause.core
    ends = clause.chunks[-1] if clause.chunks else None
    is_let_be = ends is not None and ends.key in ("alone", "be") and len(core) in (2, 3)
    if is_let_be and core[0].kind == "let" and core[1].kind in ("O", "ORD") and not clause.asks:
        leave = replace(core[0], kind="V", key="leave", classes=frozenset({("HOLDOFF", "base")}))
        return clause.but((leave, core[1]))  # "let the sauce be"
    if len(core) < 3 or clause.asks:
        return clause
    first, second = core[0], core[1]
    cleft = [c.kind for c in core[:4]]
    if cleft in (["IT", "is", "A", "who"], ["IT", "is", "A", "that"], ["IT", "is", "I", "who"]):
        rest = (first, second, core[3])  # "it's R2 who should do it"
        return clause.but([c for c in clause.chunks if not any(c is one for one in rest)])
    if first.kind == "V" and [c.kind for c in core[1:]] in (["I", "will"], ["I", "shall"]):
        return clause.but((second, core[2], first))  # "whisk I will"
    last = core[-1]
    fronted = first.key == "you" and last.kind == "A" and core[-2].kind in ("IT", "O", "ORD")
    if fronted and second.key not in _GIVING:  # "you do it R1"
        return clause.but([last if c is first else c for c in clause.chunks if c is not last])
    by_me = clause.chunks[-1].key == "by me" or [c.kind for c in core[-2:]] == ["by", "A"]
    if by_me and (active := _passive_to_active(clause)) is not None:
        return active
    if first.kind == "I" and first.key == "me" and second.kind == "I":
        return clause.but([c for c in clause.chunks if c is not first])
    behind = core[2]
    is_task = any(form == "base" for _, form in (*behind.verb, *behind.classes))
    if first.kind == "A" and second.key == "you" and (is_task or behind.kind in _MUST):
        return clause.but([c for c in clause.chunks if c is not second])
    return clause


_BY_ITSELF = word_set("simmer boil cook fry bake melt heat warm drain toast roast stew bubble")
_SOUPS = word_set("soup broth stew lot mixture food dish water rest")
_CAUSING = word_set("let get keep leave have bring set")


def _normalize_causative(clause: Clause) -> Clause:
    """ "Let it simmer", "leave the rice to boil": work of whoever lets it."""
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


def _as_future(clause: Clause) -> Clause:
    """ "I do the stirring" as "I'll do the stirring"."""
    core = clause.core
    if clause.asks or [c.key for c in core[:2]] != ["i", "do"] or len(core) > 4:
        return clause
    rest = core[2:]
    is_task = len(rest) == 2 and rest[0].kind == "DET" and any(f == "ing" for _, f in rest[1].verb)
    if not is_task and [c.kind for c in rest] != ["O"]:
        return clause
    will = Chunk("will", "will", core[1].start, core[1].start)
    return clause.but((core[0], will, *core[1:], *_small(clause)))


def _undo_inversion(clause: Clause) -> Clause:
    """ "The celery shall the arm chop": the subject before its modal."""
    core = clause.core
    kinds = [c.kind for c in core]
    better = kinds[1:3] == ["A", "V"] and any(form == "s" for _, form in core[2].verb)
    if better and core[0].key == "better":
        return clause.but(clause.chunks[clause.chunks.index(core[0]) + 1 :])  # "better R2 boils it"
    is_inverted = kinds == ["O", "V", "A"] and any(form == "s" for _, form in core[1].verb)
    if is_inverted and not clause.asks:
        return clause.but((core[2], core[1], core[0], *_small(clause)))  # "the salmon brings R2"
    if clause.saying or clause.asks or len(core) != 4 or kinds[0] != "O":
        return clause
    if kinds[1] not in _MUST or kinds[2] not in ("A", "I") or not core[3].verb:
        return clause
    return clause.but((core[2], core[1], core[3], core[0], *_small(clause)))
