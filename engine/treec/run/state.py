"""The state of a run, folded from the records of its journal.

:class:`RunState` takes records one by one. Team and facts are changed by the events' own reducers,
as in the run itself. Beside them it tracks the tree with its statuses, choices and programs, the
skills in progress, and who worked on which subtask when. Replay, timeline, summary, report, film
and the live view are all made from it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from treec.frozen import frozen
from treec.nodes.events import (
    Answered,
    AnswerKept,
    Asked,
    BranchRestless,
    Decided,
    InVain,
    NeedAnswered,
    NodeFailed,
    Programmed,
    SkillEnded,
    SkillStarted,
    Step,
    StopUnconfirmed,
)
from treec.run.events import NodeRaised, Ticked, TickedNode, TreeBegun
from treec.run.node_patterns import fits
from treec.team.events import AgentInterrupted, AgentResumed, SubtaskFailed
from treec.team.schedules import ScheduleMade
from treec.team.state import (
    AgentState,
    ProposalState,
    SubtaskState,
    UtteranceState,
    empty_slots,
    is_ready,
)
from treec.world.events import (
    Commit,
    Event,
    EventRefused,
    FactSet,
    FactUnknown,
    RunBegin,
    RunEnd,
    StateSet,
    flat,
)
from treec.world.facts import FactKey, FactValue, OpenFactStore
from treec.world.journal import Record
from treec.world.persistent import changed_keys
from treec.world.state import State

RUNNING, SUCCESS, FAILURE, INVALID = "RUNNING", "SUCCESS", "FAILURE", "INVALID"

KEPT = "not asked again"

MOST_STEPS = 1_000
"""So many skills of a run without subtasks are remembered."""

Ended = Literal["done", "failed", "stopped", "open"]


@frozen
class TickNode:
    """A node of the ticked tree; ``below`` are the numbers of its children."""

    path: str
    name: str
    kind: str
    depth: int
    modifier: bool
    below: tuple[int, ...] = ()


class StatusChange(NamedTuple):
    """A node whose status at the end of a tick differs from that of the tick before."""

    node: int
    before: str
    now: str


@frozen
class SubtaskSpan:
    """An agent working on a subtask: start and end in seconds, and how it ended.

    Where a tree calls a skill itself, ``subtask`` is empty and ``words`` are the skill's.
    """

    agent: str
    subtask: str
    words: str
    start: float
    end: float
    ended: Ended
    reason: str = ""


@frozen
class AgentAtWork:
    """An agent: its subtask and since when, its queue including that one, its running skills."""

    subtask: str
    since: float
    queue: tuple[str, ...]
    steps: tuple[str, ...]
    stopped: bool


@frozen
class ProgramProgress:
    """A program and how far it has got: its author, its lines, and line numbers from 1."""

    by: str
    lines: tuple[str, ...]
    current: int = 0
    finished: frozenset[int] = frozenset()

    @property
    def place(self) -> str:
        """The current line among those that are not empty: `2/3`."""
        numbers = [number for number, line in enumerate(self.lines, 1) if line.strip()]
        return f"{sum(number <= self.current for number in numbers)}/{len(numbers)}"

    def at_line(self, line: int) -> ProgramProgress:
        """The same program with another current line."""
        finished = self.finished | {self.current} if self.current else self.finished
        return replace(self, current=line, finished=finished)


ValueKey = tuple[str, str]
"""The path of a tree, and the name of one of its variables or ports."""


@frozen(slots=False)
class TreeValue:
    """The value of a variable or a port as it is recorded: since when, and the node that set it."""

    value: object
    t: float
    by: str = ""
    is_port: bool = False
    times: int = 1
    """How many ticks have changed it."""

    @property
    def words(self) -> str:
        """The value as in an expression; an entity by its name."""
        return value_words(self.value)


@frozen(slots=False)
class ValueChange:
    """A variable or port that has another value."""

    tree: str
    name: str
    before: object
    now: TreeValue

    def matches(self, pattern: str) -> bool:
        """Whether its name, with its tree or without, is of a pattern such as `main.*`."""
        return matches_value((self.tree, self.name), pattern)


def matches_value(key: ValueKey, pattern: str) -> bool:
    """Whether a value's name, with its tree (or the end of its path) or without, fits a pattern."""
    return fits(pattern, key[1]) or fits(pattern, ".".join(key))


def value_words(value: object) -> str:
    """A recorded value as in an expression; an entity by its name."""
    match value:
        case None | bool():
            return str(value).lower()
        case str():
            return repr(value)
        case Mapping():
            if list(value) == ["entity"]:
                return str(value["entity"][1] or "?")
            pairs = (f"{key}: {value_words(item)}" for key, item in value.items())
            return f"{{{', '.join(pairs)}}}"
        case list() | tuple():
            return f"[{', '.join(map(value_words, value))}]"
    return str(value)


class RunState:
    """The state of a run after the records taken so far.

    Journals sort arguments by name; ``parameters`` gives the order in which each skill's file
    declares them, for texts. A part of a journal may lack what its events refer to; if it is
    ``strict``, such an event raises EventRefused.
    """

    def __init__(
        self, parameters: Mapping[str, Sequence[str]] = MappingProxyType({}), strict: bool = False
    ) -> None:
        self._parameters = parameters
        self._strict = strict
        self.records = 0
        self.t = 0.0
        self.tick = 0
        self.header: Mapping[str, Any] = {}
        self.ended: RunEnd | None = None
        self.nodes: tuple[TickNode, ...] = ()
        self.statuses: list[str] = []
        self.memory: dict[int, object] = {}
        """What nodes remember, by their number; see `Ticked`."""
        self.values: dict[ValueKey, TreeValue] = {}
        """The variables and ports of trees, by the path of the tree and the name."""
        self.changed: tuple[ValueChange, ...] = ()
        """What the last record has changed of them."""
        self.facts: dict[FactKey, FactValue] = {}
        self.variables: dict[str, object] = {}
        self.choices: dict[str, Decided] = {}
        """The last choice of each decision, by its path."""
        self.programs: dict[str, ProgramProgress] = {}
        """The programs that are running, by the path of their node."""
        self.last_action: Commit | None = None
        self.spans: list[SubtaskSpan] = []
        self.stopped: list[tuple[str, float, float]] = []
        self.schedules: list[tuple[float, ScheduleMade]] = []
        self.unconfirmed: dict[str, str] = {}
        """Agents whose last skill did not confirm that it stopped: the alarm in words."""
        self.needs: list[tuple[float, NeedAnswered]] = []
        """What providers answered, with the times."""
        self._world = State(dict(empty_slots()), OpenFactStore((), self.facts))
        self._current: dict[str, tuple[str, float]] = {}  # agent → subtask, since
        self._known_team: Mapping[str, AgentState] = self.team
        self._running: dict[str | None, tuple[SkillStarted, float]] = {}
        """The skills that are running, and when each began."""
        self._steps: deque[SubtaskSpan] = deque(maxlen=MOST_STEPS)
        """The last skills that have ended, as long as there is no subtask."""
        self._stopped: dict[str, float] = {}
        self._details: dict[str, tuple[str, str | SkillStarted]] = {}
        """By path the status that each belongs to, and a text or the order that is one."""

    def take(self, record: Record) -> tuple[StatusChange, ...]:
        """Take the next record; returns the status changes in the tree."""
        self.records += 1
        self.t = record.t
        self.ended = None  # a run that was stopped may be resumed
        self.changed = ()
        match record.event:
            case TreeBegun(nodes):
                self._set_tree(nodes)
            case Ticked(tick, to, memory):
                for number, value in (memory or {}).items():
                    self.memory[int(number)] = merged(self.memory.get(int(number)), value)
                if record.event.ports or record.event.variables:
                    self.changed = tuple(self._take_values(record.event))
                return self._apply_statuses(tick, to)
            case RunBegin():
                self.header = record.data
            case Commit(purpose="action") as commit:
                self.last_action = commit
        for event in flat(record.event):
            self._take(event, record)
        return ()

    def copy(self) -> RunState:
        """Another state that takes records without changing this one."""
        found = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, dict | list | deque):
                setattr(found, name, value.copy())
        slots = {name: self._world[name] for name in self._world}
        found._world = State(slots, OpenFactStore((), found.facts))
        return found

    # Reading

    @property
    def team(self) -> Mapping[str, AgentState]:
        """The agents, in the order they joined."""
        found: Mapping[str, AgentState] = self._world["agents"]
        return found

    @property
    def subtasks(self) -> Mapping[str, SubtaskState]:
        """The subtasks, in the order they were added."""
        found: Mapping[str, SubtaskState] = self._world["subtasks"]
        return found

    @property
    def talk(self) -> Mapping[str, UtteranceState]:
        """The utterances, by id."""
        found: Mapping[str, UtteranceState] = self._world["utterances"]
        return found

    @property
    def questions(self) -> Mapping[str, ProposalState]:
        """The proposals made to the user, by id; those with status `open` await an answer."""
        found: Mapping[str, ProposalState] = self._world["proposals"]
        return found

    @property
    def recipe(self) -> str:
        """The recipe that is set; empty if none is."""
        return str(self._world["recipe"])

    @property
    def agents(self) -> dict[str, AgentAtWork]:
        """What each agent is doing."""
        return {name: self._at_work(name, agent) for name, agent in self.team.items()}

    def ready(self, subtask: str) -> bool:
        """Whether all predecessors of a subtask are done and no agent has it."""
        return is_ready(self.subtasks[subtask], self.subtasks)

    @property
    def people(self) -> frozenset[str]:
        """The names of the people in the team."""
        return frozenset(name for name, agent in self.team.items() if agent.person)

    def detail(self, number: int) -> str:
        """What a node is doing, or why it failed; empty if the journal does not say."""
        status, words = self._details.get(self.nodes[number].path, ("", ""))
        if status not in ("", self.statuses[number]):
            return ""
        return words if isinstance(words, str) else self.describe_step(words)

    def running_skills(self) -> list[SkillStarted]:
        """The skills that have started and not ended."""
        return [started for started, _ in self._running.values()]

    def all_spans(self) -> list[SubtaskSpan]:
        """The time each agent spent on each subtask, open spans included, sorted by start.

        In a run without subtasks, of a tree that calls skills itself, on each of the last skills.
        """
        joined = list(self.team)
        if not self.subtasks:
            steps = (self._step(*begun, "open") for begun in self._running.values())
            return sorted((*self._steps, *steps), key=lambda s: s.start)
        still = [self._span(name, current, "open") for name, current in self._current.items()]
        return sorted((*self.spans, *still), key=lambda s: (s.start, joined.index(s.agent)))

    def all_interruptions(self) -> list[tuple[str, float, float]]:
        """When agents were interrupted: agent, start, end; an open interruption ends now."""
        return [*self.stopped, *((name, since, self.t) for name, since in self._stopped.items())]

    def _at_work(self, name: str, agent: AgentState) -> AgentAtWork:
        subtask, since = self._current.get(name, ("", 0.0))
        own = subtask and self.subtasks[subtask].agent == name
        return AgentAtWork(
            subtask,
            since,
            (subtask, *agent.queue) if own else agent.queue,
            tuple(
                self.describe_step(started)
                for started in self.running_skills()
                if started.agent == name
            ),
            agent.status == "Interrupted",
        )

    # Taking events

    def _take(self, event: Event, record: Record) -> None:
        t = record.t
        match event:
            case FactSet() | FactUnknown():  # of which there are most
                pass
            case SkillStarted():
                self.unconfirmed.pop(event.agent, None)
                self._running[event.id] = event, t
                self._details[record.by] = RUNNING, event
            case SkillEnded(id=id):
                if (begun := self._running.pop(id, None)) is not None:
                    if not self.subtasks:
                        ended: Ended = (
                            "done" if event.ok else "failed" if event.failed else "stopped"
                        )
                        self._steps.append(self._step(event, begun[1], ended, event.reason))
                    if not event.ok:
                        self._details.pop(record.by, None)  # its node may wait until it is resumed
            case StateSet(name, value):
                self.variables[name] = value
                return
            case RunEnd():
                self.ended = event
            case AnswerKept(node):
                self._details[node] = "", KEPT
            case Decided(node, choose):
                self.choices[node] = event
                again = f", {KEPT}" if self._details.get(node) == ("", KEPT) else ""
                self._details[node] = "", f"→ {choose} ({event.who}{again})"
            case Programmed(node=node):
                self.programs[node] = ProgramProgress(event.by, tuple(event.program.splitlines()))
            case Step(node, line) if node in self.programs:
                self.programs[node] = self.programs[node].at_line(line)
            case ScheduleMade():
                self.schedules.append((t, event))
            case Asked(ahead=False):
                again = f", try {event.attempt}" if event.attempt > 1 else ""
                self._details[event.node] = RUNNING, f"waits for the model{again}"
            case Answered():
                self._details.pop(event.node, None)
            case NeedAnswered():
                self.needs.append((t, event))
            case NodeFailed(path, reason) | NodeRaised(path, reason) | BranchRestless(path, reason):
                self._details[path] = FAILURE, reason
            case InVain(node=node):
                self._details[node] = RUNNING, event.describe().line
            case StopUnconfirmed(agent=agent) if agent:
                self.unconfirmed[agent] = event.sentence
            case AgentInterrupted(agent):
                self._stopped.setdefault(agent, t)
            case AgentResumed(agent) if agent in self._stopped:
                self.stopped.append((agent, self._stopped.pop(agent), t))
        if (text := event.describe()) is not None and text.node:
            self._details[text.node] = RUNNING, text.at_node
        try:
            event.change(self._world, record)
        except EventRefused:
            if self._strict and not isinstance(event, StateSet):  # variables are not declared here
                raise
        if type(event).change is not Event.change:
            self._track_subtasks(event, t)

    def _track_subtasks(self, event: Event, t: float) -> None:
        """Close and open spans for agents whose current subtask has changed."""
        team, known = self.team, self._known_team
        if team is known:
            return
        self._known_team = team
        changed = changed_keys(team, known)
        for name in team if changed is None else changed:
            agent = team[name]
            now = None if agent.person else agent.current
            before = self._current.get(name)
            if now == (before[0] if before else None):
                continue
            if before is not None:
                del self._current[name]
                ending = _ending(event, self.subtasks[before[0]])
                self.spans.append(self._span(name, before, *ending))
            if now is not None:
                self._current[name] = now, t

    def _span(
        self, agent: str, current: tuple[str, float], ended: Ended, reason: str = ""
    ) -> SubtaskSpan:
        subtask, since = current
        words = self.subtasks[subtask].words
        return SubtaskSpan(agent, subtask, words, since, self.t, ended, reason)

    def _step(
        self, skill: SkillStarted | SkillEnded, since: float, ended: Ended, reason: str = ""
    ) -> SubtaskSpan:
        words = self.describe_step(skill)
        return SubtaskSpan(skill.agent, "", words, since, self.t, ended, reason)

    def describe_step(self, skill: SkillStarted | SkillEnded) -> str:
        """A skill as text, its arguments in the order of its file if that is known."""
        return describe_step(skill, self._parameters.get(skill.skill, ()))

    def _set_tree(self, nodes: Sequence[TickedNode]) -> None:
        below: list[list[int]] = [[] for _ in nodes]
        above: list[int] = []
        for number, node in enumerate(nodes):
            del above[node.depth :]
            if above:
                below[above[-1]].append(number)
            above.append(number)
        self.nodes = tuple(
            TickNode(node.path, node.name, node.kind, node.depth, node.modifier, tuple(children))
            for node, children in zip(nodes, below, strict=True)
        )
        self.statuses = [INVALID] * len(self.nodes)
        self.memory, self.values = {}, {}

    def _take_values(self, event: Ticked) -> Iterator[ValueChange]:
        for found, is_port in ((event.ports, True), (event.variables, False)):
            for tree, values in (found or {}).items():
                writers = (event.by or {}).get(tree, {}) if not is_port else {}
                for name, value in values.items():
                    by = self.nodes[writers[name]].path if name in writers else ""
                    before = self.values.get((tree, name))
                    times = 1 if before is None else before.times + 1
                    now = self.values[tree, name] = TreeValue(value, self.t, by, is_port, times)
                    yield ValueChange(tree, name, None if before is None else before.value, now)

    @property
    def tree_variables(self) -> Mapping[str, Mapping[str, object]]:
        """The variables of trees as they are recorded, by the path of the tree."""
        found: dict[str, dict[str, object]] = {}
        for (tree, name), value in self.values.items():
            if not value.is_port:
                found.setdefault(tree, {})[name] = value.value
        return found

    def _apply_statuses(
        self, tick: int, to: Mapping[str, Sequence[int]]
    ) -> tuple[StatusChange, ...]:
        self.tick = tick
        changes = []
        for status, numbers in to.items():
            for number in numbers:
                changes.append(StatusChange(number, self.statuses[number], status))
                self.statuses[number] = status
                if status != RUNNING:
                    self.programs.pop(self.nodes[number].path, None)
        if len(changes) > 1:
            changes.sort(key=lambda change: change.node)
        return tuple(changes)


def merged(before: object, now: object) -> object:
    """A node's memory after a change: of a mapping the keys that have changed."""
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        return {key: value for key, value in {**before, **now}.items() if value is not None}
    return now


def fold(
    records: Iterable[Record], parameters: Mapping[str, Sequence[str]] = MappingProxyType({})
) -> RunState:
    """The state after these records."""
    state = RunState(parameters)
    for record in records:
        state.take(record)
    return state


def describe_step(skill: SkillStarted | SkillEnded, parameters: Sequence[str] = ()) -> str:
    """A skill as text: `pick(crate)`. Arguments are in the order of ``parameters``, if known."""
    names = [*(name for name in parameters if name in skill.args), *skill.args]
    return f"{skill.skill}({', '.join(str(skill.args[name]) for name in dict.fromkeys(names))})"


def _ending(event: Event, subtask: SubtaskState) -> tuple[Ended, str]:
    if isinstance(event, SubtaskFailed):
        return "failed", event.reason
    return ("done" if subtask.status == "done" else "stopped"), ""
