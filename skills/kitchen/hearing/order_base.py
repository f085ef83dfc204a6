"""Shared by all readers of orders: the context, and the agents that are meant."""

from __future__ import annotations

from treec.skills.kitchen.hearing.acts import HeardAct, act
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.moods import Opening
from treec.skills.kitchen.hearing.references import GONE, Ref, Refs
from treec.skills.kitchen.hearing.tasks import TaskMatch

ORDERS = ("order", "cause", "may")
"""Moods that request something."""
OPEN = ("interrupted", "ready", "queued", "running", "waiting")
"""Statuses of unfinished subtasks, the most urgent first."""


class OrderBase:
    """The agents, the open subtasks, and the agents that an order means."""

    def __init__(self, refs: Refs) -> None:
        self._refs = refs
        self._kitchen = refs.kitchen
        self._context = refs.context
        self._stopped = {a.name for a in refs.context.agents if a.stopped} | {
            s.agent for s in refs.context.subtasks if s.status == "interrupted" and s.agent
        }
        self._working = {s.agent for s in refs.context.subtasks if s.status == "running"}
        self._robots_at_work = any(
            s.status == "running" and s.agent in refs.robots for s in refs.context.subtasks
        )

    def _who(self, opening: Opening, clause: Clause) -> tuple[str | None, ...]:
        if opening.mood in ("offer", "habit", "refusal"):
            return (self._context.user,)
        who = opening.who
        if who is not None and who.kind == "A":
            return who.agents
        if who is not None and who.kind == "I":
            return (self._context.user,)
        if who is not None and who.kind == "OTHERONE":
            busy = {p.agent for p in self._context.proposals} or set(self._stopped)
            other = [r for r in self._refs.robots if r not in busy]
            return (other[0],) if len(other) == 1 else (None,)
        if who is not None and who.kind in ("SOMEONE", "ALL", "WE"):
            return (None,)
        return clause.addressees or (None,)

    def _doers(
        self, ref: Ref, statuses: tuple[tuple[str, ...], ...] = (("running",),)
    ) -> tuple[str, ...]:
        found = self._refs.subtasks(Ref(things=ref.things, tasks=ref.tasks), statuses)
        return tuple(dict.fromkeys(s.agent for s in found if s.agent))

    def _refuse(self, clause: Clause, ref: Ref) -> list[HeardAct] | None:
        ids = self._refs.proposals(ref)
        if not self._context.proposals or ids == ():
            return None
        made = act("decline", clause)
        made.ids, made.bare = ids, ids is None
        return [made]

    def _left_of(self, found: TaskMatch) -> list[str]:
        """The open subtasks of this task, those that can start now first."""
        fitting = [
            s
            for s in self._context.subtasks
            if s.status not in GONE
            and (m := self._refs.meanings[s.id]) is not None
            and m.task == found.task
            and set(found.args) <= set(m.args)
        ]
        return [s.id for s in sorted(fitting, key=lambda s: OPEN.index(s.status))]

    def _slots(self, task: str) -> tuple[str, ...]:
        return next((tuple(t.args) for t in self._context.tasks if t.name == task), ())
