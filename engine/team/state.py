"""How each event changes the team's stored state.

Every function below is a reducer: it is called with the slots and a record after the record is in
the journal, and raises Refused when the event cannot be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from treec.team.plans import REDUCERS as PLANS
from treec.team.stored import (
    FINISHED,
    FREE,
    ActState,
    AgentState,
    ProposalState,
    SubtaskState,
    UtteranceState,
)
from treec.world.journal import Record
from treec.world.world import Refused

State = MutableMapping[str, Any]
Reducer = Callable[[State, Record], None]


def _data(record: Record) -> Mapping[str, Any]:
    """What a record tells; its fields are as the reducer's docstring says."""
    return record.data


def _put(state: State, slot: str, key: str, value: object) -> None:
    state[slot] = MappingProxyType({**state[slot], key: value})


def _agent(state: State, name: str) -> AgentState:
    try:
        agent: AgentState = state["agents"][name]
    except KeyError:
        raise Refused(f"'{name}' is no agent of this team") from None
    return agent


def _subtask(state: State, id: str) -> SubtaskState:
    try:
        subtask: SubtaskState = state["subtasks"][id]
    except KeyError:
        raise Refused(f"'{id}' is no subtask") from None
    return subtask


def _count(state: State, what: str) -> None:
    _put(state, "counts", what, state["counts"].get(what, 0) + 1)


def joined(state: State, record: Record) -> None:
    """agent.joined {agent, person}: somebody is part of the team."""
    _put(state, "agents", _data(record)["agent"], AgentState(person=_data(record)["person"]))


def said(state: State, record: Record) -> None:
    """said {id, who, text}: words enter the conversation."""
    data = _data(record)
    person = data["who"] in state["agents"] and state["agents"][data["who"]].person
    words = UtteranceState(data["who"], data["text"], record.t, not person, not person)
    _put(state, "utterances", data["id"], words)
    _count(state, "utterance")


def acts_read(state: State, record: Record) -> None:
    """acts.read {utterances, acts}: words are read; what they decline is no longer open."""
    for id in _data(record)["utterances"]:
        utterance: UtteranceState = state["utterances"][id]
        open_ = any(act["utterance"] == id for act in _data(record)["acts"]) or any(
            act.utterance == id for act in state["acts"]
        )
        _put(state, "utterances", id, replace(utterance, read=True, answered=not open_))
    known = {act.id for act in state["acts"]}
    for act in _data(record)["acts"]:
        if act["id"] in known:
            raise Refused(f"there is an act '{act['id']}' already")
        fields = {k: v for k, v in act.items() if k not in ("id", "kind", "quote", "utterance")}
        stored = ActState(act["id"], act["kind"], act["quote"], act["utterance"], fields)
        state["acts"] = (*state["acts"], stored)
        if act["kind"] == "decline":
            for id in act.get("proposals", ()):
                if id in state["proposals"] and state["proposals"][id].status == "open":
                    stored = state["proposals"][id]
                    closed = replace(stored, status="declined", done=_done(state), t=record.t)
                    _put(state, "proposals", id, closed)
                    if closed.drop:
                        _go_on_without(state, closed.subtask)


def _go_on_without(state: State, id: str) -> None:
    """The subtask waits no longer for those that were dropped."""
    subtask = _subtask(state, id)

    def wanted(others: tuple[str, ...]) -> tuple[str, ...]:
        stored = state["subtasks"]
        return tuple(o for o in others if o not in stored or stored[o].status != "dropped")

    kept = replace(subtask, after=wanted(subtask.after), after_any=wanted(subtask.after_any))
    _put(state, "subtasks", id, kept)


def _done(state: State) -> int:
    return sum(1 for subtask in state["subtasks"].values() if subtask.status in FINISHED)


def acts_settled(state: State, record: Record) -> None:
    """acts.settled {acts}: a commit has dealt with these acts."""
    gone = set(_data(record)["acts"])
    touched = {act.utterance for act in state["acts"] if act.id in gone}
    state["acts"] = tuple(act for act in state["acts"] if act.id not in gone)
    open_ = {act.utterance for act in state["acts"]}
    for id in touched - open_:
        _put(state, "utterances", id, replace(state["utterances"][id], answered=True))


def proposed(state: State, record: Record) -> None:
    """proposed {id, agent, subtask, drop}: the user is asked whether this agent may do that.

    With ``drop`` they are asked whether it shall be dropped. An older question about the same
    subtask is closed: a yes or no is to the one that was asked last.
    """
    data = _data(record)
    _agent(state, data["agent"])
    subtask = _subtask(state, data["subtask"])
    drop = bool(data.get("drop", False))
    if subtask.status not in (*FREE, *(("queued", "interrupted") if drop else ())):
        raise Refused(f"'{data['subtask']}' is {subtask.status}: it cannot be proposed")
    _close_proposals(state, data["subtask"], "closed")
    stored = ProposalState(data["agent"], data["subtask"], drop=drop)
    _put(state, "proposals", data["id"], stored)
    _count(state, "proposal")


def _close_proposals(state: State, subtask: str, status: str) -> None:
    for id, proposal in state["proposals"].items():
        if proposal.subtask == subtask and proposal.status == "open":
            _put(state, "proposals", id, replace(proposal, status=status))


def subtask_added(state: State, record: Record) -> None:
    """subtask.added {id, words, task, args, recipe, after, after_any, steps}.

    A dropped one may return.
    """
    data = _data(record)
    known = state["subtasks"].get(data["id"])
    if known is not None and known.status != "dropped":
        raise Refused(f"there is a subtask '{data['id']}' already")
    subtask = SubtaskState(
        words=data["words"],
        task=data.get("task"),
        args=data.get("args") or {},
        recipe=data.get("recipe"),
        after=tuple(data.get("after", ())),
        after_any=tuple(data.get("after_any", ())),
        steps=data.get("steps"),
    )
    _put(state, "subtasks", data["id"], subtask)


def recipe_set(state: State, record: Record) -> None:
    """recipe.set {name, keeps}: what is cooked now; work on another recipe not begun is dropped.

    When the recipe before it was cooked to its end, all that is finished is past. What the new one
    `keeps` of other work is its own from now on.
    """
    name = _data(record)["name"]
    over = cooked(state)
    for id, subtask in state["subtasks"].items():
        if over and subtask.status in FINISHED:
            _put(state, "subtasks", id, replace(subtask, past=True))
    for id in _data(record).get("keeps", ()):
        _put(state, "subtasks", id, replace(_subtask(state, id), recipe=name))
    for id, subtask in state["subtasks"].items():
        unfinished = subtask.status in (*FREE, "queued", "interrupted")
        if subtask.recipe not in (None, name) and unfinished:
            _remove_from_queues(state, id)
            _put(state, "subtasks", id, replace(subtask, status="dropped", agent=None))
            _close_proposals(state, id, "closed")
    state["recipe"] = name
    state["recipe_t"] = record.t


def cooked(state: Mapping[str, Any]) -> bool:
    """Whether nothing is left to do of the recipe that is set."""
    name = state["recipe"]
    own = [s for s in state["subtasks"].values() if s.recipe == name and not s.past]
    return bool(name and own) and all(subtask.status in FINISHED for subtask in own)


def _remove_from_queues(state: State, id: str) -> None:
    for name, agent in state["agents"].items():
        if id in agent.queue:
            left = tuple(other for other in agent.queue if other != id)
            _put(state, "agents", name, _settle(replace(agent, queue=left)))


def _settle(agent: AgentState) -> AgentState:
    """A person is at the first subtask of their queue; nobody starts it for them."""
    if not agent.person:
        return agent
    current = agent.queue[0] if agent.queue else None
    return replace(agent, current=current, status="Running" if current else "Idle")


def assigned(state: State, record: Record) -> None:
    """assigned {agent, subtasks, first, helpers}: the subtasks are that agent's now.

    They stand at the end of its queue or first; the helpers do them with it.
    """
    data = _data(record)
    ids = tuple(dict.fromkeys(data["subtasks"]))
    _agent(state, data["agent"])
    for id in ids:
        subtask = _subtask(state, id)
        if subtask.status == "done":
            raise Refused(f"'{id}' is done already")
        if subtask.status == "running":
            raise Refused(f"{subtask.agent} is at '{id}' already: it must be stopped first")
        _remove_from_queues(state, id)
        _close_proposals(state, id, "accepted")
        helpers = tuple(data.get("helpers", ()))
        for helper in helpers:
            _agent(state, helper)
        held = replace(subtask, status="queued", agent=data["agent"], reason="", helpers=helpers)
        _put(state, "subtasks", id, held)
        _go_on_without(state, id)  # asked for or agreed to, though something before it was dropped
    agent = _agent(state, data["agent"])
    queue = (*ids, *agent.queue) if data.get("first") else (*agent.queue, *ids)
    _put(state, "agents", data["agent"], _settle(replace(agent, queue=queue)))


def started(state: State, record: Record) -> None:
    """subtask.started {agent, subtask}: a robot takes it from its queue and is at it.

    Its helpers are at it, too.
    """
    name, id = _data(record)["agent"], _data(record)["subtask"]
    agent = _agent(state, name)
    if agent.current is not None:
        raise Refused(f"{name} is at '{agent.current}' already")
    if agent.status == "Interrupted":
        raise Refused(f"{name} is interrupted: it holds its queue until the user agrees to go on")
    if id not in agent.queue:
        raise Refused(f"'{id}' is not in the queue of {name}")
    for helper in _subtask(state, id).helpers:
        with_it = _agent(state, helper)
        if with_it.current is not None or with_it.status == "Interrupted":
            raise Refused(f"{helper} cannot help {name} with '{id}': it is not free")
        _put(state, "agents", helper, replace(with_it, current=id, status="Running"))
    left = tuple(other for other in agent.queue if other != id)
    _put(state, "agents", name, replace(agent, queue=left, current=id, status="Running"))
    _put(state, "subtasks", id, replace(_subtask(state, id), status="running"))


def _release(state: State, id: str) -> None:
    """Nobody is at the subtask any more, and nobody has it queued."""
    for name, agent in state["agents"].items():
        if agent.current == id and not agent.person:
            status = "Idle" if agent.status == "Running" else agent.status
            _put(state, "agents", name, replace(agent, current=None, status=status))
    _remove_from_queues(state, id)


def done(state: State, record: Record) -> None:
    """subtask.done {subtask}: it is done, whoever had it."""
    id = _data(record)["subtask"]
    subtask = _subtask(state, id)
    if subtask.status == "done":
        raise Refused(f"'{id}' is done already")
    _release(state, id)
    _close_proposals(state, id, "closed")
    _put(state, "subtasks", id, replace(subtask, status="done"))


def failed(state: State, record: Record) -> None:
    """subtask.failed {subtask, reason, told}: whoever had it has it no more.

    It can be proposed again, unless its recipe was given up while it was under way. `told` is the
    reason in words for people.
    """
    id = _data(record)["subtask"]
    subtask = _subtask(state, id)
    if subtask.status in FINISHED:
        raise Refused(f"'{id}' is {subtask.status} already")
    _release(state, id)
    reason = str(_data(record).get("reason", ""))
    told = str(_data(record).get("told", reason))
    count = subtask.failures + 1
    wanted = subtask.recipe in (None, state["recipe"])
    status = "failed" if wanted else "dropped"
    gone = replace(
        subtask,
        status=status,
        agent=None,
        reason=reason,
        told=told,
        failures=count,
        tried=(*subtask.tried, *((subtask.agent,) if subtask.agent else ())),
    )
    _put(state, "subtasks", id, gone)


def dropped(state: State, record: Record) -> None:
    """subtask.dropped {subtasks}: nobody shall do these; they are not done."""
    for id in _data(record)["subtasks"]:
        subtask = _subtask(state, id)
        if subtask.status == "done":
            raise Refused(f"'{id}' is done already and cannot be dropped")
        _release(state, id)
        _close_proposals(state, id, "closed")
        _put(state, "subtasks", id, replace(subtask, status="dropped", agent=None))


def interrupted(state: State, record: Record) -> None:
    """agent.interrupted {agent}: it stops; what it was at stands first in its held queue."""
    name = _data(record)["agent"]
    agent = _agent(state, name)
    queue, current = agent.queue, agent.current
    if current is not None and not agent.person:
        _put(state, "subtasks", current, replace(_subtask(state, current), status="interrupted"))
        for other, helper in state["agents"].items():
            if helper.current == current and other != name:
                _put(state, "agents", other, replace(helper, current=None, status="Idle"))
        queue = (current, *queue)
        current = None
    _put(state, "agents", name, replace(agent, status="Interrupted", queue=queue, current=current))


def requeued(state: State, record: Record) -> None:
    """agent.requeued {agent}: what a robot is at goes back to the head of its queue."""
    name = _data(record)["agent"]
    agent = _agent(state, name)
    if agent.current is None or agent.person:
        return
    _put(state, "subtasks", agent.current, replace(_subtask(state, agent.current), status="queued"))
    queue = (agent.current, *agent.queue)
    _put(state, "agents", name, replace(agent, status="Idle", queue=queue, current=None))


def resumed(state: State, record: Record) -> None:
    """agent.resumed {agent}: it goes on with its queue."""
    name = _data(record)["agent"]
    agent = _agent(state, name)
    if agent.status != "Interrupted":
        return  # it goes on anyway
    for id in agent.queue:
        subtask = _subtask(state, id)
        if subtask.status == "interrupted":
            _put(state, "subtasks", id, replace(subtask, status="queued"))
    _put(state, "agents", name, _settle(replace(agent, status="Idle")))


REDUCERS: Mapping[str, Reducer] = {
    "agent.joined": joined,
    "said": said,
    "acts.read": acts_read,
    "acts.settled": acts_settled,
    "proposed": proposed,
    "subtask.added": subtask_added,
    "recipe.set": recipe_set,
    "assigned": assigned,
    "subtask.started": started,
    "subtask.done": done,
    "subtask.failed": failed,
    "subtask.dropped": dropped,
    "agent.interrupted": interrupted,
    "agent.resumed": resumed,
    "agent.requeued": requeued,
    **PLANS,
}
"""The team's events and their reducers."""
