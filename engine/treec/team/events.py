"""Events of the team and their reducers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from treec.frozen import frozen
from treec.graph import descendants
from treec.source.diagnostics import unknown
from treec.team.state import (
    FINISHED,
    FREE,
    WITH_QUEUE,
    ActState,
    AgentState,
    ProposalState,
    SubtaskState,
    UtteranceState,
    by_open_subtask,
    by_status,
    by_work,
)
from treec.world.events import Event, EventRefused, always, event
from treec.world.failures import Failure, LostInFlight, failure_of
from treec.world.journal import Record
from treec.world.persistent import PersistentMap
from treec.world.state import State


@event("agent.joined")
@frozen
class AgentJoined(Event):
    """A robot or a person joined the team."""

    agent: str
    person: bool = always(False)

    def change(self, state: State, record: Record) -> None:
        """Add the agent, idle."""
        _put(state, "agents", self.agent, AgentState(person=self.person))


@event("said")
@frozen
class Said(Event):
    """Somebody said something. A commit numbers utterances without an id."""

    who: str
    text: str
    id: str = ""

    def change(self, state: State, record: Record) -> None:
        """Add the utterance; a person's is still to be read and answered."""
        person = self.who in state["agents"] and state["agents"][self.who].person
        words = UtteranceState(self.who, self.text, record.t, not person, not person)
        _put(state, "utterances", self.id, words)
        _count(state, "utterance")


@event("acts.read")
@frozen
class ActsRead(Event):
    """Utterances were parsed into acts with id, kind, quote, utterance and their own fields."""

    utterances: tuple[str, ...]
    acts: tuple[Mapping[str, Any], ...]

    def change(self, state: State, record: Record) -> None:
        """Add the acts and close the proposals that they decline."""
        for id in self.utterances:
            utterance: UtteranceState = state["utterances"][id]
            open_ = any(act["utterance"] == id for act in (*self.acts, *_act_data(state)))
            _put(state, "utterances", id, replace(utterance, read=True, answered=not open_))
        known = {act.id for act in state["acts"]}
        for act in self.acts:
            if act["id"] in known:
                raise EventRefused(f"there is an act '{act['id']}' already")
            fields = {k: v for k, v in act.items() if k not in ("id", "kind", "quote", "utterance")}
            stored = ActState(act["id"], act["kind"], act["quote"], act["utterance"], fields)
            state["acts"] = (*state["acts"], stored)
            if act["kind"] == "decline":
                for id in act.get("proposals", ()):
                    _decline(state, id, record.t)


def _act_data(state: State) -> list[Mapping[str, Any]]:
    return [{"utterance": act.utterance} for act in state["acts"]]


def _decline(state: State, id: str, t: float) -> None:
    proposal: ProposalState | None = state["proposals"].get(id)
    if proposal is None or proposal.status != "open":
        return
    declined = replace(proposal, status="declined", done=_finished(state), t=t)
    _put(state, "proposals", id, declined)
    if proposal.drop:
        _drop_predecessors(state, proposal.subtask)


def _finished(state: State) -> int:
    subtasks = _entries(state, "subtasks")
    return sum(subtasks.count(by_status, status) for status in FINISHED)


@event("acts.settled")
@frozen
class ActsSettled(Event):
    """A commit settled these acts."""

    acts: tuple[str, ...]

    def change(self, state: State, record: Record) -> None:
        """Remove them; an utterance without unsettled acts is answered."""
        touched = {act.utterance for act in state["acts"] if act.id in self.acts}
        state["acts"] = tuple(act for act in state["acts"] if act.id not in self.acts)
        for id in touched - {act.utterance for act in state["acts"]}:
            _put(state, "utterances", id, replace(state["utterances"][id], answered=True))


@event("proposed")
@frozen
class Proposed(Event):
    """The user was asked whether an agent may do a subtask; with ``drop``, whether to drop it.

    Older open proposals for the same subtask are closed.
    """

    agent: str
    subtask: str
    drop: bool = False
    id: str = ""

    def change(self, state: State, record: Record) -> None:
        """Add the proposal. Refused if the subtask cannot be proposed."""
        _agent(state, self.agent)
        subtask = _subtask(state, self.subtask)
        if subtask.status not in (*FREE, *(("queued", "interrupted") if self.drop else ())):
            raise EventRefused(f"'{self.subtask}' is {subtask.status}: it cannot be proposed")
        _close_proposals(state, self.subtask, "closed")
        proposal = ProposalState(self.agent, self.subtask, drop=self.drop, asked=record.t)
        _put(state, "proposals", self.id, proposal)
        _count(state, "proposal")


@event("subtask.added")
@frozen
class SubtaskAdded(Event):
    """A subtask was added. ``steps`` are its own steps, if no task defines them."""

    id: str
    words: str
    task: str | None = None
    args: Mapping[str, Any] = always({})
    recipe: str | None = None
    after: tuple[str, ...] | None = None
    after_any: tuple[str, ...] | None = None
    steps: str | None = None

    def change(self, state: State, record: Record) -> None:
        """Add it; a dropped one may be added again. Refused if it exists."""
        known = state["subtasks"].get(self.id)
        if known is not None and known.status != "dropped":
            raise EventRefused(f"there is a subtask '{self.id}' already")
        subtask = SubtaskState(
            words=self.words,
            task=self.task,
            args=self.args,
            recipe=self.recipe,
            after=self.after or (),
            after_any=self.after_any or (),
            steps=self.steps,
        )
        _put(state, "subtasks", self.id, subtask)


@event("subtask.waits")
@frozen
class SubtaskWaits(Event):
    """A subtask that has not begun waits for others as well, which were added after it."""

    subtask: str
    after: tuple[str, ...]

    def change(self, state: State, record: Record) -> None:
        """Add them to its predecessors. Refused if it has begun, or if they wait for it."""
        subtask = _subtask(state, self.subtask)
        if subtask.status in (*FINISHED, "running"):
            raise EventRefused(f"'{self.subtask}' is {subtask.status}: it can wait for no other")
        edges = {id: (*s.after, *s.after_any) for id, s in state["subtasks"].items()}
        for id in self.after:
            _subtask(state, id)
            if id == self.subtask or self.subtask in descendants(edges, id):
                raise EventRefused(f"'{id}' itself waits for '{self.subtask}'")
        after = tuple(dict.fromkeys((*subtask.after, *self.after)))
        _put(state, "subtasks", self.subtask, replace(subtask, after=after))


@event("recipe.set")
@frozen
class RecipeSet(Event):
    """The team's recipe was set; ``keeps`` are existing subtasks that become part of it."""

    name: str
    keeps: tuple[str, ...] = always(())

    def change(self, state: State, record: Record) -> None:
        """Drop subtasks of other recipes that have not begun.

        If the previous recipe was finished, its finished subtasks become past.
        """
        over = recipe_finished(state)
        for id, subtask in state["subtasks"].items():
            if over and subtask.status in FINISHED:
                _put(state, "subtasks", id, replace(subtask, past=True))
        for id in self.keeps:
            _put(state, "subtasks", id, replace(_subtask(state, id), recipe=self.name))
        for id, subtask in state["subtasks"].items():
            unfinished = subtask.status in (*FREE, "queued", "interrupted")
            if subtask.recipe not in (None, self.name) and unfinished:
                _remove_from_queues(state, id)
                _put(state, "subtasks", id, replace(subtask, status="dropped", agent=None))
                _close_proposals(state, id, "closed")
        state["recipe"] = self.name
        state["recipe_t"] = record.t


@event("assigned")
@frozen
class Assigned(Event):
    """Subtasks were assigned to an agent, at the end of its queue or first.

    ``helpers`` do them together with the agent.
    """

    agent: str
    subtasks: tuple[str, ...]
    first: bool | None = None
    helpers: tuple[str, ...] = ()

    def change(self, state: State, record: Record) -> None:
        """Queue them. Refused if one is done or running."""
        ids = tuple(dict.fromkeys(self.subtasks))
        _agent(state, self.agent)
        for id in ids:
            subtask = _subtask(state, id)
            if subtask.status == "done":
                raise EventRefused(f"'{id}' is done already")
            if subtask.status == "running":
                raise EventRefused(
                    f"{subtask.agent} is at '{id}' already: it must be stopped first"
                )
            _remove_from_queues(state, id)
            _close_proposals(state, id, "accepted")
            for helper in self.helpers:
                _agent(state, helper)
            queued = replace(
                subtask, status="queued", agent=self.agent, reason="", helpers=self.helpers
            )
            _put(state, "subtasks", id, queued)
            _drop_predecessors(state, id)  # it is wanted even without dropped predecessors
        agent = _agent(state, self.agent)
        queue = (*ids, *agent.queue) if self.first else (*agent.queue, *ids)
        _put(state, "agents", self.agent, _settle(replace(agent, queue=queue)))


@event("subtask.started")
@frozen
class SubtaskStarted(Event):
    """A robot, with its helpers, started a subtask of its queue."""

    agent: str
    subtask: str

    def change(self, state: State, record: Record) -> None:
        """Make it the current one. Refused if the robot or a helper is not free."""
        name, id = self.agent, self.subtask
        agent = _agent(state, name)
        if agent.current is not None:
            raise EventRefused(f"{name} is at '{agent.current}' already")
        if agent.status == "Interrupted":
            raise EventRefused(
                f"{name} is interrupted: it holds its queue until the user agrees to go on"
            )
        if id not in agent.queue:
            raise EventRefused(f"'{id}' is not in the queue of {name}")
        for helper in _subtask(state, id).helpers:
            with_it = _agent(state, helper)
            if with_it.current is not None or with_it.status == "Interrupted":
                raise EventRefused(f"{helper} cannot help {name} with '{id}': it is not free")
            _put(state, "agents", helper, replace(with_it, current=id, status="Running"))
        left = tuple(other for other in agent.queue if other != id)
        _put(state, "agents", name, replace(agent, queue=left, current=id, status="Running"))
        _put(state, "subtasks", id, replace(_subtask(state, id), status="running"))


@event("subtask.done")
@frozen
class SubtaskDone(Event):
    """A subtask is done."""

    subtask: str

    def change(self, state: State, record: Record) -> None:
        """Mark it as done. Refused if it is done already."""
        subtask = _subtask(state, self.subtask)
        if subtask.status == "done":
            raise EventRefused(f"'{self.subtask}' is done already")
        _release(state, self.subtask)
        _close_proposals(state, self.subtask, "closed")
        _put(state, "subtasks", self.subtask, replace(subtask, status="done"))


@event("subtask.failed")
@frozen
class SubtaskFailed(Event):
    """A subtask failed and is no longer assigned.

    ``reason`` is as the module reported it, ``told`` the same in words for people.
    """

    subtask: str
    reason: str = always("")
    agent: str | None = always(None)
    told: str | None = None

    @property
    def failure(self) -> Failure:
        """The reason as data."""
        return failure_of(self.reason)

    def change(self, state: State, record: Record) -> None:
        """Let it be proposed again, or drop it if its recipe is no longer the team's."""
        subtask = _subtask(state, self.subtask)
        if subtask.status in FINISHED:
            raise EventRefused(f"'{self.subtask}' is {subtask.status} already")
        _release(state, self.subtask)
        in_recipe = subtask.recipe in (None, state["recipe"])
        is_lost = isinstance(self.failure, LostInFlight)  # its agent has not failed at it
        by = (subtask.agent,) if subtask.agent and not is_lost else ()
        failed = replace(
            subtask,
            status="failed" if in_recipe else "dropped",
            agent=None,
            reason=self.reason,
            told=self.reason if self.told is None else self.told,
            failures=subtask.failures + (not is_lost),
            tried=(*subtask.tried, *by),
        )
        _put(state, "subtasks", self.subtask, failed)


@event("subtask.dropped")
@frozen
class SubtaskDropped(Event):
    """Subtasks were dropped and will not be done."""

    subtasks: tuple[str, ...]

    def change(self, state: State, record: Record) -> None:
        """Drop them. Refused if one is done."""
        for id in self.subtasks:
            subtask = _subtask(state, id)
            if subtask.status == "done":
                raise EventRefused(f"'{id}' is done already and cannot be dropped")
            _release(state, id)
            _close_proposals(state, id, "closed")
            _put(state, "subtasks", id, replace(subtask, status="dropped", agent=None))


@event("subtask.released")
@frozen
class SubtaskReleased(Event):
    """Subtasks were taken back from whoever had them, and wait for somebody else.

    To propose one to the same agent counts as refused.
    """

    subtasks: tuple[str, ...]

    def change(self, state: State, record: Record) -> None:
        """Take them from their agents. Refused if one is finished, or nobody has it."""
        for id in dict.fromkeys(self.subtasks):
            subtask = _subtask(state, id)
            if subtask.status in FINISHED:
                raise EventRefused(f"'{id}' is {subtask.status} already")
            if subtask.agent is None:
                raise EventRefused(f"'{id}' is assigned to nobody")
            _release(state, id)
            free = replace(subtask, status="waiting", agent=None, helpers=())
            _put(state, "subtasks", id, free)
            refused = ProposalState(subtask.agent, id, "declined", _finished(state), record.t)
            _put(state, "proposals", f"{id}, taken back from {subtask.agent}", refused)


@event("agent.interrupted")
@frozen
class AgentInterrupted(Event):
    """An agent stopped; its current subtask is first in its queue, which it keeps."""

    agent: str
    reason: str | None = None

    def change(self, state: State, record: Record) -> None:
        """Keep its queue; its helpers become idle."""
        agent = _agent(state, self.agent)
        queue, current = agent.queue, agent.current
        if current is not None and not agent.person:
            stopped = replace(_subtask(state, current), status="interrupted")
            _put(state, "subtasks", current, stopped)
            agents = _entries(state, "agents")
            for other in agents.where(by_work, current):
                helper = agents[other]
                if other != self.agent:
                    _put(state, "agents", other, replace(helper, current=None, status="Idle"))
            queue = (current, *queue)
            current = None
        held = replace(agent, status="Interrupted", queue=queue, current=current)
        _put(state, "agents", self.agent, held)


@event("agent.requeued")
@frozen
class AgentRequeued(Event):
    """A robot's current subtask went back to the head of its queue.

    The tree was reloaded, or the run resumed.
    """

    agent: str

    def change(self, state: State, record: Record) -> None:
        """Queue it again; its helpers become idle. Nothing for a helper alone."""
        agent = _agent(state, self.agent)
        id = agent.current
        if id is None or agent.person or _subtask(state, id).agent != self.agent:
            return
        _release(state, id)
        _put(state, "subtasks", id, replace(_subtask(state, id), status="queued"))
        agent = _agent(state, self.agent)
        _put(state, "agents", self.agent, replace(agent, status="Idle", queue=(id, *agent.queue)))


@event("agent.resumed")
@frozen
class AgentResumed(Event):
    """An interrupted agent resumed its queue."""

    agent: str

    def change(self, state: State, record: Record) -> None:
        """Release its queue; nothing if it was not interrupted."""
        agent = _agent(state, self.agent)
        if agent.status != "Interrupted":
            return
        for id in agent.queue:
            subtask = _subtask(state, id)
            if subtask.status == "interrupted":
                _put(state, "subtasks", id, replace(subtask, status="queued"))
        _put(state, "agents", self.agent, _settle(replace(agent, status="Idle")))


def number_entries(state: Mapping[str, Any], events: Iterable[Event]) -> tuple[Event, ...]:
    """The events, with new ids for utterances and proposals."""
    counts = dict(state["counts"])
    found: list[Event] = []
    for new in events:
        if isinstance(new, Said | Proposed) and not new.id:
            what, letter = ("utterance", "u") if isinstance(new, Said) else ("proposal", "p")
            counts[what] = counts.get(what, 0) + 1
            new = replace(new, id=f"{letter}{counts[what]}")
        found.append(new)
    return tuple(found)


def recipe_finished(state: Mapping[str, Any]) -> bool:
    """Whether all subtasks of the team's recipe are finished."""
    name = state["recipe"]
    own = [s for s in state["subtasks"].values() if s.recipe == name and not s.past]
    return bool(name and own) and all(subtask.status in FINISHED for subtask in own)


def _put(state: State, slot: str, key: str, value: object) -> None:
    state[slot] = PersistentMap.of(state[slot]).set(key, value)


def _entries(state: State, slot: str) -> PersistentMap[str, Any]:
    """A slot as one whose groups are kept up to date."""
    entries = state[slot]
    if not isinstance(entries, PersistentMap):
        entries = state[slot] = PersistentMap.of(entries)
    return entries


def _agent(state: State, name: str) -> AgentState:
    try:
        agent: AgentState = state["agents"][name]
    except KeyError:
        raise EventRefused(unknown("agent", name, state["agents"])) from None
    return agent


def _subtask(state: State, id: str) -> SubtaskState:
    try:
        subtask: SubtaskState = state["subtasks"][id]
    except KeyError:
        raise EventRefused(f"unknown subtask '{id}'") from None
    return subtask


def _count(state: State, what: str) -> None:
    _put(state, "counts", what, state["counts"].get(what, 0) + 1)


def _drop_predecessors(state: State, id: str) -> None:
    """Remove dropped subtasks from the predecessors of a subtask."""
    subtask = _subtask(state, id)

    def wanted(others: tuple[str, ...]) -> tuple[str, ...]:
        stored = state["subtasks"]
        return tuple(o for o in others if o not in stored or stored[o].status != "dropped")

    left = replace(subtask, after=wanted(subtask.after), after_any=wanted(subtask.after_any))
    _put(state, "subtasks", id, left)


def _close_proposals(state: State, subtask: str, status: str) -> None:
    proposals = _entries(state, "proposals")
    for id in proposals.where(by_open_subtask, subtask):
        _put(state, "proposals", id, replace(proposals[id], status=status))


def _remove_from_queues(state: State, id: str) -> None:
    agents = _entries(state, "agents")
    for name in agents.where(by_work, WITH_QUEUE):
        agent = agents[name]
        if id in agent.queue:
            left = tuple(other for other in agent.queue if other != id)
            _put(state, "agents", name, _settle(replace(agent, queue=left)))


def _settle(agent: AgentState) -> AgentState:
    """A person's current subtask is always the first of their queue."""
    if not agent.person:
        return agent
    current = agent.queue[0] if agent.queue else None
    return replace(agent, current=current, status="Running" if current else "Idle")


def _release(state: State, id: str) -> None:
    """Take the subtask from its agents and from all queues."""
    agents = _entries(state, "agents")
    for name in agents.where(by_work, id):
        agent = agents[name]
        if not agent.person:
            status = "Idle" if agent.status == "Running" else agent.status
            _put(state, "agents", name, replace(agent, current=None, status=status))
    _remove_from_queues(state, id)
