"""The single acts that an utterance may be, and how its words relate to each.

This lists every yes, no, report, order and choice that is plausible at the moment, each with its
`relations` to the names (as words) and a mark on every word that names its object. `act_model.py`
says how likely each is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from treec import TalkContext, TalkProposal, TalkSubtask
from treec.skills.kitchen.hearing.chunks import Chunk, names_of
from treec.skills.kitchen.hearing.kind_model import about
from treec.skills.kitchen.hearing.references import Refs
from treec.skills.kitchen.hearing.tasks import TaskMatch

Single = tuple[object, ...]
"""A kind and its object: ("accept", "p1"), ("stop", None), ("request", agent, task, args,
first) with the args as sorted pairs.
"""
ANSWERS = ("accept", "decline")
THING, OTHER, AGENT, ELSE, VERB = 1, 2, 4, 8, 16
"""Marks of a word: it names the object of a single act, or another thing; its agent, or another
agent; its task.
"""
_OVER = ("done", "dropped")
_HALTED = ("running", "interrupted")


@dataclass(frozen=True, slots=True)
class Evidence:
    """A single act with its evidence; `marks` has one number per chunk."""

    single: Single
    relations: tuple[str, ...]
    marks: tuple[int, ...]


class ActLike(Protocol):
    """An act of the grammar, or of another parser."""

    @property
    def kind(self) -> str:
        """Its kind."""

    @property
    def fields(self) -> Mapping[str, Any]:
        """Its fields."""


def singles(acts: Iterable[ActLike]) -> frozenset[Single]:
    """The acts as single ones; a remark counts only if there is nothing else."""
    found: set[Single] = set()
    for act in acts:
        fields = act.fields
        if act.kind in ANSWERS:
            found |= {(act.kind, one) for one in _list_field(fields, "proposals")}
        elif act.kind in ("done", "drop"):
            found |= {(act.kind, one) for one in _list_field(fields, "subtasks")} or {
                (act.kind, None)
            }
        elif act.kind in ("stop", "resume"):
            found.add((act.kind, fields.get("agent")))
        elif act.kind == "choose":
            found.add((act.kind, fields.get("recipe")))
        elif act.kind == "request":
            args = fields.get("args")
            pairs = tuple(sorted(args.items())) if isinstance(args, Mapping) else ()
            first = bool(fields.get("first", False))
            found.add((act.kind, fields.get("agent"), fields.get("task"), pairs, first))
        else:
            found.add((act.kind,))
    return frozenset(found - {("remark",)}) or frozenset(found)


def _list_field(fields: Mapping[str, Any], name: str) -> list[str]:
    value = fields.get(name)
    return list(value) if isinstance(value, list | tuple) else []


def possible(
    chunks: Sequence[Chunk], refs: Refs, readings: Iterable[frozenset[Single]]
) -> list[Evidence]:
    """Every plausible single act, in a fixed order."""
    mentions = _Mentions(chunks, refs)
    every = set(mentions.answers()) | mentions.reports() | mentions.halts() | mentions.dishes()
    every |= mentions.orders() | {("ask",), ("remark",)}
    every |= {one for reading in readings for one in reading}
    return [mentions.evidence(one) for one in sorted(every, key=repr)]


class _Mentions:
    """The names of an utterance, in its context."""

    def __init__(self, chunks: Sequence[Chunk], refs: Refs) -> None:
        self.chunks = chunks
        self.refs = refs
        self.context: TalkContext = refs.context
        self.things = names_of(chunks)
        self.verbs = {way[0] for chunk in chunks for way, _ in chunk.verb}
        self.agents = {name for chunk in chunks for name in chunk.agents}
        self.recipes = {chunk.recipe for chunk in chunks if chunk.recipe}
        self.words = {word for chunk in chunks for word in chunk.key.split()}
        self.counts = [chunk.ref or chunk.key for chunk in chunks if chunk.kind == "ORD"]
        self.proposals = {one.id: one for one in self.context.proposals}
        self.subtasks = {one.id: one for one in self.context.subtasks}

    def answers(self) -> set[Single]:
        return {(kind, one) for one in self.proposals for kind in ANSWERS}

    def reports(self) -> set[Single]:
        found: set[Single] = set()
        for one in self.context.subtasks:
            if one.status not in _OVER:
                found.add(("drop", one.id))
            if one.status != "dropped":
                found.add(("done", one.id))
        return found

    def halts(self) -> set[Single]:
        if not (self.context.subtasks or self.context.recipe_name):
            return set()
        team = [agent.name for agent in self.context.agents]
        return {(kind, agent) for kind in ("stop", "resume") for agent in (*team, None)}

    def dishes(self) -> set[Single]:
        near: set[str | None] = {None, *self.recipes, *self.context.offered}
        if not self.context.recipe_name:
            near |= {name for name in self.context.recipes if self._is_named_by_word(name)}
        return {("choose", name) for name in near}

    def orders(self) -> set[Single]:
        """The tasks of the named recipe, for any agent."""
        found: set[Single] = set()
        team = [agent.name for agent in self.context.agents]
        work: dict[str, TaskMatch | None] = {}
        for subtask in self.context.subtasks:
            if subtask.status not in _OVER:
                work[subtask.words] = self.refs.meanings.get(subtask.id)
        for proposal in self.context.proposals:
            work[proposal.words] = self.refs.proposed.get(proposal.id)
        for words, meaning in work.items():
            if meaning is not None and (
                about(words, self.things) or words.split()[0] in self.verbs
            ):
                args = tuple(sorted(meaning.args))
                found |= {("request", who, meaning.task, args, False) for who in (*team, None)}
        return found

    def evidence(self, single: Single) -> Evidence:
        kind = single[0]
        things: set[str] = set()
        agent: object = None
        verb, recipe = "", None
        relations: set[str]
        if kind in ANSWERS and single[1] in self.proposals:
            proposal = self.proposals[str(single[1])]
            relations = self._of_proposal(proposal)
            things, agent, verb = about(proposal.words, self.things), proposal.agent, proposal.words
        elif kind in ("done", "drop") and single[1] in self.subtasks:
            subtask = self.subtasks[str(single[1])]
            relations = self._of_subtask(subtask)
            things, agent, verb = about(subtask.words, self.things), subtask.agent, subtask.words
        elif kind in ("stop", "resume"):
            agent = single[1]
            relations, things = self._of_halt(agent)
        elif kind == "choose":
            recipe = single[1]
            relations = self._of_dish(recipe)
        elif kind == "request":
            agent, verb = single[1], str(single[2])
            relations, things = self._of_order(single)
        else:
            relations = {f"n{min(len(self.proposals), 2)}"}
        marks = tuple(
            self._mark(chunk, things, agent, verb.split()[0] if verb else "", recipe)
            for chunk in self.chunks
        )
        return Evidence(single, tuple(sorted(relations)), marks)

    def _mark(
        self, chunk: Chunk, things: Collection[str], agent: object, verb: str, recipe: object
    ) -> int:
        mark = 0
        if names := chunk.names:
            mark |= THING if names & set(things) else OTHER
        if chunk.agents:
            mark |= AGENT if agent in chunk.agents else ELSE
        if any(way[0] == verb for way, _ in chunk.verb):
            mark |= VERB
        if chunk.recipe:
            mark |= THING if chunk.recipe == recipe else OTHER
        return mark

    def _name_relations(self, words: str, agent: object) -> set[str]:
        """Relations of the work and its agent to the names."""
        mine = about(words, self.things)
        verb = words.split()[0] if words else ""
        found = {"mine" if agent == self.context.user else "robots" if agent else "nobodys"}
        found.add("thing" if mine else "otherthing" if self.things else "nothing")
        if self.verbs:
            found.add("task" if verb in self.verbs else "othertask")
        if agent in self.agents:
            found.add("agent")
        if self.agents - {agent}:
            found.add("otheragent")
        return found

    def _of_proposal(self, one: TalkProposal) -> set[str]:
        every = self.context.proposals
        count, at = len(every), [other.id for other in every].index(one.id)
        found = self._name_relations(one.words, one.agent)
        found |= {f"n{min(count, 3)}", f"i{min(at, 3)}", "last" if at == count - 1 else "notlast"}
        found |= {f"ord:{word}:{at}:{count}" for word in self.counts}
        others = {
            name
            for other in every
            if other.id != one.id
            for name in about(other.words, self.things)
        }
        if others - about(one.words, self.things):
            found.add("othernamed")
        if sum(other.agent == one.agent for other in every) == 1:
            found.add("agentunique")
        return found

    def _of_subtask(self, one: TalkSubtask) -> set[str]:
        user = self.context.user
        alike = [
            other
            for other in self.context.subtasks
            if other.status == one.status and (other.agent == user) == (one.agent == user)
        ]
        found = self._name_relations(one.words, one.agent)
        found |= {f"st:{one.status}", f"like{min(len(alike), 3)}"}
        if any(proposal.subtask == one.id for proposal in self.context.proposals):
            found.add("proposed")
        return found

    def _whose(self, agent: object) -> set[str]:
        """The agent of an order, and whether it is addressed."""
        who = "none" if agent is None else "user" if agent == self.context.user else "robot"
        whether = "named" if agent in self.agents else "unnamed"
        return {who, whether, "somenamed" if self.agents else "nobodynamed"}

    def _of_halt(self, agent: object) -> tuple[set[str], set[str]]:
        halted_subtasks = [one for one in self.context.subtasks if one.status in _HALTED]
        own = [one for one in halted_subtasks if agent and one.agent == agent]
        found = self._whose(agent) | {f"st:{one.status}" for one in own}
        for status in _HALTED:
            found.add(
                f"{status}{len({one.agent for one in halted_subtasks if one.status == status})}"
            )
        things = {name for one in own for name in about(one.words, self.things)}
        if things:
            found.add("itsthing")
        if any(one.words.split()[0] in self.verbs for one in own):
            found.add("itstask")
        return found, things

    def _of_dish(self, name: object) -> set[str]:
        offered_dishes = self.context.offered
        which = "none" if name is None else "named" if name in self.recipes else "notnamed"
        found = {which, f"nr{min(len(self.recipes), 2)}", f"off{min(len(offered_dishes), 3)}"}
        if self.context.recipe_name:
            found.add("chosen")
        if name in offered_dishes:
            at = offered_dishes.index(str(name))
            found |= {f"ord:{word}:{at}:{len(offered_dishes)}" for word in self.counts}
            found |= {"isoffered", f"oi{min(at, 3)}"}
        if isinstance(name, str):
            own = {word for word in name.lower().split() if len(word) > 2}
            found.add(f"hit{sum(map(self._mentions, own))}of{len(own)}")
            rivals = [other for other in self.context.recipes if other != name]
            found.add(f"rivals{min(sum(map(self._is_named_by_word, rivals)), 3)}")
        return found

    def _of_order(self, single: Single) -> tuple[set[str], set[str]]:
        _, agent, task, pairs, first = single
        args = [str(value) for _, value in pairs] if isinstance(pairs, tuple) else []
        verb = str(task).split()[0]
        found = self._whose(agent) | {f"t:{task}", f"args{len(args)}"}
        found.add("first" if first else "notfirst")
        found.add("argsnamed" if all(arg in self.things for arg in args) else "argsnot")
        found.add("tasknamed" if verb in self.verbs else "tasknot")
        if self.things - set(args):
            found.add("morethings")
        for proposal in self.context.proposals:
            if self._same(proposal.words, verb, args):
                found.add("proposedsame" if proposal.agent == agent else "proposedother")
        for subtask in self.context.subtasks:
            if self._same(subtask.words, verb, args):
                whose = "mine" if subtask.agent == self.context.user else "else"
                own = agent is not None and subtask.agent == agent
                found |= {f"sub:{subtask.status}", f"sub:{'own' if own else whose}"}
        return found, set(args)

    def _same(self, words: str, verb: str, args: Sequence[str]) -> bool:
        return words.split()[0] == verb and all(arg in words for arg in args)

    def _mentions(self, word: str) -> bool:
        return bool({word, f"{word}s", word.rstrip("s")} & self.words)

    def _is_named_by_word(self, recipe: str) -> bool:
        return any(self._mentions(word) for word in recipe.lower().split() if len(word) > 3)
