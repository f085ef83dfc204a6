"""The team's state: dataclasses of the world's state slots.

They refer to each other by id. ``treec.team.events`` has the reducers, ``treec.team.team`` builds
the entities that expressions see.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache
from typing import Any

from treec.extensions import depends_on_extensions, registry
from treec.frozen import frozen

FINISHED = ("done", "dropped")
FREE = ("waiting", "failed")


@frozen
class AgentState:
    """An agent's status, its queue of subtask ids, and its current subtask."""

    person: bool = False
    status: str = "Idle"
    queue: tuple[str, ...] = ()
    current: str | None = None


@frozen
class SubtaskState:
    """A subtask; see `treec.team.entities.Subtask` for its fields."""

    words: str
    task: str | None = None
    args: Mapping[str, Any] = field(default_factory=dict)
    recipe: str | None = None
    after: tuple[str, ...] = ()
    after_any: tuple[str, ...] = ()
    status: str = "waiting"
    agent: str | None = None
    reason: str = ""
    told: str = ""
    failures: int = 0
    past: bool = False
    steps: str | None = None
    helpers: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()


WITH_QUEUE = ("has a queue",)
"""The group of agents with something in their queue; see :func:`by_work`."""


def by_work(agent: AgentState) -> tuple[object, ...]:
    """The groups of an agent: its current subtask's, and that of agents with a queue."""
    current = () if agent.current is None else (agent.current,)
    return (*current, WITH_QUEUE) if agent.queue else current


def by_status(entry: SubtaskState | ProposalState) -> tuple[str, ...]:
    """The group of a subtask or proposal: its status."""
    return (entry.status,)


def by_open_subtask(proposal: ProposalState) -> tuple[str, ...]:
    """The group of an open proposal: its subtask."""
    return (proposal.subtask,) if proposal.status == "open" else ()


def is_ready(subtask: SubtaskState, others: Mapping[str, SubtaskState]) -> bool:
    """Whether all predecessors of a subtask are done and no agent has it."""

    def is_done(id: str) -> bool:
        return id in others and others[id].status == "done"

    return (
        subtask.status in FREE
        and all(is_done(id) for id in subtask.after)
        and (not subtask.after_any or any(is_done(id) for id in subtask.after_any))
    )


@frozen
class ProposalState:
    """A proposal. status: open, accepted, declined or closed. asked: when it was, in seconds.

    done: number of finished subtasks when it was declined; t: time of that, in seconds. drop: the
    proposal is to drop the subtask; if declined, the subtask no longer waits for dropped ones.
    """

    agent: str
    subtask: str
    status: str = "open"
    done: int = 0
    t: float = 0.0
    drop: bool = False
    asked: float = 0.0


@frozen
class UtteranceState:
    """An utterance, and whether it was read and answered."""

    who: str
    text: str
    t: float
    read: bool = False
    answered: bool = False


@frozen
class ActState:
    """An unsettled act; its fields refer to things by name or id."""

    id: str
    kind: str
    quote: str
    utterance: str
    fields: Mapping[str, Any]


@lru_cache(maxsize=1)
def empty_slots() -> Mapping[str, object]:
    """All state slots with their initial values, those of extensions included."""
    return {name: slot.empty for name, slot in registry().slots.items()}


depends_on_extensions(empty_slots.cache_clear)
