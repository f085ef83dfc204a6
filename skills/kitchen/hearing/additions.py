"""Additions to the dish: "the soup needs salt", "it could do with more pepper", "salt it a
little".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from treec.skills.kitchen.hearing.acts import HeardAct, act
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.references import Refs
from treec.skills.kitchen.hearing.tasks import TaskMatch
from treec.skills.kitchen.hearing.words import word_set

_LACKING = word_set("needs need wants requires lacks deserves take")
_HAVING = re.compile(
    r"(?:let's have|(?:can|could|may|might) (?:I|WE) have|(?:I|WE) (?:would_like|want|would like|"
    r"will have|prefer)) (?:DET |ADJ )*O (?:in|on|onto|into|over) "
)
_SAYS = ("could do with", "could use", "can use", "might use")
_SPRINKLED = frozenset({"salt", "pepper", "spices", "sugar", "cocoa powder"})
_SPREAD = frozenset({"butter", "mayonnaise", "mustard", "honey", "gochujang"})
_ATOP = ("on", "over", "onto", "upon", "on top of", "on top")
_MODAL = ("will", "would", "might", "could", "still", "do", "may")


def seasoning_requests(clause: Clause, refs: Refs) -> list[HeardAct]:
    """What a clause asks to add to the dish; empty if that is unclear."""
    core = [c for c in clause.core if c.kind not in ("DET", "ADJ")]
    wish = _HAVING.match(clause.line)
    if wish is not None and len(core) > 3 and core[-2].kind in ("in", "on", "onto", "into", "over"):
        kind = [c for c in core if c.kind == "O" and not _food(c, refs)]
        if len(kind) == 1 and _food(core[-1], refs) and len(refs.context.recipe_name) > 0:
            return pour_requests(
                clause, kind[0], refs, core[-1]
            )  # "can we have some pepper in that?"
    if clause.asks:
        return []
    bare = (
        core[:1] != [] and core[0].kind == "O" and core[0].end - core[0].start == len(core[0].key)
    )
    if bare and len(core) == 2 and core[1].key in ("it", "this"):
        return pour_requests(clause, core[0], refs)  # "salt it a little"
    if len(core) < 3 or not _food(core[0], refs):
        return []
    rest = [c for c in core[1:] if c.kind not in _MODAL]
    inside = len(rest) > 2 and rest[-2].kind in ("in", "into") and _food(rest[-1], refs)
    rest = rest[:-2] if inside else rest[:-1] if rest[-1].kind in ("in", "there") else rest
    if len(rest) != 2 or rest[1].kind != "O":
        return []
    verb = rest[0].key
    if verb not in _LACKING and verb not in _SAYS:
        return []
    return pour_requests(clause, rest[1], refs)


def topping_requests(clause: Clause, core: Sequence[Chunk], refs: Refs) -> list[HeardAct]:
    """ "Mayo on the bread", "lettuce on top of the ham", "a bit of pepper over the pasta"."""
    core = [c for c in core if c.kind != "of"]
    if len(core) not in (2, 3) or core[0].kind != "O" or core[-1].kind != "O":
        return []
    over = [c for c in clause.chunks if core[0].end <= c.start < core[-1].start and c.key in _ATOP]
    if clause.asks or not refs.context.recipe_name or not over:
        return []
    if any("Place" in refs.kitchen.type_of(name) for name in core[-1].names):
        return []  # "the mug on the table"
    item = core[0].names
    verb = "season" if item & _SPRINKLED else "spread" if item & _SPREAD else "put"
    if all(task.name != verb for task in refs.context.tasks):
        verb = "put"
    joint = "with" if verb == "season" else "on"
    order = (core[-1], core[0]) if verb == "season" else (core[0], core[-1])
    start, end = core[0].start, core[0].end
    verb_chunk = Chunk("V", verb, start, start, verb=(((verb,), "base"),))
    link = Chunk(joint, joint, end, end)
    return task_requests(clause, refs.kitchen.find((verb_chunk, order[0], link, order[1]), "base"))


def pour_requests(
    clause: Clause, item: Chunk, refs: Refs, vessel: Chunk | None = None
) -> list[HeardAct]:
    """Requests to add things to the dish."""
    put = Chunk("V", "put", item.start, item.start, verb=((("put",), "base"),))
    inward = Chunk("in", "in", item.end, item.end)
    where = (vessel,) if vessel is not None and vessel.kind == "O" else ()
    return task_requests(clause, refs.kitchen.find((put, item, inward, *where), "base"))


def task_requests(clause: Clause, founds: tuple[TaskMatch, ...]) -> list[HeardAct]:
    """Requests of tasks, for the addressee of the clause."""
    made: list[HeardAct] = []
    for found in founds:
        if found.loose or found.vague or found.either or not found.args:
            return []
        request = act("request", clause, agent=(clause.addressees or (None,))[0], task=found.task)
        request.fields |= {"args": dict(found.args), "first": clause.has("FIRST")}
        request.found = found
        made.append(request)
    return made


def _food(chunk: Chunk, refs: Refs) -> bool:
    """Whether a chunk is the dish or its vessel."""
    vessel = chunk.kind == "O" and all(
        "Container" in refs.kitchen.type_of(name) for name in chunk.names
    )
    return vessel or chunk.kind == "R" or chunk.key in refs.dish or chunk.key in ("it", "this")
