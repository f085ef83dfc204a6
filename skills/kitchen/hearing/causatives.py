"""Work expressed by its effect: "let it simmer", "I'll put the rice on", "fill the pot".

The stove's own work is expressed with "let", "leave" or "put on", and a vessel is filled rather
than its contents poured. These are rewritten with the task's own verb and its object, so that the
readers of orders, answers and reports need not handle them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.references import GONE, Ref, Refs
from treec.skills.kitchen.hearing.words import gerunds, word_set

_STOVE = frozenset({"simmer", "boil", "heat", "melt", "bake", "fry", "toast", "drain"})
"""Processes that continue by themselves once started."""
_LETTING = {
    **dict.fromkeys(("let", "leave", "set", "put", "get", "have", "keep", "turn", "bring"), "base"),
    **dict.fromkeys(("letting", "leaving", "setting", "putting", "getting", "keeping"), "ing"),
    **dict.fromkeys(("lets", "leaves", "sets", "puts", "gets", "keeps"), "s"),
}
_PUTTING = {
    **dict.fromkeys(("put", "get", "stick", "pop", "bung", "set", "whack", "sling"), "base"),
    **dict.fromkeys(("putting", "getting", "sticking", "popping", "setting"), "ing"),
    **dict.fromkeys(("puts", "gets", "sticks", "pops", "sets"), "s"),
}
_FILLING = {"fill": "base", "fill up": "base", "top up": "base", "filling": "ing", "fills": "s"}
_FIRE = word_set("stove hob heat fire burner cooker flame ring gas")


def normalize_causatives(clause: Clause, refs: Refs) -> Clause:
    """The clause with such work rewritten with its task's own verb."""
    if clause.saying or len(clause.core) < 2:
        return clause
    return _normalize_fill(_normalize_put_on(_normalize_let(clause, refs), refs), refs)


def _verb(refs: Refs, task: str, form: str, at: Chunk, end: int) -> Chunk:
    """A task's own verb in this form, in the place of other words."""
    way = tuple(task.split()[:1])
    word = {"base": way[0], "s": way[0] + "s"}.get(form) or gerunds(way[0])[0]
    return Chunk("V", word, at.start, end, verb=((way, form),))


def _replace_chunks(clause: Clause, old: Sequence[Chunk], new: Sequence[Chunk]) -> Clause:
    """The clause with a sequence of chunks replaced; floating ones stay."""
    chunks: list[Chunk] = []
    is_replaced = False
    for chunk in clause.chunks:
        if any(chunk is one for one in old):
            chunks += [] if is_replaced else new
            is_replaced = True
        else:
            chunks.append(chunk)
    return clause.but(chunks)


def _normalize_let(clause: Clause, refs: Refs) -> Clause:
    """ "Let it simmer", "leave the pot to simmer", "set the rice to boil"."""
    core = clause.core
    for index in range(len(core) - 2):
        form = _LETTING.get(core[index].key)
        thing = core[index + 1]
        if form is None or thing.kind not in ("IT", "O", "R"):
            continue
        behind = index + 2
        while behind < len(core) - 1 and core[behind].key in ("on", "to", "a", "down", "up"):
            behind += 1
        if behind >= len(core):
            continue
        verb = core[behind]
        forms = {shape for _, shape in verb.verb}
        to = behind > index + 2
        bare = core[index].key.startswith("let") or core[index].key == "have"
        if not (forms & ({"base"} if to or bare else {"ing"})):
            continue
        things = refs.kitchen.tasks_of(verb) & _STOVE
        if not things or (len(core) > behind + 1 and core[behind + 1].kind in ("O", "IT")):
            continue
        ref = Ref(things=thing.things) if thing.kind == "O" else Ref()
        task = _of_work(refs, things, ref) or sorted(things)[0]
        verb_chunk = _verb(refs, task, form, core[index], core[index].end)
        return _replace_chunks(clause, core[index : behind + 1], (verb_chunk, thing))
    return clause


def _normalize_put_on(clause: Clause, refs: Refs) -> Clause:
    """ "Put the rice on", "get the pot on the hob": the open task with it on the stove."""
    core = clause.core
    for index in range(len(core) - 2):
        form = _PUTTING.get(core[index].key)
        rest = core[index + 1 :]
        if form is None or rest[0].kind != "O" or rest[1].kind != "on":
            continue
        place = [c for c in rest[2:] if c.kind not in ("DET", "ADJ")]
        if place and not (len(place) == 1 and place[0].key in _FIRE):
            continue
        task = _of_work(refs, _STOVE, Ref(things=rest[0].things))
        if task:
            verb_chunk = _verb(refs, task, form, core[index], core[index].end)
            return _replace_chunks(clause, core[index:], (verb_chunk, rest[0]))
    return clause


def _normalize_fill(clause: Clause, refs: Refs) -> Clause:
    """ "Fill the pot": rewritten as pouring what belongs into it."""
    core = clause.core
    at = next((i for i, c in enumerate(core) if c.key in _FILLING), None)
    if at is None or len(core) < at + 2 or core[at + 1].kind != "O":
        return clause
    vessel, behind = core[at + 1], core[at + 2 :]
    if not all("Container" in refs.kitchen.type_of(name) for name in vessel.names):
        return clause
    things = [c for c in behind if c.kind == "O"]
    if behind and not (behind[0].kind == "with" and len(things) == len(behind) - 1 == 1):
        return clause
    item = things[0] if things else _contents(vessel, refs)
    if item is None:
        return clause
    into = Chunk("into", "into", vessel.start, vessel.start)
    verb_chunk = _verb(refs, "pour", _FILLING[core[at].key], core[at], core[at].end)
    return _replace_chunks(clause, core[at:], (verb_chunk, item, into, vessel))


def _contents(vessel: Chunk, refs: Refs) -> Chunk | None:
    """The only thing that is to be poured into a vessel now."""
    found = refs.subtasks(
        Ref(things=vessel.things, tasks=(frozenset({"pour"}),)), (("ready", "queued"),)
    )
    items = {dict(m.args).get("item", "") for s in found if (m := refs.meanings[s.id]) is not None}
    if len(items) != 1 or "" in items:
        return None
    (name,) = items
    return replace(vessel, key=name, end=vessel.start, things=((name,),), spoken=(name,))


def _of_work(refs: Refs, tasks: frozenset[str], ref: Ref) -> str:
    """The only one of these tasks that is still open for the named things."""
    matches = [
        (refs.status[i] == "waiting", m.task) for i, m in refs.meanings.items()
        if m is not None and m.task in tasks and refs.status[i] not in GONE
        and (not ref.things or any({v for _, v in m.args} & set(n) for n in ref.things))
    ]  # fmt: skip
    soon = {task for waits, task in matches if not waits} or {task for _, task in matches}
    return soon.pop() if len(soon) == 1 else ""
