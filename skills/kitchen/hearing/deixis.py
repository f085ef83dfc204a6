"""Work that is referred to by pronouns: "R2 can do it", "I'll take the lettuce"."""

from __future__ import annotations

from dataclasses import replace

from treec.skills.kitchen.hearing.acts import HeardAct, act
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.moods import Opening
from treec.skills.kitchen.hearing.order_base import ORDERS
from treec.skills.kitchen.hearing.references import Ref
from treec.skills.kitchen.hearing.task_requests import TaskRequests
from treec.skills.kitchen.hearing.tasks import TaskMatch


class Deixis(TaskRequests):
    """Reads pro-verbs with the work that they refer to."""

    def _do(
        self, clause: Clause, opening: Opening, before: tuple[str, ...] = ()
    ) -> list[HeardAct] | None:
        """ "R2 can do it", "I'll take the lettuce", "do the chopping"."""
        head, tail = opening.rest[0], opening.rest[1:]
        if not head.of("DO", opening.form):
            return None
        verb = next((i for i, c in enumerate(tail) if c.kind == "V" and c.verb), None)
        is_ban = opening.mood in ("ban", "need not", "refusal")
        if is_ban and verb and tail[verb - 1].kind == "ORD" and not self._context.proposals:
            return self.drop(clause, tail)  # "the second stirring we will not do"
        if verb is not None:
            for form in ("ing", "base"):
                inner = (tail[verb], *tail[verb + 1 :])
                if inner[1:2] and inner[1].kind == "of":
                    inner = (inner[0], *inner[2:])
                founds = self._kitchen.find(inner, form)
                if form == "base" and not (verb and tail[verb - 1].kind in ("DET", "ADJ")):
                    continue
                if founds and all(
                    c.kind in ("DET", "ADJ", "to", "on", "with", "by") for c in tail[:verb]
                ):
                    return self._task(clause, replace(opening, rest=inner), founds)
            return None
        if clause.line.startswith("let I have "):
            return None  # "let me have the pepper": it is asked for
        ref = self._refs.read(tail)
        if (
            ref.loose
            or ref.dish
            or any(
                c.kind
                not in (
                    "O",
                    "IT",
                    "ORD",
                    "A",
                    "THEY",
                    "with",
                    "for",
                    "to",
                    "I",
                    "HEAD",
                    "of",
                    "DET",
                    "on",
                    "YOU",
                    "by",
                    "in",
                    "from",
                )
                for c in tail
            )
        ):
            return None
        who = self._who(opening, clause)
        if opening.mood in ("ban", "need not", "refusal"):
            return self._forbidden(
                clause,
                ref if who == (None,) else replace(ref, agents=tuple(w for w in who if w)),
                opening,
            )
        if ref.things:
            return self._by_thing(clause, opening, ref, who)
        if not tail and head.key not in ("do", "start", "begin"):
            return None
        if (
            head.key in ("have", "take", "get", "try", "cover", "own", "start")
            and opening.who is None
            and opening.mood != "offer"
        ):
            return None
        return self._by_pronoun(clause, opening, ref, who, before)

    def _by_thing(
        self, clause: Clause, opening: Opening, ref: Ref, who: tuple[str | None, ...]
    ) -> list[HeardAct] | None:
        founds: list[TaskMatch] = []
        for names in ref.things:
            ids = self._refs.proposals(Ref(things=(names,)))
            meanings = [self._refs.proposed[i] for i in ids or ()]
            if len(meanings) != 1:
                found = self._refs.subtasks(
                    Ref(things=(names,)),
                    (("ready", "queued", "interrupted"), ("running",), ("waiting",)),
                )
                meanings = [self._refs.meanings[s.id] for s in found]
                if len(meanings) > 1 and opening.rest[0].key not in ("do", "handle"):
                    return None
            meaning = meanings[0] if meanings else None
            vessel = all("Container" in self._kitchen.type_of(n) for n in names)
            if meaning is None or (vessel and len(meaning.args) > 1):
                return None  # "cover the pot" is none of what is done with it
            founds.append(meaning)
        return self._task(clause, opening, tuple(founds))

    def _by_pronoun(
        self,
        clause: Clause,
        opening: Opening,
        ref: Ref,
        who: tuple[str | None, ...],
        before: tuple[str, ...],
    ) -> list[HeardAct] | None:
        every = self._context.proposals
        theirs = tuple(a for a in ref.agents if a not in who)
        theirs = () if set(who) & set(ref.agents) else theirs
        if theirs and who != (None,) and opening.mood in (*ORDERS, "offer", "habit"):
            founds = tuple(
                m for p in every if p.agent in theirs and (m := self._refs.proposed[p.id])
            )
            return self._task(clause, opening, founds) if founds else None  # "R1 can do mine"
        if before and not ref.counts:
            proposals = self._refs.proposals(Ref(things=(before,))) or ()
            if not proposals and ref.pronoun and who != (None,):  # "stock is needed, R2 can do it"
                requests = self._by_thing(clause, opening, Ref(things=(before,)), who)
                if requests:
                    return requests
            every = tuple(p for p in every if p.id in proposals) or every
        if not every:
            return None
        if (
            opening.who is not None
            and opening.who.kind == "SOMEONE"
            and self._context.user in ref.agents
        ):
            return self._refuse(clause, Ref(agents=(self._context.user,)))
        by_number = self._refs.proposals(replace(ref, agents=())) if ref.counts else None
        if (
            opening.who is not None
            and opening.who.kind == "ALL"
            and "robots" in opening.who.key
            and opening.mood in ORDERS
        ):
            by_number = tuple(p.id for p in every if p.agent in self._refs.robots)
        if who == (None,) and opening.who is None:
            made = act("accept", clause)
            made.ids, made.bare = by_number, by_number is None
            return [made]
        if who == (None,):
            if opening.mood == "may" or (
                opening.who is not None and opening.who.kind in ("THEY", "YOU", "ALL", "WE")
            ):
                made = act("accept", clause)
                made.ids, made.bare = by_number, by_number is None
                return [made]
            return None
        own = tuple(p.id for p in every if p.agent in who)
        if by_number is not None:
            own = tuple(i for i in own if i in by_number)
        if own and not clause.has("INSTEAD"):
            made = act("accept", clause)
            made.ids = own
            theirs_too = [p for p in every if p.id in (by_number or ()) and p.id not in own]
            if opening.mood in ("offer", "order", "cause") and theirs_too:  # "I'll do both"
                meanings = [m for p in theirs_too if (m := self._refs.proposed[p.id])]
                return [made, *(self._task(clause, opening, tuple(meanings)) or [])]
            return [made]
        others = [
            p for p in every if p.agent not in who and (by_number is None or p.id in by_number)
        ]
        if len(others) != 1 and by_number is None:
            robots = [p for p in others if p.agent in self._refs.robots]
            others = robots if len(robots) == 1 else others
        if len(others) == 1 and (meaning := self._refs.proposed[others[0].id]) is not None:
            return self._task(clause, opening, (meaning,))
        return None

    def _forbidden(self, clause: Clause, ref: Ref, opening: Opening) -> list[HeardAct] | None:
        return self._refuse(clause, ref)
