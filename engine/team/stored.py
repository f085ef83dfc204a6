"""The team as typed state: what is stored, in slots of the world.

What is stored speaks of other things by id alone; ``treec.team.team`` puts the snapshots together
that expressions see, ``treec.team.events`` says how each event changes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

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


@dataclass(frozen=True, slots=True)
class PlanState:
    """A task graph that was made while running, and what became of it.

    `nodes`: the graph's nodes, and the subtask that each of them became; `arms`: who must do which,
    where the plan says so. status: running, done, failed. `number` counts the graphs that were made
    for it, `reason` says why it failed.
    """

    task: str
    text: str
    by: str
    nodes: Mapping[str, str]
    number: int = 1
    status: str = "running"
    reason: str = ""
    arms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


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


SLOTS: Mapping[str, object] = {
    "agents": MappingProxyType({}),
    "subtasks": MappingProxyType({}),
    "plans": MappingProxyType({}),
    "proposals": MappingProxyType({}),
    "utterances": MappingProxyType({}),
    "acts": (),
    "recipe": "",
    "recipe_t": 0.0,
    "counts": MappingProxyType({}),
}
"""The team's slots and what is in them before anything has happened."""
