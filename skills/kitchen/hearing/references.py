"""Resolve references to proposals, subtasks and agents: names, numbers, verbs, pronouns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from treec import TalkContext, TalkProposal, TalkSubtask
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.tasks import TaskMatch, TaskVocabulary
from treec.skills.kitchen.hearing.words import name_words

GONE = ("done", "dropped", "failed")
CUTTING = frozenset({"chop", "slice", "prepare", "wash", "peel", "grate", "mash"})
"""Tasks that are often named by each other's verbs."""
_COUNTED = {"first": 0, "second": 1, "third": 2, "last": -1}


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference. `things` are the alternatives for each thing named."""

    things: tuple[tuple[str, ...], ...] = ()
    places: tuple[tuple[str, ...], ...] = ()
    tasks: tuple[frozenset[str], ...] = ()
    agents: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()
    pronoun: bool = False
    everyone: bool = False
    dish: bool = False
    loose: int = 0

    @property
    def empty(self) -> bool:
        """Whether it names nothing in particular."""
        return not (self.things or self.tasks or self.agents or self.counts)


class Refs:
    """Resolves references in one context."""

    def __init__(self, context: TalkContext, kitchen: TaskVocabulary) -> None:
        self.context = context
        self.kitchen = kitchen
        self.meanings: dict[str, TaskMatch | None] = {
            s.id: kitchen.meaning(s.words) for s in context.subtasks
        }
        self.proposed: dict[str, TaskMatch | None] = {
            p.id: kitchen.meaning(p.words) for p in context.proposals
        }
        self.status = {s.id: s.status for s in context.subtasks}
        self.robots = tuple(a.name for a in context.agents if not a.person)
        self.user = context.user
        self.dish = frozenset(name_words(context.recipe_name)) | {"soup", "salad"}

    def read(self, chunks: Iterable[Chunk]) -> Ref:
        """The reference that a sequence of chunks makes."""
        found = Ref()
        joint = ""
        for chunk in chunks:
            kind = chunk.kind
            if kind == "O":
                if joint in ("into", "in", "on", "to", "from", "onto", "at") and (
                    found.things or found.tasks
                ):
                    found = replace(found, places=(*found.places, *chunk.things))
                else:
                    found = replace(found, things=(*found.things, *chunk.things))
            elif kind == "A":
                found = replace(found, agents=(*found.agents, *chunk.agents))
            elif kind == "I" or chunk.ref == "mine":
                found = replace(found, agents=(*found.agents, self.user))
            elif chunk.ref == "yours":
                found = replace(found, agents=(*found.agents, *self.robots))
            elif kind == "ALL":
                found = replace(found, everyone=True)
            elif kind == "ORD":
                found = replace(found, counts=(*found.counts, chunk.ref))
            elif kind in ("IT", "THEY"):
                found = replace(found, pronoun=True)
            elif kind == "R":
                found = replace(found, dish=True)
            elif chunk.verb and kind in ("V", "DONE", "ADJ"):
                found = replace(found, tasks=(*found.tasks, self.kitchen.tasks_of(chunk)))
            elif kind == "OTHERONE":
                found = replace(found, counts=(*found.counts, "other"))
            elif kind == "W":
                if chunk.key not in ("soup", "salad", "work", "dish"):
                    found = replace(found, loose=found.loose + 1)
                else:
                    found = replace(found, dish=True)
            joint = kind
        return found

    def resolve_names(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The names as the work uses them: "the onions" its spring onions, if it has no others."""
        about = {v for m in self.meanings.values() if m is not None for _, v in m.args}
        if about & set(names):
            return names
        last = {name_words(name)[-1:] for name in names}
        kin = [v for v in sorted(about) if name_words(v)[-1:] in last]
        return (kin[0],) if len(kin) == 1 else names

    def robots_of(self, chunk: Chunk) -> tuple[str, ...]:
        """The robots, if a plural means them and not the whole team."""
        pair = len(self.robots) == 2 and {"two", "both", "pair"} & set(chunk.key.split())
        plural = {"robots", "bots", "machines", "arms"} & set(chunk.key.split())
        return self.robots if chunk.kind == "ALL" and (pair or plural) else ()

    def proposals(self, ref: Ref) -> tuple[str, ...] | None:
        """The open proposals referred to; None for all of them, if nothing is named."""
        every = self.context.proposals
        if ref.counts:
            ids: list[str] = []
            for count in ref.counts:
                ids += self._by_ordinal(count, ref, [p.id for p in every])
            return tuple(dict.fromkeys(ids))
        if ref.empty:
            return None
        matches = [p.id for p in every if self._fits(ref, p.agent, self.proposed[p.id])]
        if (ref.things and len(ref.things) > 1) or len(ref.agents) > 1:
            return tuple(matches)
        return tuple(matches)

    def _by_ordinal(self, count: str, ref: Ref, ids: Sequence[str]) -> list[str]:
        plural = replace(ref, counts=())
        if not plural.empty:
            remaining = self.proposals(plural) or ()
            ids = (
                [i for i in ids if i in remaining]
                if count in ("all", "both", "neither")
                else list(ids)
            )
        if count in _COUNTED:
            place = _COUNTED[count]
            return [ids[place]] if -len(ids) <= place < len(ids) else []
        if count in ("firsttwo", "lasttwo"):
            return list(ids[:2] if count == "firsttwo" else ids[-2:])
        if count in ("both", "all", "neither", "rest", "other"):
            return list(ids)
        return []

    def _fits(self, ref: Ref, agent: str | None, meaning: TaskMatch | None) -> bool:
        if ref.agents and agent not in ref.agents:
            return False
        return self._about(ref, meaning)

    def _about(self, ref: Ref, meaning: TaskMatch | None) -> bool:
        """Whether a subtask's meaning has one of the things and one of the tasks."""
        if not ref.things and not ref.tasks and not ref.places:
            return True
        if meaning is None:
            return False
        values = {value for _, value in meaning.args}
        if ref.tasks and not any(meaning.task in tasks for tasks in ref.tasks):
            return False
        if ref.places and not any(values & set(names) for names in ref.places):
            return ref.tasks == () and False
        return not ref.things or any(values & set(names) for names in ref.things)

    def subtasks(self, ref: Ref, statuses: Sequence[Sequence[str]]) -> tuple[TalkSubtask, ...]:
        """The subtasks referred to, from the first group of statuses that has any."""
        for group in statuses:
            found = [
                s
                for s in self.context.subtasks
                if s.status in group and self._about(ref, self.meanings[s.id])
            ]
            if found:
                return tuple(found)
        return ()

    def proposal_of(
        self, found: TaskMatch, agents: Iterable[str | None]
    ) -> tuple[TalkProposal, ...]:
        """The open proposals of exactly this task, to one of these agents or to anybody."""
        names = tuple(agents)
        return tuple(
            p
            for p in self.context.proposals
            if (None in names or p.agent in names)
            and (meaning := self.proposed[p.id]) is not None
            and meaning.task == found.task
            and set(found.args) <= set(meaning.args)
        )

    def proposal_like(
        self, found: TaskMatch, agents: Iterable[str | None]
    ) -> tuple[TalkProposal, ...]:
        """The same, with cutting, washing and preparing taken for one another."""
        names = tuple(agents)
        exact = self.proposal_of(found, names)
        return exact or tuple(
            p
            for p in self.context.proposals
            if (None in names or p.agent in names)
            and (meaning := self.proposed[p.id]) is not None
            and {meaning.task, found.task} <= CUTTING
            and set(found.args) & set(meaning.args)
        )

    def at(self, agent: str | None) -> TalkSubtask | None:
        """The current subtask of an agent."""
        return next(
            (s for s in self.context.subtasks if s.agent == agent and s.status == "running"), None
        )
