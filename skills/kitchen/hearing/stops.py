"""Stopping, waiting and resuming."""

from __future__ import annotations

from collections.abc import Sequence

from treec.skills.kitchen.hearing.acts import HeardAct, act
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.moods import Opening
from treec.skills.kitchen.hearing.order_base import OrderBase
from treec.skills.kitchen.hearing.references import Ref
from treec.skills.kitchen.hearing.tasks import TaskMatch
from treec.skills.kitchen.hearing.words import word_set

_WHILE = word_set("moment second sec minute tick mo while bit")
_RESTING = word_set("rest break breather pause five")


def _a_while(clause: Clause) -> bool:
    """ "Hold the tomatoes for a moment": a temporary hold waits and does not drop."""
    return any(c.kind == "FLOAT" and _WHILE & set(c.key.split()) for c in clause.chunks)


class Stops(OrderBase):
    """Reads orders that stop agents, and that resume stopped ones."""

    def _stop(self, clause: Clause, opening: Opening) -> list[HeardAct] | None:
        head, tail = opening.rest[0], opening.rest[1:]
        idle = not set(self._who(opening, clause)) & self._working
        if (head.key.startswith("stay") and not self._robots_at_work) or (
            _RESTING & set(head.key.split()) and idle and opening.who is not None
        ):
            return self._wait(clause, opening)  # "R2 should stay put": nobody is on the move
        ref, plain = self._tail(tail)
        is_enough = head.key.startswith(("that is", "that will", "enough")) and not self._working
        if is_enough and not self._stopped and ref.empty:
            return self._refuse(clause, ref)  # "that's enough", of what is proposed
        if not plain or (head.key.startswith("freeze") and (ref.pronoun or ref.things)):
            return None
        if head.key in ("rest", "cut", "kill it") and not (ref.empty and not ref.pronoun):
            return None
        if ref.things and not ref.tasks and not self._doers(ref):
            keeps_off = head.key.startswith(("hands", "no more", "no further"))
            return self._refuse(clause, ref) if keeps_off else None
        if opening.who is not None and opening.who.kind == "I":
            return None
        agents: tuple[str | None, ...] = self._who(opening, clause)
        if ref.agents and (agents == (None,) or not ref.tasks):
            other = opening.who is None and not ref.tasks  # "R2, halt the arm"
            agents = ref.agents if other or agents == (None,) else agents
        elif agents == (None,) and (ref.tasks or ref.things):
            agents = self._doers(ref) or (None,)
        if agents == (self._context.user,):
            return None
        return [act("stop", clause, agent=agent) for agent in agents]

    def _wait(self, clause: Clause, opening: Opening) -> list[HeardAct] | None:
        """Waiting: stops robots at work, declines what they would do next."""
        ref, plain = self._tail(opening.rest[1:])
        waits = opening.rest[0].key != "hold" or _a_while(clause)
        doers = self._doers(ref) if waits and (ref.things or ref.tasks) else ()
        is_waiting = len(opening.rest) > 1 and opening.rest[1].kind == "for" and ref.things
        is_waiting = is_waiting or (opening.rest[0].key.endswith(" for") and ref.things)
        if (is_waiting and self._context.proposals and opening.who is None) or (
            is_waiting and not doers
        ):
            return self._refuse(clause, Ref())  # "wait for the ranch": nobody at it is stopped
        if set(doers) & set(self._refs.robots):  # "hang on with the tomatoes"
            return [act("stop", clause, agent=agent) for agent in doers]
        if not plain or ref.things or ref.tasks:
            return None
        agents = self._who(opening, clause)
        agents = ref.agents if agents == (None,) and ref.agents else agents
        agents_named = tuple(a for a in agents if a)
        working = {s.agent for s in self._context.subtasks if s.status == "running"}
        if (agents_named and set(agents_named) & working) or (
            not agents_named and working & set(self._refs.robots)
        ):
            return [act("stop", clause, agent=agent) for agent in agents]
        return self._refuse(clause, Ref(agents=agents_named))

    def _tail(self, tail: Sequence[Chunk]) -> tuple[Ref, bool]:
        """What follows a verb of stopping or resuming, and whether all of it is understood."""
        ref = self._refs.read(tail)
        all_known = (
            "A",
            "O",
            "IT",
            "ORD",
            "ALL",
            "THEY",
            "V",
            "with",
            "to",
            "in",
            "into",
            "of",
            "the",
            "YOU",
            "R",
            "DET",
            "on",
            "HEAD",
            "what",
            "are",
            "is",
            "was",
            "were",
            "now",
            "work",
            "and",
            "that",
            "do",
        )
        plain = all(
            c.kind in all_known
            or c.key in ("doing", "work", "working", "soup", "salad", "moving", "at")
            for c in tail
        )
        plain = plain and all(
            bool(c.verb) or c.of("DO") or c.of("GO") for c in tail if c.kind == "V"
        )
        if not plain and (ref.things or ref.tasks or ref.agents):
            odd = [c for c in tail if not (c.kind in all_known or c.key in ("doing", "work"))]
            plain = len(odd) == 1 and odd[0].kind in ("W", "V")
        return ref, plain and len(tail) <= 8

    def _go(self, clause: Clause, opening: Opening) -> list[HeardAct] | None:
        rest = opening.rest
        if len(rest) == 3 and rest[1].kind == "for" and rest[2].kind == "O" and not self._stopped:
            fetch = self._kitchen.fetch(rest[2].things[0])  # "off you go for the tomatoes"
            return self._task(clause, opening, (fetch,)) if fetch is not None else None
        ref, plain = self._tail(opening.rest[1:])
        odd = [c for c in opening.rest[1:] if c.kind == "W"]
        if clause.asks and opening.who is not None and opening.who.kind == "SOMEONE":
            return None  # "can one of you go?"
        if not plain and not (self._stopped and len(odd) <= 2 and len(opening.rest) <= 6):
            return None
        agents: tuple[str | None, ...] = self._who(opening, clause)
        cheers = opening.rest[0].key == "go" and opening.who is None and len(opening.rest) > 1
        cheers |= opening.rest[0].key == "go" and clause.words.startswith("let it")
        if agents == (self._context.user,) or cheers:
            return None
        if ref.agents and agents == (None,):
            agents = ref.agents
        if agents == (None,) and (ref.tasks or ref.things):
            found = self._refs.subtasks(
                Ref(things=ref.things, tasks=ref.tasks), (("interrupted",), ("running",))
            )
            agents = tuple(dict.fromkeys(s.agent for s in found if s.agent)) or (None,)
            if agents == (None,) and not self._stopped:
                return None
        pair = self._refs.robots_of(opening.who) if opening.who is not None else ()
        if (
            pair
            and not self._stopped
            and any(p.agent == self._context.user for p in self._context.proposals)
        ):
            agents = pair  # "you two go ahead": not the person as well
        return self.resume(clause, agents)

    def _task(
        self,
        clause: Clause,
        opening: Opening,
        founds: tuple[TaskMatch, ...],
        before: tuple[str, ...] = (),
    ) -> list[HeardAct] | None:
        """Requests of tasks."""
        raise NotImplementedError

    def resume(self, clause: Clause, agents: tuple[str | None, ...]) -> list[HeardAct]:
        """Resuming: after a stop it resumes, else it accepts open proposals, else it means
        nothing.
        """
        agents_named = tuple(a for a in agents if a)
        if self._stopped and (not agents_named or set(agents_named) & self._stopped):
            return [act("resume", clause, agent=agent) for agent in agents]
        ids = tuple(
            p.id for p in self._context.proposals if not agents_named or p.agent in agents_named
        )
        if ids:
            made = act("accept", clause)
            made.ids, made.bare = (ids, False) if agents_named else (None, True)
            return [made]
        if agents_named and self._stopped:
            return [act("resume", clause, agent=agent) for agent in agents]
        return [act("remark", clause)]

    def _release(self, clause: Clause, opening: Opening) -> list[HeardAct] | None:
        """ "You needn't wait any longer", "now you can walk again": indirect ways to resume."""
        head = opening.rest[0]
        if not self._stopped:
            return None
        is_released = opening.mood in ("ban", "need not") and (
            head.of("WAIT", opening.form) or head.of("STOP", opening.form)
        )
        if is_released and clause.words.endswith(("longer", "more", "anymore", "now", "wait")):
            return self.resume(clause, self._who(opening, clause))
        return None

    def _moves(self, clause: Clause, opening: Opening) -> bool:
        """ "Now you can walk again": any activity "again" resumes an agent that was stopped."""
        again = any(c.key == "again" for c in clause.chunks)
        again |= len(opening.rest) == 1 and opening.rest[0].key in ("move", "drive")
        free = opening.mood == "may" and opening.who is not None and opening.who.kind != "I"
        return bool(again and free and self._stopped and len(opening.rest) <= 2) and not any(
            c.kind == "O" for c in opening.rest
        )
