"""Requests and prohibitions of tasks."""

from __future__ import annotations

from dataclasses import replace

from treec import TalkSubtask
from treec.skills.kitchen.hearing.acts import HeardAct, act
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.moods import Opening
from treec.skills.kitchen.hearing.omissions import Omissions
from treec.skills.kitchen.hearing.references import GONE
from treec.skills.kitchen.hearing.tasks import TaskMatch
from treec.skills.kitchen.hearing.utensils import UTENSILS, utensil
from treec.skills.kitchen.hearing.words import word_set

_AGAIN = ("again", "once more", "once again", "one more time", "some more", "a bit more")
_ADJECTIVES = word_set("tidy clean dry clear warm brown set")
_HANDING = word_set(
    "hand handing hands pass passing passes give giving gives reach bring bringing brings fetch "
    "fetching fetches get getting gets grab grabbing collect deliver return carry"
)
"""Verbs of handing over, which say little without an object unless just that is proposed."""


class TaskRequests(Omissions):
    """Turns openings and tasks into requests and prohibitions."""

    def _task(
        self,
        clause: Clause,
        opening: Opening,
        founds: tuple[TaskMatch, ...],
        before: tuple[str, ...] = (),
    ) -> list[HeardAct] | None:
        mood = opening.mood
        if "get along" in clause.words:
            return None
        who = self._who(opening, clause)
        if mood == "habit" and (clause.core[0].kind == "WE" or clause.has("NEARLY")):
            return None  # "we get our pepper from the market"
        if mood == "habit" and any(c.kind in ("W", "from", "with") for c in clause.core):
            return None  # "I take pepper with everything"
        if mood in ("ban", "need not", "refusal"):
            return self._prohibition(clause, opening, founds, who, before)
        if mood == "report ing":
            return None
        if mood == "offer" and opening.rest[0].key == "reach":
            return None  # "I can reach it"
        mine = mood == "offer" or (opening.who is None and not clause.addressees)
        if mine and opening.form == "ing" and self._at_it(founds):
            return None  # "still washing"
        if any(found.either for found in founds):
            return None
        if any(found.loose > 1 for found in founds):
            return None
        head = opening.rest[0]
        again = any(c.key in _AGAIN for c in clause.chunks)
        acts: list[HeardAct] = []
        for found in founds:
            you = opening.who is not None and opening.who.kind == "YOU" and who == (None,)
            proposed = [
                m
                for p in self._context.proposals
                if (p.agent in who or (you and p.agent in self._refs.robots))
                and (m := self._refs.proposed[p.id])
                and m.task == found.task
            ]
            if found.vague and not found.unknown and len(proposed) == 1:
                found = replace(proposed[0], addressee=found.addressee)
            own = any(
                m is not None and m.task == found.task
                for p in self._context.proposals
                if (p.agent in who or you) and (m := self._refs.proposed[p.id])
            )
            if not (found.args or found.unknown):
                return None
            if found.unknown and found.unknown not in UTENSILS:
                return None  # "I cut my finger"
            if found.vague and len(clause.core) == 1 and head.key in _ADJECTIVES:
                return None  # "… and so tidy!"
            if (
                found.vague
                and not own
                and not self._may_be_vague(found, opening, head, again=again)
            ):
                return None
            if any(c.key == "list" for c in clause.core) and found.task in ("pour", "put away"):
                fetch = self._kitchen.fetch(found.things) if found.things else None
                if fetch is None or "shopping" in clause.words:
                    return None
                found = replace(fetch, addressee=found.addressee)  # "add salt to R2's list"
            agent = found.addressee if found.addressee and who == (None,) else who[0]
            agents: tuple[str | None, ...] = (agent,) if agent is None or len(who) == 1 else who
            for one in agents:
                request = act(
                    "request",
                    clause,
                    agent=one,
                    task=found.task,
                    args=dict(found.args),
                    first=clause.has("FIRST"),
                )
                request.found = found
                kind = opening.who.kind if opening.who is not None else ""
                request.others = kind in ("YOU", "SOMEONE", "ALL", "OTHERONE")
                if found.unknown:
                    slot = next(iter(self._slots(found.task)), "item")
                    request.fields["args"] = {slot: utensil(found.unknown)}
                acts.append(request)
        return acts

    def _at_it(self, founds: tuple[TaskMatch, ...]) -> bool:
        """Whether the speaker is doing the task that they mention."""
        now = self._refs.at(self._context.user)
        meaning = self._refs.meanings[now.id] if now is not None else None
        return meaning is not None and any(f.task == meaning.task for f in founds)

    def _may_be_vague(
        self, found: TaskMatch, opening: Opening, head: Chunk, *, again: bool = False
    ) -> bool:
        if head.key == "park":
            return False
        if found.task == "season" and found.things:
            return True  # "season it with a little pepper"
        only_pronouns = all(c.kind in ("IT", "A") for c in opening.rest[1:])
        if found.task == "serve" and only_pronouns and self._of_moment(found):
            whose = opening.who is not None or opening.mood == "offer" or len(opening.rest) > 1
            return whose or "dish up" in head.key  # "let R2 serve", "serve it"
        if found.unknown:
            return found.unknown in UTENSILS and found.task in ("get", "hand over")
        if found.task == "serve" or self._alone_open(found, opening, head):
            return bool(found.args) and bool(self._of_moment(found))
        if head.key.split()[0] in (
            "get",
            "take",
            "taking",
            "getting",
            "fetch",
            "fetching",
            "put",
            "give",
            "bring",
            "set",
            "move",
            "pass",
            "leave",
            "place",
            "turn",
            "work",
            "run",
            "carry",
            "add",
            "pick",
            "clear",
            "reach",
            "find",
            "hand",
            "throw",
            "drop",
            "deliver",
            "return",
            "combine",
            "load",
            "lay",
        ):
            return bool(found.args) and any(
                c.kind in ("in", "away", "back", "over") for c in opening.rest[1:]
            )
        return bool(found.args) and (again or bool(self._of_moment(found)))

    def _alone_open(self, found: TaskMatch, opening: Opening, head: Chunk) -> bool:
        """ "Hand it over", "R2 can fetch it": whether it refers to the only such task that is
        proposed.
        """
        has_pronoun = any(c.kind in ("IT", "ORD") for c in opening.rest[1:2])
        same = [
            m for m in self._refs.proposed.values()
            if m is not None and m.task == found.task
        ]  # fmt: skip
        return has_pronoun and head.key.split()[0] in _HANDING and len(same) == 1

    def _of_moment(self, found: TaskMatch) -> bool:
        """Whether a task without a named thing is one that is still to be done."""
        return any(
            m is not None and m.task == found.task and self._refs.status[i] not in GONE
            for i, m in self._refs.meanings.items()
        )

    def _prohibition(
        self,
        clause: Clause,
        opening: Opening,
        founds: tuple[TaskMatch, ...],
        who: tuple[str | None, ...],
        before: tuple[str, ...],
    ) -> list[HeardAct] | None:
        """A prohibition: declines its proposal, stops its agent, or drops the subtask."""
        ids = tuple(p.id for found in founds for p in self._refs.proposal_like(found, who))
        if any(f.loose > 1 for f in founds):
            return None
        if any(f.unknown and f.unknown not in UTENSILS for f in founds):
            return None  # "nobody ever cleans this extractor"
        if clause.core[0].key == "nobody" and any(c.kind == "YOU" for c in opening.rest):
            return None  # "nobody stirs like you do"
        if ids and opening.mood != "need not":
            answer = act("decline", clause)
            answer.ids = ids
            return [answer]
        exact: list[TalkSubtask] = []
        for found in founds:
            for subtask in self._context.subtasks:
                meaning = self._refs.meanings[subtask.id]
                if (
                    meaning is None
                    or meaning.task != found.task
                    or not set(found.args) <= set(meaning.args)
                ):
                    continue
                exact.append(subtask)
                if (
                    subtask.status == "running"
                    and subtask.agent in self._refs.robots
                    and opening.mood == "ban"
                ):
                    return [act("stop", clause, agent=subtask.agent)]
        if opening.mood == "refusal" or any(
            k in clause.words.split() for k in ("yet", "now", "first")
        ):
            return None
        if (
            who != (None,)
            and opening.who is not None
            and opening.who.kind == "A"
            and opening.mood == "ban"
        ):
            return None
        remaining = [s.id for s in exact if s.status not in GONE]
        remaining = self._again(clause, remaining) if len(founds) == 1 else remaining
        if remaining and "drop" in self._context.acts:
            return [act("drop", clause, subtasks=remaining[:1] if len(founds) == 1 else remaining)]
        return self.drop(clause, opening.rest, 0, before)
