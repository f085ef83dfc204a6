"""Builds the world that an example's `given` describes.

A node sees only the given values, but actions look up subtasks by name, and contracts their agents.
Everything that `given` names is therefore put into the world.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from treec.files.view import View
from treec.nodes.observation import plain
from treec.team.entities import Act, Agent, Proposal, Subtask, Utterance
from treec.team.knowledge import Knowledge, knowledge_of
from treec.team.state import (
    ActState,
    AgentState,
    ProposalState,
    SubtaskState,
    UtteranceState,
)
from treec.world.world import World
from treec_testing.decisions.stored_world import StoredWorld

USER_INPUT = "user_input"
ALL_WORK = ("work", "subtasks")
"""Names that hold all work there is; where they are given, nothing of the recipe is added."""

LATER = 1000
"""Ids of new utterances and proposals start here, above those that are given."""


def given_world(knowledge: Knowledge, values: Mapping[str, object], *, unread: bool) -> StoredWorld:
    """The world of typed values by name; with ``unread`` the user's words are still to be read."""
    stored = StoredWorld()
    stored.state = {n: plain(v) for n, v in values.items() if n in knowledge.view.state}
    recipe = str(stored.state.get("recipe_name") or "")
    known = knowledge.recipe_file(recipe) is not None
    lists_work = any(values.get(name) for name in ALL_WORK)
    builder = _WorldBuilder(knowledge, recipe if known and not lists_work else None)
    for name, value in values.items():
        builder.add(name, value)
    builder.block_subtasks()
    builder.assign_queues()
    builder.add_user_input(values.get(USER_INPUT), unread)
    stored.slots.update(
        agents=builder.agents,
        subtasks=builder.subtasks,
        proposals=builder.proposals,
        utterances=builder.utterances,
        acts=tuple(builder.acts),
        recipe=recipe if known else "",
        counts={"utterance": LATER, "proposal": LATER},
    )
    return stored


def example_world(view: View, values: Mapping[str, object]) -> World:
    """A world of typed values by name, whose words are still to be read. Raises ValueError."""
    return given_world(knowledge_of(view), values, unread=True).world(view)


class _WorldBuilder:
    """The state as built so far."""

    def __init__(self, knowledge: Knowledge, recipe: str | None) -> None:
        self.knowledge = knowledge
        people = knowledge.people
        self.agents = {n: AgentState(person=n in people) for n in knowledge.view.agents}
        self.subtasks: dict[str, SubtaskState] = dict(_of_recipe(knowledge, recipe))
        self.proposals: dict[str, ProposalState] = {}
        self.utterances: dict[str, UtteranceState] = {}
        self.acts: list[ActState] = []
        self._named: set[str] = set()
        self._blocked: list[str] = []

    def add(self, name: str, value: object) -> None:
        """Add the value of a name and every entity nested in it."""
        if isinstance(value, Mapping):
            for item in value.values():
                self.add(name, item)
        elif isinstance(value, list | tuple):
            for item in value:
                self.add(name, item)
        elif isinstance(value, Subtask):
            self._subtask(name, value)
        elif isinstance(value, Agent):
            self.add(name, [*value.queue, value.current])
            if value.name in self.agents and name != "acts":
                self.agents[value.name] = _agent(value)
        elif isinstance(value, Proposal):
            self.add("", value.subtask)
            self._proposal(value, "open")
        elif isinstance(value, Act):
            self._act(value)
        elif isinstance(value, Utterance):
            words = UtteranceState(value.who, value.text, 0.0, read=True, answered=True)
            self.utterances[self._free_id(value.id)] = words

    def _subtask(self, name: str, thing: Subtask) -> None:
        known = self.subtasks.get(thing.id)
        bare = thing.status == "waiting"
        if thing.id in self.agents or (thing.id in self._named and bare and not name):
            return  # an agent in a derived list, or a reference to a described subtask
        self._named.add(thing.id)
        waits = known is not None and not thing.ready
        status = "done" if name == "completed" and bare else thing.status
        self.subtasks[thing.id] = SubtaskState(
            words=thing.words,
            task=thing.task,
            args=dict(thing.args),
            recipe=thing.recipe or (known.recipe if known is not None else None),
            after=thing.after or (known.after if known is not None and waits else ()),
            after_any=thing.after_any or (known.after_any if known is not None and waits else ()),
            status=status,
            agent=thing.agent,
            reason=thing.reason,
            failures=thing.failures,
            past=thing.past,
        )
        if name == "blocked":
            self._blocked.append(thing.id)

    def block_subtasks(self) -> None:
        """Let each blocked subtask depend on a dropped one."""
        for id in self._blocked:
            state = self.subtasks[id]
            before = (self.subtasks.get(one) for one in (*state.after, *state.after_any))
            if any(one is not None and one.status == "dropped" for one in before):
                continue
            predecessor = f"what comes before {id}"
            self.subtasks[predecessor] = SubtaskState(predecessor, status="dropped")
            self.subtasks[id] = replace(state, after=(predecessor,))

    def _proposal(self, thing: Proposal, status: str) -> None:
        self.proposals[thing.id] = ProposalState(
            thing.agent.name, thing.subtask.id, status, drop=thing.drop
        )

    def _act(self, act: Act) -> None:
        fields = {name: plain(value, 1) for name, value in act.fields.items()}
        self.acts.append(ActState(act.id, act.kind, act.quote, act.utterance, fields))
        for value in act.fields.values():
            for item in value if isinstance(value, tuple) else (value,):
                if isinstance(item, Proposal):
                    self.add("", item.subtask)
                    if act.kind == "decline":  # reading the words closed it
                        self._proposal(item, "declined")
                    else:
                        self.proposals.setdefault(
                            item.id, ProposalState(item.agent.name, item.subtask.id, drop=item.drop)
                        )
                elif isinstance(item, Subtask):
                    self.add("", item)

    def assign_queues(self) -> None:
        """Set the agent and status of the subtasks in queues and in progress."""
        for name, agent in self.agents.items():
            held = dict.fromkeys(agent.queue, "queued")
            if agent.current is not None:
                held[agent.current] = "running"
            for id, status in held.items():
                if id in self.subtasks:
                    self.subtasks[id] = replace(self.subtasks[id], agent=name, status=status)

    def add_user_input(self, words: object, unread: bool) -> None:
        """Add the user's words: those of the given acts, or words that are not understood yet."""
        people = self.knowledge.view.people
        speaker = people[0] if people else "user"
        for act in self.acts:
            text = str(words) if words else act.quote
            self.utterances[act.utterance] = UtteranceState(speaker, text, 0.0, read=True)
        if words and not self.acts:
            words = UtteranceState(speaker, str(words), 0.0, read=not unread)
            self.utterances[self._free_id("u1")] = words

    def _free_id(self, id: str) -> str:
        number, candidate = 1, id
        while candidate in self.utterances:
            number, candidate = number + 1, f"{id}_{number + 1}"
        return candidate


def _of_recipe(knowledge: Knowledge, name: str | None) -> Iterator[tuple[str, SubtaskState]]:
    model = knowledge.recipe_file(name) if name is not None else None
    for id, spec in model.subtasks.items() if model is not None else ():
        words = str(spec.do or id)
        bound = knowledge.words.match(words)
        yield (
            id,
            SubtaskState(
                words=words,
                task=bound.task if bound else None,
                args=dict(bound.args) if bound else {},
                recipe=name,
                after=tuple(spec.after),
                after_any=tuple(spec.after_any),
            ),
        )


def _agent(thing: Agent) -> AgentState:
    current = thing.current.id if thing.current is not None else None
    status = "Running" if current is not None and thing.status == "Idle" else thing.status
    return AgentState(thing.person, status, tuple(s.id for s in thing.queue), current)
