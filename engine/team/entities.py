"""What expressions, prompts and answers speak of: agents, subtasks, proposals, acts.

Entities are frozen snapshots, made anew whenever the world has changed. Each has a name
(``__treec_name__``) by which it equals a text, so that ``subtask == 'get crate'`` holds, and
says in ``treec_fields`` which of its fields an expression may read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Subtask:
    """A piece of work with words, a state, and perhaps somebody who has it.

    status: waiting (nobody has it), queued, running, interrupted, done, dropped, failed.
    ready: all that must come before it is done, and nobody has it yet.
    told: why it failed, in words for people; reason: as the module gave it.
    past: of a recipe that was finished before this one.
    helpers: who does it together with its agent; tried: who failed at it, the last one last.
    steps: its own, when no task gives them.
    """

    treec_fields: ClassVar[tuple[str, ...]] = (
        "id",
        "words",
        "task",
        "args",
        "recipe",
        "after",
        "after_any",
        "status",
        "agent",
        "ready",
        "reason",
        "told",
        "failures",
        "past",
        "helpers",
        "tried",
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

    @property
    def __treec_name__(self) -> str:
        return self.id

    def __str__(self) -> str:
        return self.id


@dataclass(frozen=True, slots=True)
class Agent:
    """A robot or a person: what it can do and what it has to do.

    status: Idle, Running or Interrupted (its queue is held until the user agrees to go on).
    """

    treec_fields: ClassVar[tuple[str, ...]] = (
        "name",
        "type",
        "about",
        "can",
        "status",
        "queue",
        "current",
        "person",
    )
    name: str
    type: str
    about: str
    can: tuple[str, ...]
    status: str
    queue: tuple[Subtask, ...]
    current: Subtask | None
    person: bool

    @property
    def __treec_name__(self) -> str:
        return self.name

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something proposed to the user and not yet answered: this agent would do that subtask.

    With ``drop`` it would be dropped.
    """

    treec_fields: ClassVar[tuple[str, ...]] = ("id", "agent", "subtask", "drop")
    id: str
    agent: Agent
    subtask: Subtask
    drop: bool = False

    @property
    def __treec_name__(self) -> str:
        return self.id

    def __str__(self) -> str:
        what = "drop " if self.drop else ""
        return f"{self.agent.name}: {what}{self.subtask.words}"


@dataclass(frozen=True, slots=True)
class Task:
    """A kind of subtask, bound to things when somebody asked for it with them."""

    treec_fields: ClassVar[tuple[str, ...]] = ("name", "about", "args", "words")
    name: str
    about: str = ""
    args: Mapping[str, object] = field(default_factory=dict)
    words: str = ""

    @property
    def __treec_name__(self) -> str:
        return self.name

    def __str__(self) -> str:
        return self.words or self.name


@dataclass(frozen=True, slots=True)
class Recipe:
    """A task graph the library knows."""

    treec_fields: ClassVar[tuple[str, ...]] = ("name", "about", "subtasks")
    name: str
    about: str
    subtasks: tuple[str, ...]

    @property
    def __treec_name__(self) -> str:
        return self.name

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something somebody said. `read`: its acts are known; `answered`: they are settled."""

    treec_fields: ClassVar[tuple[str, ...]] = ("id", "who", "text", "t", "read", "answered")
    id: str
    who: str
    text: str
    t: float
    read: bool
    answered: bool

    @property
    def __treec_name__(self) -> str:
        return self.id

    def __str__(self) -> str:
        return f"{self.who}: {self.text}"


class Act:
    """Something the user did with their words; it quotes the words it rests on."""

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
        said = ", ".join(f"{key}: {_text(value)}" for key, value in self.fields.items())
        return f"{self.id} {self.kind}({said})" if said else f"{self.id} {self.kind}"

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
    """Acts of one kind; a field of it joins that field over the acts."""

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
    """All acts not yet settled: a list of them, and lists by kind: `acts.accept.proposals`."""

    kinds: tuple[str, ...]

    def __new__(cls, kinds: tuple[str, ...], acts: tuple[Act, ...]) -> Acts:
        """Acts, and the kinds that there could be."""
        made = super().__new__(cls, acts)
        made.kinds = kinds
        return made

    @property
    def treec_fields(self) -> tuple[str, ...]:
        """The kinds of acts there are."""
        return self.kinds

    def __treec_get__(self, kind: str) -> ActList:
        if kind not in self.kinds:
            raise KeyError(kind)
        return ActList(act for act in self if act.kind == kind)
