"""Exchange of work: "let's swap", "R1 instead of me", "the cream instead of the stock"."""

from __future__ import annotations

from collections.abc import Iterable

from treec.skills.kitchen.hearing.acts import HeardAct, act
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.references import Ref, Refs
from treec.skills.kitchen.hearing.tasks import TaskMatch
from treec.skills.kitchen.hearing.words import word_set

TRADING = word_set("swap swaps swapping switch switches trade trades exchange swapped reverse")
_ROUND = ("other way round", "other way around", "other way about", "vice versa")
_STRANGE = ("O", "R", "V", "not", "no", "never", "TALE", "OTHERS", "THEY", "to", "DONE")
_LEFT = (("queued", "running", "ready", "interrupted"),)


def swap(clause: Clause, refs: Refs) -> list[HeardAct]:
    """Assigns to each of two agents the other's proposals; empty if it is unclear which two."""
    words = clause.words
    swaps = bool(TRADING & set(words.split()))
    if clause.has("TALE") or clause.has("OTHERS") or len(clause.core) > 9:
        return []
    if not swaps and not any(way in words for way in _ROUND):
        return []
    if any(c.kind in _STRANGE and c.key not in TRADING for c in clause.core):
        return []
    owners = [p.agent for p in refs.context.proposals]
    agents = [a for c in clause.core for a in c.agents] + list(clause.addressees)
    if any(c.kind == "I" for c in clause.core) or (agents and refs.user in owners):
        agents.append(refs.user)
    pair = tuple(dict.fromkeys(a for a in agents if a in owners))
    pair = pair if len(pair) == 2 else tuple(owners) if not agents and len(owners) == 2 else ()
    if len(pair) != 2:
        return []
    own = {p.agent: refs.proposed[p.id] for p in refs.context.proposals}
    return assign(clause, ((pair[0], own[pair[1]]), (pair[1], own[pair[0]])))


def instead(
    clause: Clause, last: HeardAct | None, addressees: tuple[str, ...], refs: Refs
) -> list[HeardAct]:
    """The complement of "instead of": whose work somebody else does, or what is left out."""
    core = clause.core
    person = core[:1] != () and core[0].kind in ("A", "I")
    if person and [c.kind for c in core[1:]] in (["on", "O"], ["for", "O"], ["with", "O"]):
        # "R1 instead of me on the onions"
        work = refs.proposals(Ref(things=core[2].things)) or ()
        if last is not None or len(addressees) != 1 or clause.asks or len(work) != 1:
            return []
        return assign(clause, ((addressees[0], refs.proposed[i]) for i in work))
    if len(core) != 1:
        return []
    theirs = core[0].agents or ((refs.user,) if core[0].kind == "I" else ())
    if theirs:
        if last is not None or len(addressees) != 1 or clause.asks:
            return []
        proposals = [refs.proposed[p.id] for p in refs.context.proposals if p.agent in theirs]
        return assign(clause, ((addressees[0], found) for found in proposals))
    if core[0].kind != "O" or core[0].either:
        return []
    ref = Ref(things=core[0].things)
    ids = refs.proposals(ref)
    if ids:
        made = act("decline", clause)
        made.ids = ids
        return [made]
    subtasks = refs.subtasks(ref, _LEFT)
    return [act("drop", clause, subtasks=[subtasks[0].id])] if subtasks else []


def assign(clause: Clause, work: Iterable[tuple[str, TaskMatch | None]]) -> list[HeardAct]:
    """Requests of tasks, each for one agent."""
    made: list[HeardAct] = []
    for agent, found in work:
        if found is not None:
            request = act("request", clause, agent=agent, task=found.task, args=dict(found.args))
            request.fields["first"] = False
            request.found = found
            made.append(request)
    return made


def fill_gap(clause: Clause, last: HeardAct | None, refs: Refs) -> Clause:
    """ "I do the pepper and R2 the lettuce": adds the "on" that gapping leaves out."""
    core = clause.core
    if len(core) != 2 or core[0].kind not in ("A", "I") or core[1].kind != "O":
        return clause
    open_ = bool(refs.proposals(Ref(things=core[1].things))) and not clause.asks
    if open_ and not clause.saying and core[1].end - core[0].end < 40 and last is None:
        on = Chunk("on", "on", core[0].end, core[0].end)
        return clause.but((core[0], on, core[1]))  # "R2 rice, me salmon"
    if last is None or last.kind not in ("request", "accept") or clause.asks:
        return clause
    is_fetch = last.found is not None and last.found.task == "get"
    is_do = any(c.of("DO") for c in last.clause.core if c.kind in ("V", "do", "have"))
    proposals = refs.proposals(Ref(things=core[1].things))
    if is_fetch and not is_do and not proposals:
        return clause
    on = Chunk("on", "on", core[0].end, core[0].end)
    return clause.but((core[0], on, core[1]))
