"""The team as expressions and actions see it: entities built from the world's state.

A snapshot is built once for each version of the team's slots.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from operator import is_, itemgetter
from typing import Any, cast

from treec.files.types import BOOL, ListOf, Misfit, Names, Type, coerce, parse_type
from treec.source.errors import EvaluationProblem
from treec.source.objects import name_of
from treec.team.conversation import Conversation
from treec.team.crew import Crew
from treec.team.entities import (
    Act,
    Acts,
    Agent,
    Proposal,
    Recipe,
    Subtask,
    Task,
    Utterance,
)
from treec.team.knowledge import Knowledge
from treec.team.state import FINISHED, ActState, ProposalState
from treec.team.talk import TalkContext
from treec.team.talk_subtasks import TalkSubtasks
from treec.team.work import Candidates, ProposalLists, Work
from treec.world.facts import FactError
from treec.world.failures import Unmet, failure_of, root_cause
from treec.world.world import World

MOST_FAILURES = 2
"""Failures of a subtask after which no robot is proposed for it, only a person."""
_slots = itemgetter("utterances", "subtasks", "recipe", "agents", "proposals", "acts")


class TeamSnapshot(Names):
    """All entities of one version of the slots."""

    def __init__(
        self, state: Mapping[str, Any], knowledge: Knowledge, earlier: TeamSnapshot | None = None
    ) -> None:
        """``earlier`` is the previous snapshot; entities that have not changed are reused."""
        self.slots: tuple[object, ...] = _slots(state)
        self._knowledge = knowledge
        self.types, self.things = knowledge.view.types, knowledge.view.things
        talk: Conversation = earlier.talk if earlier is not None else Conversation({}, ())
        self.talk: Conversation = talk.at(state["utterances"], knowledge.people)
        before = None if earlier is None else earlier.work
        self.work: Work = Work.of(state["subtasks"], state["recipe"], before)
        self.subtasks: Mapping[str, Subtask] = self.work.subtasks
        self.crew: Crew = Crew.of(
            state["agents"], self.work, knowledge, None if earlier is None else earlier.crew
        )
        self.agents: Mapping[str, Agent] = self.crew.agents
        self._proposals: Mapping[str, ProposalState] = state["proposals"]
        said = None if earlier is None else earlier.asked
        self.asked: ProposalLists = ProposalLists.of(self._proposals, said)
        known = {} if earlier is None else {p.id: p for p in earlier.open}
        self.open: tuple[Proposal, ...] = tuple(
            self._open_proposal(id, known.get(id)) for id in self.asked.open
        )
        self.acts = Acts(knowledge.act_kinds, ())  # acts do not refer to acts
        self.acts = Acts(knowledge.act_kinds, tuple(map(self.act_of, state["acts"])))

    @property
    def utterances(self) -> Mapping[str, Utterance]:
        """All utterances by id."""
        return self.talk.utterances

    @cached_property
    def proposals(self) -> Mapping[str, Proposal]:
        """All proposals by id, also those that are closed."""
        return {id: self._proposal(id, p) for id, p in self._proposals.items()}

    def _proposal(self, id: str, stored: ProposalState) -> Proposal:
        agent, subtask = self.agents[stored.agent], self.subtasks[stored.subtask]
        return Proposal(id, agent, subtask, stored.drop)

    def _open_proposal(self, id: str, known: Proposal | None) -> Proposal:
        """An open proposal; the known one, if its agent and its subtask are the same."""
        found = self._proposal(id, self._proposals[id])
        if known is None or known.agent is not found.agent or known.subtask is not found.subtask:
            return found
        return known

    def act_of(self, act: ActState) -> Act:
        """The act with its fields resolved to entities."""
        declared = self._knowledge.act_fields.get(act.kind, {})
        fields: dict[str, object] = {}
        for name, kind in declared.items():
            value = act.fields.get(name)
            if isinstance(kind, str):
                value = self.resolve(parse_type(kind), value)
            else:
                value = value if value is not None else {}
            if isinstance(value, Task):
                args = act.fields.get("args") or {}
                value = self._knowledge.task(value.name, args) or value
            fields[name] = value
        return Act(act.id, act.kind, act.quote, act.utterance, fields)

    def resolve(self, kind: Type, value: object) -> object:
        """The entity of a type by its stored id or name.

        Unknown ones are None, and left out of lists.
        """
        if isinstance(kind, ListOf):
            items = value if isinstance(value, list | tuple) else ()
            found = (self.resolve(kind.item, item) for item in items)
            return tuple(item for item in found if item is not None)
        if value is None:
            return False if kind == BOOL else None
        entity = coerce(kind, value, self)
        return None if isinstance(entity, Misfit) else entity

    # Resolving names

    def listed_names(self, kind: str) -> Collection[str] | None:
        """The names of a type's entities: the team's, and the library's tasks and recipes."""
        match kind:
            case "Task":
                return self._knowledge.tasks
            case "Recipe":
                return self._knowledge.recipes
            case "Subtask":
                return self.subtasks
            case "Proposal":
                return self._proposals
            case "Utterance":
                return self.utterances
            case "Act":
                return [act.id for act in self.acts]
        return None

    def entity(self, kind: str, value: object) -> object | None:
        """The entity of a type by its name or id; things are their names."""
        name = value if isinstance(value, str) else name_of(value)
        if name is None:
            return None
        match kind:
            case "Subtask":
                return self.subtasks.get(name)
            case "Proposal":
                stored = self._proposals.get(name)
                return None if stored is None else self._proposal(name, stored)
            case "Task":
                return self._knowledge.task(name)
            case "Recipe":
                return self._knowledge.recipe(name)
            case "Utterance":
                return self.utterances.get(name)
            case "Act":
                return next((act for act in self.acts if act.id == name), None)
        found = super().entity(kind, name)
        return self.agents.get(name) if found and self.types.is_a(kind, "Agent") else found


def can_begin(subtask: Subtask, others: Mapping[str, Subtask]) -> bool:
    """Whether the predecessors of an assigned subtask are done, so that it can begin."""
    return all(others[o].status == "done" for o in subtask.after if o in others) and (
        not subtask.after_any
        or any(others[o].status == "done" for o in subtask.after_any if o in others)
    )


def _is_free_to_help(agent: Agent | None) -> bool:
    return agent is not None and agent.current is None and agent.status != "Interrupted"


class Team:
    """Read-only access to the team's state, which only events change."""

    def __init__(self, world: World, knowledge: Knowledge) -> None:
        self.world = world
        self.knowledge = knowledge
        self.talk_subtasks = TalkSubtasks()
        self.last_talk: tuple[TeamSnapshot, tuple[str, ...], TalkContext] | None = None
        """The last version for which a parser's context was made; see `talk_context`."""
        self._version = -1
        self._last_candidates: tuple[object, Candidates] | None = None
        self._snapshot: TeamSnapshot | None = None

    def use(self, knowledge: Knowledge) -> None:
        """Switch to another library."""
        self.knowledge = knowledge
        self._snapshot = None
        self._last_candidates = None

    @property
    def now(self) -> TeamSnapshot:
        """The snapshot of the current version of the world."""
        snapshot, version = self._snapshot, self.world.version
        if snapshot is None or self._version != version:
            if snapshot is None or not all(map(is_, snapshot.slots, _slots(self.world.state))):
                snapshot = TeamSnapshot(self.world.state, self.knowledge, snapshot)
            self._snapshot, self._version = snapshot, version
        return snapshot

    @property
    def agents(self) -> tuple[Agent, ...]:
        """All agents, in order of name."""
        return self.now.crew.listed

    @property
    def subtasks(self) -> tuple[Subtask, ...]:
        """All subtasks, in the order in which they were added."""
        return self.now.work.listed

    @property
    def work(self) -> tuple[Subtask, ...]:
        """Current subtasks: of the recipe, requested in addition, or still unfinished."""
        return self.now.work.current

    @property
    def blocked(self) -> tuple[Subtask, ...]:
        """Unfinished subtasks that wait for dropped ones."""
        known = self.now.subtasks

        def is_dropped(id: str) -> bool:
            return id in known and known[id].status == "dropped"

        return tuple(
            s
            for s in self.subtasks
            if s.status not in (*FINISHED, "running")
            and (
                any(map(is_dropped, s.after)) or (s.after_any and all(map(is_dropped, s.after_any)))
            )
        )

    def needs(self, subtask: Subtask) -> tuple[Subtask, ...]:
        """The predecessors of a subtask that were not dropped."""
        known = self.now.subtasks
        before = (known[id] for id in (*subtask.after, *subtask.after_any) if id in known)
        return tuple(other for other in before if other.status != "dropped")

    @property
    def user_input(self) -> str:
        """The user's unanswered utterances as one text."""
        return " ".join(u.text for u in self.now.talk.waiting)

    @property
    def unread(self) -> tuple[Utterance, ...]:
        """Utterances that were not read yet, in order."""
        return self.now.talk.unread

    @property
    def chat(self) -> tuple[Utterance, ...]:
        """The whole conversation."""
        return self.now.talk.chat

    def agent(self, name: object) -> Agent | None:
        """An agent by name or entity."""
        return name if isinstance(name, Agent) else self.now.agents.get(str(name))

    def subtask(self, name: object) -> Subtask | None:
        """The current subtask of an id, words or entity; for a task, its unfinished subtask."""
        if isinstance(name, Subtask):
            return self.now.subtasks.get(name.id, name)
        if isinstance(name, Task):
            return self.same_task(name)
        text = " ".join(str(name).split()).lower()
        found = self.now.subtasks.get(str(name))
        if found is not None:
            return found
        return next(
            (
                s
                for s in self.now.subtasks.values()
                if s.words.lower() == text and s.status not in FINISHED
            ),
            None,
        )

    def same_task(self, task: Task) -> Subtask | None:
        """The unfinished subtask with this task and these arguments."""
        args = dict(task.args)
        for subtask in self.now.subtasks.values():
            same = subtask.task == task.name and dict(subtask.args) == args
            if same and subtask.status not in FINISHED:
                return subtask
        return None

    def takeable(self, agent: str) -> Subtask | None:
        """The first subtask in an agent's queue that can begin; None if it is interrupted."""
        snapshot = self.now
        found = snapshot.agents.get(agent)
        if found is None or found.status == "Interrupted":
            return None
        for subtask in found.queue:
            free = all(_is_free_to_help(snapshot.agents.get(name)) for name in subtask.helpers)
            if free and can_begin(subtask, snapshot.subtasks):
                return subtask
        return None

    def declined(self, agent: str, subtask: str, since: float = -1.0) -> bool:
        """Whether the user declined this after ``since`` and no subtask was finished after that."""
        snapshot = self.now
        return any(
            p.agent == agent
            and p.subtask == subtask
            and not p.drop
            and p.done == snapshot.work.finished
            and p.t > since
            for p in snapshot.asked.declined
        )

    def refused(self, subtask: str) -> bool:
        """Whether the subtask was declined for any agent and none was finished after that."""
        return any(self.declined(agent, subtask) for agent in self.now.agents)

    @property
    def last_refusal(self) -> float:
        """Time at which the user last declined a proposal, in seconds; 0 if never."""
        return max((p.t for p in self.now.asked.declined), default=0.0)

    def suggest(
        self, available: object, agents: object, since: float = -1.0, ahead: int = 0
    ) -> tuple[Mapping[str, object], ...]:
        """Proposals to make: at most one for each free agent, robots before people.

        An agent is free if it is idle, can begin nothing in its queue and has no open proposal.
        What was declined up to ``since`` may be proposed again. What is left is for robots at work
        with fewer than ``ahead`` subtasks in their queues, to be done next.
        """
        taken = {p.subtask.id for p in self.now.open}
        busy = {p.agent.name for p in self.now.open if not p.drop}
        wanted = self._candidates(available)
        found: list[Mapping[str, object]] = []
        team = [a for a in _items(agents) if isinstance(a, Agent)]
        free = sorted(filter(self._is_free, team), key=lambda a: (a.person, a.name))
        at_work = [a for a in team if a.status == "Running" and not a.person and a not in free]
        late = sorted((a for a in at_work if len(a.queue) < ahead), key=lambda a: a.name)
        for agent in (*free, *late):
            if agent.name in busy:
                continue
            for subtask in wanted.for_agent(self.knowledge, agent):
                if subtask.id in taken or not self._may_try(agent, subtask):
                    continue
                if self.declined(agent.name, subtask.id, since):
                    continue
                if agent.person and self._robot_could(subtask):
                    continue
                found.append({"agent": agent, "subtask": subtask})
                taken.add(subtask.id)
                break
        return tuple(found)

    def _candidates(self, available: object) -> Candidates:
        """What may be proposed; kept as long as the list is the same object."""
        if self._last_candidates is None or self._last_candidates[0] is not available:
            subtasks = _items(available)
            if {*map(type, subtasks)} != {Subtask}:
                subtasks = tuple(s for s in subtasks if isinstance(s, Subtask))
            self._last_candidates = available, Candidates(cast("tuple[Subtask, ...]", subtasks))
        return self._last_candidates[1]

    def _is_free(self, agent: Agent) -> bool:
        others = self.now.subtasks
        waits = not any(can_begin(subtask, others) for subtask in agent.queue)
        return agent.status == "Idle" and agent.current is None and waits

    def _robot_could(self, subtask: Subtask) -> bool:
        return any(not a.person and self._may_try(a, subtask) for a in self.now.agents.values())

    def _may_try(self, agent: Agent, subtask: Subtask) -> bool:
        """Whether an agent is able; a robot only if robots did not fail too often.

        Nor if it failed last because of a precondition: trying again establishes none.
        """
        if not self.knowledge.able(agent.name, subtask.task):
            return False
        if agent.person:
            return True
        unmet = isinstance(root_cause(failure_of(subtask.reason)), Unmet)
        last = subtask.tried[-1:] == (agent.name,)
        return subtask.failures < MOST_FAILURES and not (last and unmet)

    def fact(self, name: str, args: Sequence[object]) -> object:
        """A fact's value, with agents as entities; None if it is unknown or an argument is None.

        An unknown fact without a value type is False. Raises EvaluationProblem.
        """
        if any(arg is None for arg in args):
            return None
        try:
            found = self.world.facts.get(name, [str(arg) for arg in args])
        except FactError as error:
            raise EvaluationProblem(str(error)) from None
        kind = self.knowledge.view.facts[name].value
        if found is None or found.source == "unknown":
            return None if kind else False
        if kind is not None and isinstance(found.value, str):
            return self.agent(found.value) or found.value
        return found.value

    def recipe(self, name: object) -> Recipe | None:
        """A recipe by name, ignoring case, or by entity."""
        if isinstance(name, Recipe):
            return name
        text = str(name).lower()
        known = next((n for n in self.knowledge.recipes if n.lower() == text), str(name))
        return self.knowledge.recipe(known)


def _items(value: object) -> tuple[object, ...]:
    return tuple(value) if isinstance(value, list | tuple) else ()
