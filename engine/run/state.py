"""What a run had come to at a moment: the one fold of its records.

:class:`RunState` takes records one by one. The team and the facts are changed by the events
themselves, as they were in the run; beside them it keeps the tree with its statuses, the skills
under way, who was at what and when, and what each node is at. Replay, timeline, summary, report and
film read it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from treec.nodes.events import Decided, NodeFailed, SkillEnded, SkillStarted
from treec.run.events import NodeRaised, Ticked, TickedNode, TreeBegun
from treec.team.events import AgentInterrupted, AgentResumed, SubtaskFailed
from treec.team.schedules import ScheduleMade
from treec.team.stored import (
    AgentState,
    ProposalState,
    SubtaskState,
    UtteranceState,
    empty_slots,
)
from treec.world.events import Event, EventRefused, RunBegin, RunEnd, StateSet, flat
from treec.world.facts import FactKey, FactValue, OpenFactStore
from treec.world.journal import Record
from treec.world.state import State

RUNNING, SUCCESS, FAILURE, INVALID = "RUNNING", "SUCCESS", "FAILURE", "INVALID"

Ended = Literal["done", "failed", "stopped", "open"]


@dataclass(frozen=True, slots=True)
class TickNode:
    """A node of the tree that was ticked; `below` are its children's numbers."""

    path: str
    name: str
    kind: str
    depth: int
    modifier: bool
    below: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StatusChange:
    """A node whose status was another at the end of the tick before."""

    node: int
    before: str
    now: str


@dataclass(frozen=True, slots=True)
class SubtaskSpan:
    """An agent at a subtask, from when to when in seconds, and how that ended."""

    agent: str
    subtask: str
    words: str
    start: float
    end: float
    ended: Ended
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SkillSpan:
    """A skill that has ended, from when to when."""

    start: float
    end: float
    started: SkillStarted
    ended: SkillEnded


@dataclass(frozen=True, slots=True)
class AgentAtWork:
    """An agent: its subtask and since when, its queue with that one, the steps under way."""

    subtask: str
    since: float
    queue: tuple[str, ...]
    steps: tuple[str, ...]
    stopped: bool


class RunState:
    """A run at the moment up to which records were taken."""

    def __init__(self) -> None:
        self.records = 0
        self.t = 0.0
        self.tick = 0
        self.begun: Mapping[str, Any] = {}
        self.ended: RunEnd | None = None
        self.nodes: tuple[TickNode, ...] = ()
        self.statuses: list[str] = []
        self.facts: dict[FactKey, FactValue] = {}
        self.variables: dict[str, object] = {}
        self.spans: list[SubtaskSpan] = []
        self.skills: list[SkillSpan] = []
        self.stopped: list[tuple[str, float, float]] = []
        self.schedules: list[tuple[float, ScheduleMade]] = []
        self._world = State(dict(empty_slots()), OpenFactStore((), self.facts))
        self._at: dict[str, tuple[str, float]] = {}  # agent → subtask, since
        self._under_way: dict[str | None, tuple[float, SkillStarted]] = {}
        self._stopped: dict[str, float] = {}
        self._details: dict[str, tuple[str, str]] = {}  # path → while it has which status, words

    def take(self, record: Record) -> tuple[StatusChange, ...]:
        """Take the next record; what it changed in the tree."""
        self.records += 1
        self.t = record.t
        match record.event:
            case TreeBegun(nodes):
                self._tree(nodes)
            case Ticked(tick, to):
                return self._ticked(tick, to)
            case RunBegin():
                self.begun = record.data
        for event in flat(record.event):
            self._take(event, record)
        return ()

    # What there is

    @property
    def team(self) -> Mapping[str, AgentState]:
        """The agents, in the order in which they joined."""
        found: Mapping[str, AgentState] = self._world["agents"]
        return found

    @property
    def subtasks(self) -> Mapping[str, SubtaskState]:
        """The subtasks, in the order in which they came into being."""
        found: Mapping[str, SubtaskState] = self._world["subtasks"]
        return found

    @property
    def talk(self) -> Mapping[str, UtteranceState]:
        """What was said, by its id."""
        found: Mapping[str, UtteranceState] = self._world["utterances"]
        return found

    @property
    def questions(self) -> Mapping[str, ProposalState]:
        """What the user was asked, by its id; open ones wait for an answer."""
        found: Mapping[str, ProposalState] = self._world["proposals"]
        return found

    @property
    def agents(self) -> dict[str, AgentAtWork]:
        """What each agent is at."""
        return {name: self._at_work(name, agent) for name, agent in self.team.items()}

    @property
    def people(self) -> frozenset[str]:
        """The agents that are people."""
        return frozenset(name for name, agent in self.team.items() if agent.person)

    def detail(self, number: int) -> str:
        """What a node is at, or why it failed; empty when nothing was said of it."""
        status, words = self._details.get(self.nodes[number].path, ("", ""))
        return words if status in ("", self.statuses[number]) else ""

    def in_flight(self) -> list[SkillStarted]:
        """The skills that have begun and not ended."""
        return [started for _, started in self._under_way.values()]

    def all_spans(self) -> list[SubtaskSpan]:
        """Who was at what, those who still are among them, in the order of their beginnings."""
        joined = list(self.team)
        still = [self._span(name, at, "open") for name, at in self._at.items()]
        return sorted((*self.spans, *still), key=lambda s: (s.start, joined.index(s.agent)))

    def all_stopped(self) -> list[tuple[str, float, float]]:
        """Who was stopped or out, from when to when."""
        return [*self.stopped, *((name, since, self.t) for name, since in self._stopped.items())]

    def _at_work(self, name: str, agent: AgentState) -> AgentAtWork:
        subtask, since = self._at.get(name, ("", 0.0))
        own = subtask and self.subtasks[subtask].agent == name
        return AgentAtWork(
            subtask,
            since,
            (subtask, *agent.queue) if own else agent.queue,
            tuple(
                step_words(started)
                for _, started in self._under_way.values()
                if started.agent == name
            ),
            agent.status == "Interrupted",
        )

    # Taking events

    def _take(self, event: Event, record: Record) -> None:
        t = record.t
        match event:
            case StateSet(name, value):
                self.variables[name] = value
                return
            case RunEnd():
                self.ended = event
            case Decided(node, choose, by):
                self._details[node] = "", f"→ {choose} ({by})"
            case ScheduleMade():
                self.schedules.append((t, event))
            case NodeFailed(path, reason) | NodeRaised(path, reason):
                self._details[path] = FAILURE, reason
            case SkillStarted():
                self._under_way[event.id] = t, event
                self._details[record.by] = RUNNING, step_words(event)
            case SkillEnded(id=id) if id in self._under_way:
                since, started = self._under_way.pop(id)
                self.skills.append(SkillSpan(since, t, started, event))
            case AgentInterrupted(agent):
                self._stopped.setdefault(agent, t)
            case AgentResumed(agent) if agent in self._stopped:
                self.stopped.append((agent, self._stopped.pop(agent), t))
        if (text := event.describe()) is not None and text.node:
            self._details[text.node] = RUNNING, text.at_node
        with suppress(EventRefused):  # of a part of a journal: what came before is not known
            event.change(self._world, record)
        if type(event).change is not Event.change:
            self._watch(event, t)

    def _watch(self, event: Event, t: float) -> None:
        """See who is at something else than before."""
        for name, agent in self.team.items():
            now = None if agent.person else agent.current
            at = self._at.get(name)
            if now == (at[0] if at else None):
                continue
            if at is not None:
                del self._at[name]
                self.spans.append(self._span(name, at, *_ending(event, self.subtasks[at[0]])))
            if now is not None:
                self._at[name] = now, t

    def _span(
        self, agent: str, at: tuple[str, float], ended: Ended, reason: str = ""
    ) -> SubtaskSpan:
        subtask, since = at
        words = self.subtasks[subtask].words
        return SubtaskSpan(agent, subtask, words, since, self.t, ended, reason)

    def _tree(self, told: Sequence[TickedNode]) -> None:
        below: list[list[int]] = [[] for _ in told]
        above: list[int] = []
        for number, one in enumerate(told):
            del above[one.depth :]
            if above:
                below[above[-1]].append(number)
            above.append(number)
        self.nodes = tuple(
            TickNode(one.path, one.name, one.kind, one.depth, one.modifier, tuple(found))
            for one, found in zip(told, below, strict=True)
        )
        self.statuses = [INVALID] * len(self.nodes)

    def _ticked(self, tick: int, to: Mapping[str, Sequence[int]]) -> tuple[StatusChange, ...]:
        self.tick = tick
        found = []
        for status, numbers in to.items():
            for number in numbers:
                found.append(StatusChange(number, self.statuses[number], status))
                self.statuses[number] = status
        return tuple(sorted(found, key=lambda change: change.node))


def fold(records: Iterable[Record]) -> RunState:
    """The state after all of some records."""
    state = RunState()
    for record in records:
        state.take(record)
    return state


def step_words(skill: SkillStarted | SkillEnded) -> str:
    """A skill as people read a step: pick(crate)."""
    return f"{skill.skill}({', '.join(map(str, skill.args.values()))})"


def _ending(event: Event, subtask: SubtaskState) -> tuple[Ended, str]:
    if isinstance(event, SubtaskFailed):
        return "failed", event.reason
    return ("done" if subtask.status == "done" else "stopped"), ""
