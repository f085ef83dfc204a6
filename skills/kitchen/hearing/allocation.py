"""Allocation of work: "lettuce is mine", "R1 on the pepper", "leave the onions to R1"."""

from __future__ import annotations

import re
from dataclasses import replace

from treec.skills.kitchen.hearing.acts import HeardAct, act
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.deixis import Deixis
from treec.skills.kitchen.hearing.moods import Opening

_SHARE = re.compile(
    r"O (?:is|are) ORD |(?:I|A) (?:on|takes|gets|has|for|with) O |"
    r"O (?:is |are |goes |go |should go |can go |will_be )?(?:for|to|by|on|down_to|up_to) (?:A|I) |"
    r"(?:let's |WE (?:can|could|should) |YOU (?:can|could) )?(?:put|set|keep|place|have|"
    r"(?:I|WE) (?:want|would_like|need)) (?:A|I) on O |"
    r"(?:(?:YOU|WE|I) (?:can|may|could|should|will|want to|would_like to) |let's |do )?"
    r"(?:ask|send|get|have) A (?:for|after|off for|out for|to get) O "
)
_GIVING = ("leave", "trust", "entrust", "give", "assign", "delegate", "allocate")


class Allocation(Deixis):
    """Reads who is to do which work."""

    def _allocation(self, clause: Clause) -> list[HeardAct]:
        return self._entrust(clause) or self._assignment(clause) or self._possession(clause) or []

    def _possession(self, clause: Clause) -> list[HeardAct] | None:
        """ "The stirring is mine", "R1, the stirring is yours"."""
        core = [c for c in clause.core if c.kind != "DET"]
        if len(core) == 4 and core[1].kind == "will" and core[2].kind == "be":
            core = [core[0], replace(core[2], kind="is", key="is"), core[3]]
        if len(core) != 3 or core[1].kind not in ("is", "'s", "are") or core[2].kind != "ORD":
            return None
        verb, owner = core[0], core[2].ref
        has_gerund = any(form == "ing" for _, form in verb.verb)
        if not has_gerund or not (owner == "mine" or (owner == "yours" and clause.addressees)):
            return None
        founds = self._kitchen.find((verb,), "ing")
        mood = "offer" if owner == "mine" else "order"
        return self._task(clause, Opening(mood, "ing", None, (verb,), False), founds)

    def _entrust(self, clause: Clause) -> list[HeardAct] | None:
        """ "Leave the onions to R1", "leave the stirring to me"."""
        core = clause.core
        at = next((i for i, c in enumerate(core) if c.key in _GIVING), None)
        if at is None or at > 3 or any(c.kind in ("not", "IT") for c in core[:at]):
            return None
        me = any(c.key in ("to me", "with me", "for me") for c in clause.chunks)
        agent = next((c for c in core[at:] if c.kind == "A"), None)
        joint = any(c.kind in ("to", "for", "with") for c in core[at:])
        if not me and not (agent is not None and joint and len(agent.agents) == 1):
            return None
        objects = [c for c in core[at + 1 :] if c.kind in ("O", "V", "DET", "ORD")]
        if core[at].key == "give" and not any(f == "ing" for c in objects for _, f in c.verb):
            return None  # "give the onions to R1" hands them over
        agents = (self._context.user,) if me or agent is None else agent.agents
        mood = Opening("offer" if me else "order", "base", None if me else agent, core[at:], False)
        verb = next((c for c in objects if any(f == "ing" for _, f in c.verb)), None)
        if verb is not None:
            founds = self._kitchen.find(tuple(objects[objects.index(verb) :]), "ing")
            return self._task(clause, replace(mood, form="ing", rest=(verb,)), founds)
        ref = self._refs.read(objects)
        if not ref.things:
            return None
        do = replace(core[at], key="do")
        return self._by_thing(clause, replace(mood, rest=(do,)), ref, agents)

    def _assignment(self, clause: Clause) -> list[HeardAct] | None:
        """ "Lettuce is mine", "R1 on the pepper", "me on the lettuce", "the salt is for R2"."""
        match = _SHARE.fullmatch(clause.line)
        chunks = clause.core
        if match is None:
            for_me = any(c.key in ("for me", "on me") for c in clause.chunks)
            if not for_me or [c.kind for c in chunks] != ["O"]:
                return None
            ids = self._refs.proposals(self._refs.read(chunks)) or ()
            proposed_to = [p.agent for p in self._context.proposals if p.id in ids]
            if proposed_to != [self._context.user]:
                return None
            made = act("accept", clause)
            made.ids = ids
            return [made]  # "onions for me"
        people = [c for c in chunks if c.kind in ("A", "I") or c.ref == "mine"]
        who = next((c for c in people if c.kind == "A"), people[0] if people else None)
        thing = next((c for c in chunks if c.kind == "O"), None)
        if who is None or thing is None or len(who.agents) > 1:
            return None
        agents = who.agents or (self._context.user,)
        if "for" in match[0] or "after" in match[0]:  # "send R2 for the salt"
            fetch = self._kitchen.fetch(thing.things[0])
            if fetch is not None and {"ask", "send", "get", "have"} & set(match[0].split()):
                return self._task(clause, Opening("order", "base", who, (who,), False), (fetch,))
        own = agents == (self._context.user,)
        do = (replace(who, key="do"),)
        share = Opening("offer" if own else "order", "base", None if own else who, do, False)
        return self._by_thing(clause, share, self._refs.read([thing]), agents)
