"""Entities of expressions, prompts and answers: agents, subtasks, proposals, acts.

Entities are immutable snapshots of one version of the world. An entity equals the text of its name
(``__treec_name__``), so that ``subtask == 'get crate'`` holds; ``treec_fields`` lists the fields
that expressions may read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import ClassVar

from treec.frozen import frozen


class _Named:
    """Whose first field is its name, and the text that it equals."""

    __slots__ = ()
    treec_fields: ClassVar[tuple[str, ...]]

    @property
    def __treec_name__(self) -> str:
        return str(getattr(self, self.treec_fields[0]))

    def __str__(self) -> str:
        return self.__treec_name__


@frozen
class Subtask(_Named):
    """A subtask.

    status: waiting (not assigned), queued, running, interrupted, done, dropped or failed. ready:
    not assigned, and all its predecessors are done. reason: why it failed, as the module reported
    it; told: the same in words for people. past: part of a recipe that was finished before the
    current one. helpers: agents that do it together with its agent; tried: agents that failed at
    it, in order. steps: its own steps, if no task defines them.
    """

    treec_fields: ClassVar[tuple[str, ...]] = (
        *("id", "words", "task", "args", "recipe", "after", "after_any", "status", "agent"),
        *("ready", "reason", "told", "failures", "past", "helpers", "tried"),
    )
    id: str
    words: str
    task: str | None = None
    args: Mapping[str, object] = field(default_factory=dict)
    recipe: str | None = None
    after: tuple[str, ...] = ()
    after_any: tuple[str, ...] = ()
    status: str = "waiting"
    agent: str | None = None
    ready: bool = False
    reason: str = ""
    told: str = ""
    failures: int = 0
    past: bool = False
    helpers: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()
    steps: str | None = None


@frozen
class Agent(_Named):
    """A robot or a person with its abilities and its queue.

    status: Idle, Running or Interrupted (keeps its queue until the user lets it resume).
    """

    treec_fields: ClassVar[tuple[str, ...]] = (
        *("name", "type", "about", "can", "status", "queue", "current", "person"),
    )
    name: str
    type: str
    about: str
    can: tuple[str, ...]
    status: str
    queue: tuple[Subtask, ...]
    current: Subtask | None
    person: bool


@frozen
class Proposal(_Named):
    """An open proposal to the user: the agent would do the subtask, or with ``drop``, drop it."""

    treec_fields: ClassVar[tuple[str, ...]] = ("id", "agent", "subtask", "drop")
    id: str
    agent: Agent
    subtask: Subtask
    drop: bool = False

    def __str__(self) -> str:
        what = "drop " if self.drop else ""
        return f"{self.agent.name}: {what}{self.subtask.words}"


@frozen
class Task(_Named):
    """A kind of subtask, with arguments if it was asked for with them."""

    treec_fields: ClassVar[tuple[str, ...]] = ("name", "about", "args", "words")
    name: str
    about: str = ""
    args: Mapping[str, object] = field(default_factory=dict)
    words: str = ""

    def __str__(self) -> str:
        return self.words or self.name


@frozen
class Recipe(_Named):
    """A recipe of the library."""

    treec_fields: ClassVar[tuple[str, ...]] = ("name", "about", "subtasks")
    name: str
    about: str
    subtasks: tuple[str, ...]


@frozen
class Utterance(_Named):
    """An utterance. `read`: its acts are known; `answered`: they are settled."""

    treec_fields: ClassVar[tuple[str, ...]] = ("id", "who", "text", "t", "read", "answered")
    id: str
    who: str
    text: str
    t: float
    read: bool
    answered: bool

    def __str__(self) -> str:
        return f"{self.who}: {self.text}"


class Act:
    """A dialogue act of the user; `quote` is the words that express it."""

    __slots__ = ("fields", "id", "kind", "quote", "utterance")
    treec_fields: ClassVar[tuple[str, ...]] = ("id", "kind", "quote", "utterance")

    def __init__(
        self, id: str, kind: str, quote: str, utterance: str, fields: Mapping[str, object]
    ) -> None:
        self.id = id
        self.kind = kind
        self.quote = quote
        self.utterance = utterance
        self.fields = fields

    @property
    def __treec_name__(self) -> str:
        return self.id

    def __treec_get__(self, name: str) -> object:
        if name in self.treec_fields:
            return getattr(self, name)
        return self.fields[name]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Act) and other.id == self.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __str__(self) -> str:
        fields = ", ".join(f"{key}: {_text(value)}" for key, value in self.fields.items())
        return f"{self.id} {self.kind}({fields})" if fields else f"{self.id} {self.kind}"

    def __repr__(self) -> str:
        return f"<Act {self}>"


def _text(value: object) -> str:
    if isinstance(value, Proposal):
        return f"{value.id} {value}"
    if isinstance(value, tuple | list):
        return ", ".join(map(_text, value))
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_text(item)}" for name, item in value.items()) or "none"
    if value is None or isinstance(value, bool):
        return {None: "none", True: "true", False: "false"}[value]
    return str(value)


class ActList(tuple[Act, ...]):
    """Acts of one kind; reading a field concatenates that field of all acts."""

    __slots__ = ()
    treec_joins: ClassVar[bool] = True

    def __treec_get__(self, name: str) -> object:
        joined: list[object] = []
        for act in self:
            value = act.__treec_get__(name)
            if isinstance(value, tuple | list):
                joined.extend(value)
            else:
                joined.append(value)
        return tuple(joined)


class Acts(tuple[Act, ...]):
    """All unsettled acts, as a list and by kind: `acts.accept.proposals`."""

    kinds: tuple[str, ...]

    def __new__(cls, kinds: tuple[str, ...], acts: tuple[Act, ...]) -> Acts:
        """Create it with the kinds that the readings declare."""
        made = super().__new__(cls, acts)
        made.kinds = kinds
        return made

    @property
    def treec_fields(self) -> tuple[str, ...]:
        """The kinds of acts."""
        return self.kinds

    def __treec_get__(self, kind: str) -> ActList:
        if kind not in self.kinds:
            raise KeyError(kind)
        return ActList(act for act in self if act.kind == kind)
