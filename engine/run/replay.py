"""A run played again from its records: the tree's statuses, who was at what, what held.

The player takes records one by one. What a node is at comes from the events that name its path:
what a decision chose, the step of a program, why something failed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from treec.run.events import Ticked, TreeBegun, TreeNode
from treec.run.summary import step_words, texts
from treec.world.journal import Record, events
from treec.world.values import Value

RUNNING, SUCCESS, FAILURE, INVALID = "RUNNING", "SUCCESS", "FAILURE", "INVALID"


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the tree that was ticked; `below` are its children's numbers."""

    path: str
    name: str
    kind: str
    depth: int
    modifier: bool
    below: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """A node whose status was another at the end of the tick before."""

    node: int
    before: str
    now: str


@dataclass(frozen=True, slots=True)
class Fact:
    """What held of something, since when, and who said so."""

    value: Value
    since: float
    source: str


@dataclass
class Work:
    """What an agent was at: its subtask, the steps under way, whether it was out.

    `queue` is what it has been given and is not over, what it is at among it.
    """

    subtask: str = ""
    since: float = 0.0
    queue: list[str] = field(default_factory=list)
    steps: dict[object, str] = field(default_factory=dict)
    out: bool = False


class Player:
    """The moment up to which records were taken."""

    def __init__(self) -> None:
        self.begun: Mapping[str, Value] = {}
        self.t = 0.0
        self.tick = 0
        self.ended: tuple[str, bool] | None = None
        self.nodes: tuple[Node, ...] = ()
        self.statuses: list[str] = []
        self.facts: dict[tuple[str, tuple[str, ...]], Fact] = {}
        self.state: dict[str, Value] = {}
        self.agents: dict[str, Work] = {}
        self._said: dict[str, tuple[str, str]] = {}  # path → while it has which status, what
        self._helpers: dict[str, list[str]] = {}

    def take(self, record: Record) -> tuple[Change, ...]:
        """Take the next record; what it changed in the tree."""
        self.t = record.t
        match record.event:
            case TreeBegun(nodes):
                self._tree(nodes)
            case Ticked(tick, to):
                return self._ticked(tick, to)
        for event in events(record):
            self._event(event)
        return ()

    def detail(self, number: int) -> str:
        """What a node is at, or why it failed; empty when nothing was said of it."""
        status, words = self._said.get(self.nodes[number].path, ("", ""))
        return words if status in ("", self.statuses[number]) else ""

    def _tree(self, told: Sequence[TreeNode]) -> None:
        below: list[list[int]] = [[] for _ in told]
        above: list[int] = []
        for number, one in enumerate(told):
            del above[one.depth :]
            if above:
                below[above[-1]].append(number)
            above.append(number)
        self.nodes = tuple(
            Node(one.path, one.name, one.kind, one.depth, one.modifier, tuple(found))
            for one, found in zip(told, below, strict=True)
        )
        self.statuses = [INVALID] * len(self.nodes)

    def _ticked(self, tick: int, to: Mapping[str, Sequence[int]]) -> tuple[Change, ...]:
        self.tick = tick
        found = []
        for status, numbers in to.items():
            for number in numbers:
                found.append(Change(number, self.statuses[number], status))
                self.statuses[number] = status
        return tuple(sorted(found, key=lambda change: change.node))

    def _event(self, event: Record) -> None:
        data: Any = event.data
        match event.kind:
            case "run.begin":
                self.begun = event.data
            case "run.end":
                self.ended = str(data.get("reason")), data.get("ok") is True
            case "state.set":
                self.state[data["name"]] = data["value"]
            case "fact.set":
                value = data.get("value", True)
                key = data["fact"], tuple(data.get("args", ()))
                self.facts[key] = Fact(value, event.t, data["source"])
            case "fact.unknown":
                key = data["fact"], tuple(data.get("args", ()))
                self.facts[key] = Fact("unknown", event.t, "unknown")
            case "fact.forget":
                self.facts.pop((data["fact"], tuple(data.get("args", ()))), None)
            case "decided":
                chose = f"→ {data['choose']} ({data['by']})"
                self._said[data["node"]] = "", chose
            case "planned":
                self._said[data["node"]] = RUNNING, f"{len(data['nodes'])} sub-tasks ({data['by']})"
            case "node.failed" | "node.raised":
                path = data.get("node") or data.get("path")
                self._said[path] = FAILURE, str(data.get("reason") or data.get("error"))
            case _:
                self._work(event)

    def _work(self, event: Record) -> None:
        data: Any = event.data
        match event.kind:
            case "agent.joined":
                self.agents[data["agent"]] = Work()
            case "assigned":
                given = texts(data["subtasks"])
                for id in given:
                    self._helpers[id] = texts(data.get("helpers"))
                self._take_away(given)
                queue = self.agents.setdefault(data["agent"], Work()).queue
                place = 0 if data.get("first") else len(queue)
                queue[place:place] = given
            case "subtask.started":
                for agent in (data["agent"], *self._helpers.get(data["subtask"], ())):
                    work = self.agents.setdefault(agent, Work())
                    work.subtask, work.since = data["subtask"], event.t
            case "subtask.done" | "subtask.failed":
                self._take_away([data["subtask"]])
                self._over([data["subtask"]])
            case "subtask.dropped":
                self._take_away(texts(data["subtasks"]))
                self._over(texts(data["subtasks"]))
            case "agent.requeued":
                self._over([self.agents.setdefault(data["agent"], Work()).subtask])
            case "agent.interrupted":
                work = self.agents.setdefault(data["agent"], Work())
                work.out = True
                self._over([work.subtask])
            case "agent.resumed":
                self.agents.setdefault(data["agent"], Work()).out = False
            case "skill.started":
                words = step_words(data)
                self.agents.setdefault(data["agent"], Work()).steps[data["id"]] = words
                self._said[event.by] = RUNNING, words
            case "skill.ended":
                for work in self.agents.values():
                    work.steps.pop(data.get("id"), None)

    def _take_away(self, subtasks: Sequence[str]) -> None:
        for work in self.agents.values():
            work.queue[:] = [id for id in work.queue if id not in subtasks]

    def _over(self, subtasks: Sequence[str]) -> None:
        for work in self.agents.values():
            if work.subtask and work.subtask in subtasks:
                work.subtask = ""


def played(records: Iterable[Record]) -> Player:
    """The player after all of some records."""
    player = Player()
    for record in records:
        player.take(record)
    return player


class NoMoment(ValueError):
    """A text that is no moment of a run."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment as people write it: seconds, or the number of a tick."""

    t: float = 0.0
    tick: int | None = None

    def past(self, player: Player, next: Record) -> bool:
        """Whether the next record lies beyond it."""
        if self.tick is None:
            return next.t > self.t + 1e-9
        return player.tick >= self.tick

    def at(self, player: Player, next: Record) -> bool:
        """Whether the next record is of it."""
        if self.tick is None:
            return abs(next.t - self.t) <= 1e-9
        return isinstance(next.event, Ticked) and next.event.tick == self.tick


def moment(text: str) -> Moment:
    """`12.5`, `12.5s`, `1:05`, `1:02:05`, `#14` (a tick), `end`. Raises NoMoment."""
    written = text.strip().lower()
    if written == "end":
        return Moment(float("inf"))
    try:
        if written.startswith("#"):
            return Moment(tick=_counted(written[1:]))
        parts = written.removesuffix("s").split(":")
        seconds = float(parts[-1])
        whole = [_counted(part) for part in parts[:-1]]
        if not 0 <= seconds < (60 if whole else float("inf")) or len(whole) > 2:
            raise ValueError
    except ValueError:
        told = f"'{text}' is no moment: write seconds (12.5), minutes (1:05), a tick (#14) or end"
        raise NoMoment(told) from None
    for place, part in enumerate(reversed(whole), 1):
        seconds += part * 60**place
    return Moment(seconds)


def _counted(text: str) -> int:
    if not text.isascii() or not text.isdecimal():
        raise ValueError(text)
    return int(text)
