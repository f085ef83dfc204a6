"""What a parser of a person's words is told about the moment: plain data, no engine behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TalkAgent:
    """Somebody who can be spoken to or about. Stopped: it waits until it is told to go on."""

    name: str
    also: tuple[str, ...] = ()
    person: bool = False
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class TalkProposal:
    """A proposal that waits for an answer: this agent does this subtask."""

    id: str
    agent: str
    subtask: str
    words: str


@dataclass(frozen=True, slots=True)
class TalkSubtask:
    """Its status: waiting, ready, queued, running, interrupted, done, dropped or failed."""

    id: str
    words: str
    status: str
    agent: str | None = None


@dataclass(frozen=True, slots=True)
class TalkTask:
    """A kind of subtask: how people say it, and its arguments' types by name."""

    name: str
    says: tuple[str, ...]
    args: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class TalkObject:
    """A thing of the scene; types are its own and all that it is by inheritance."""

    name: str
    also: tuple[str, ...] = ()
    types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TalkContext:
    """The moment in which words are read; proposals are the open ones, oldest first.

    `offered` are the recipes that the assistant named when it last spoke, in the order of its
    words: what "the first one", "yes" and "that" may mean while nothing is chosen.
    """

    agents: tuple[TalkAgent, ...]
    user: str
    proposals: tuple[TalkProposal, ...]
    subtasks: tuple[TalkSubtask, ...]
    recipes: tuple[str, ...]
    recipe_name: str
    tasks: tuple[TalkTask, ...]
    objects: tuple[TalkObject, ...]
    acts: tuple[str, ...]
    offered: tuple[str, ...] = ()
