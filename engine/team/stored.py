"""The team as typed state: what is stored, in slots of the world.

What is stored speaks of other things by id alone; ``treec.team.team`` puts the snapshots together
that expressions see, ``treec.team.events`` says how each event changes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from treec.extensions import depends_on_extensions, registry

FINISHED = ("done", "dropped")
FREE = ("waiting", "failed")


@dataclass(frozen=True, slots=True)
class AgentState:
    """An agent's status, its queue of subtask ids, and the one it is at."""

    person: bool = False
    status: str = "Idle"
    queue: tuple[str, ...] = ()
    current: str | None = None


@dataclass(frozen=True, slots=True)
class SubtaskState:
    """A subtask as it stands.

    `steps` are its own, when no task gives them; `helpers` do it together with its agent; `tried`
    are those who failed at it, the last one last.
    """

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


def is_ready(subtask: SubtaskState, others: Mapping[str, SubtaskState]) -> bool:
    """Whether all predecessors of a subtask are done and no agent has it."""

    def is_done(id: str) -> bool:
        return id in others and others[id].status == "done"

    return (
        subtask.status in FREE
        and all(is_done(id) for id in subtask.after)
        and (not subtask.after_any or any(is_done(id) for id in subtask.after_any))
    )


@dataclass(frozen=True, slots=True)
class ProposalState:
    """A proposal. status: open, accepted, declined, closed.

    `done`: subtasks done when it was declined; `t`: when that was. With ``drop`` the subtask would
    be dropped; refused, it goes on without what it waited for.
    """

    agent: str
    subtask: str
    status: str = "open"
    done: int = 0
    t: float = 0.0
    drop: bool = False


@dataclass(frozen=True, slots=True)
class UtteranceState:
    """What was said, and whether it was read and answered."""

    who: str
    text: str
    t: float
    read: bool = False
    answered: bool = False


@dataclass(frozen=True, slots=True)
class ActState:
    """An act that no commit has settled yet; fields speak of things by name or id."""

    id: str
    kind: str
    quote: str
    utterance: str
    fields: Mapping[str, Any]


@lru_cache(maxsize=1)
def empty_slots() -> Mapping[str, object]:
    """The state slots of treec and of extensions, with what is in them before the first event."""
    return {name: slot.empty for name, slot in registry().slots.items()}


depends_on_extensions(empty_slots.cache_clear)
