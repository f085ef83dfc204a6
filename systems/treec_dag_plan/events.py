"""Events of task graphs and goals that are made while running, with their slots of the state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from treec.team.schedules import Schedule, ScheduledSpan, ScheduleMade
from treec.team.state import FINISHED
from treec.team.team import Team
from treec.world.events import Event, EventRefused, EventText, event
from treec.world.failures import Failure, failure_of
from treec.world.journal import Record
from treec.world.persistent import PersistentMap
from treec.world.state import State


@dataclass(frozen=True, slots=True)
class PlanState:
    """A task graph that was made while running.

    nodes: node of the graph → id of its subtask. arms: node → who must do it, if the plan says so.
    status: running, done or failed; reason: why it failed. number: how many graphs were made for
    the task up to this one.
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
class PlanSlot:
    """When a node of a graph is expected to be done, in seconds of the run, and by whom."""

    node: str
    agents: tuple[str, ...]
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class PlanGoal:
    """The goal that was stated for a task in words: conditions, or what is missing for it."""

    conditions: tuple[str, ...]
    missing: tuple[str, ...]
    by: str


@event("goal.stated")
@dataclass(frozen=True, slots=True)
class GoalStated(Event):
    """A task in words has a goal: conditions that shall hold at the end, or what is missing."""

    node: str
    task: str
    goal: tuple[str, ...]
    missing: tuple[str, ...] = ()
    by: str = ""

    def change(self, state: State, record: Record) -> None:
        """Keep it, by task."""
        goal = PlanGoal(tuple(self.goal), tuple(self.missing), self.by)
        state["goals"] = MappingProxyType({**state["goals"], self.task: goal})

    def describe(self) -> EventText | None:
        """The goal; what is missing is told by the failure."""
        return None if self.missing else EventText(f"the goal: {'; '.join(self.goal)}")


@event("planned")
@dataclass(frozen=True, slots=True)
class Planned(ScheduleMade):
    """A node of a tree has a task graph, or a new one.

    ``nodes`` says which subtask each node of the graph became, ``arms`` who must do which, if
    anybody, and ``slots`` how it is expected to go.
    """

    node: str
    task: str
    text: str
    by: str
    nodes: Mapping[str, str]
    slots: tuple[PlanSlot, ...] | None = None
    arms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    because: str = ""

    def change(self, state: State, record: Record) -> None:
        """Add the graph; for the same task it counts those before it."""
        known: PlanState | None = state["plans"].get(self.node)
        number = known.number + 1 if known is not None and known.task == self.task else 1
        plan = PlanState(self.task, self.text, self.by, self.nodes, number, arms=self.arms)
        _put(state, self.node, plan)

    @property
    def schedule(self) -> Schedule:
        """The slots, by subtask."""
        spans = tuple(
            ScheduledSpan(self.nodes.get(slot.node, slot.node), slot.agents, slot.start, slot.end)
            for slot in self.slots or ()
        )
        return Schedule(self.task, self.by, spans)

    def describe(self) -> EventText:
        """How many sub-tasks it has, and who made it."""
        size = f"{len(self.nodes)} sub-tasks ({self.by})"
        because = f": {self.because}" if self.because else ""
        return EventText(f"plan of {size}{because}", "news", self.node, size)


@event("plan.changed")
@dataclass(frozen=True, slots=True)
class PlanChanged(Event):
    """Nodes of a graph are done again, by other subtasks."""

    node: str
    nodes: Mapping[str, str]

    def change(self, state: State, record: Record) -> None:
        """Point the nodes to their new subtasks."""
        plan = _plan(state, self.node)
        _put(state, self.node, replace(plan, nodes={**plan.nodes, **self.nodes}))

    def describe(self) -> EventText:
        """That work is repeated."""
        return EventText("what was undone is done again", "warning")


@event("plan.done")
@dataclass(frozen=True, slots=True)
class PlanDone(Event):
    """All of a graph is done, and its goal holds."""

    node: str

    def change(self, state: State, record: Record) -> None:
        """Note it."""
        _put(state, self.node, replace(_plan(state, self.node), status="done"))

    def describe(self) -> EventText:
        """That the task is done."""
        return EventText("✓ the task is done", "success")


@event("plan.failed")
@dataclass(frozen=True, slots=True)
class PlanFailed(Event):
    """There is no graph, or none that leads to the goal."""

    node: str
    task: str
    reason: str

    @property
    def failure(self) -> Failure:
        """The reason as data."""
        return failure_of(self.reason)

    def change(self, state: State, record: Record) -> None:
        """Note it, also for a task that never had a graph."""
        known: PlanState | None = state["plans"].get(self.node)
        if known is None or known.task != self.task:
            known = PlanState(self.task, "", "", {}, 0)
        _put(state, self.node, replace(known, status="failed", reason=self.reason))

    def describe(self) -> EventText:
        """Why there is none."""
        return EventText(f"✗ no plan: {self.reason}", "failure", reason=self.reason)


def plans_of(state: Mapping[str, Any]) -> Mapping[str, PlanState]:
    """The slot `plans`: path of a node → its graph, the one that was changed last at the end."""
    plans: Mapping[str, PlanState] = state["plans"]
    return plans


def goals_of(state: Mapping[str, Any]) -> Mapping[str, PlanGoal]:
    """The slot `goals`: task → its goal."""
    goals: Mapping[str, PlanGoal] = state["goals"]
    return goals


def plan_status(team: Team) -> str:
    """Status of the graph that was made or changed last: none, running, done or failed."""
    plans = plans_of(team.world.state)
    return list(plans.values())[-1].status if plans else "none"


def _plan(state: State, node: str) -> PlanState:
    try:
        plan: PlanState = state["plans"][node]
    except KeyError:
        raise EventRefused(f"'{node}' has no plan") from None
    return plan


def _put(state: State, node: str, plan: PlanState) -> None:
    """The plan that was touched last stands last."""
    others = {key: value for key, value in state["plans"].items() if key != node}
    state["plans"] = MappingProxyType({**others, node: plan})


@event("subtask.steps")
@dataclass(frozen=True, slots=True)
class StepsChanged(Event):
    """A subtask that has not begun is done in other steps, as for another agent's skill."""

    subtask: str
    steps: str

    def change(self, state: State, record: Record) -> None:
        """Replace its steps. Refused if it has begun, or if a task defines its steps."""
        known = PersistentMap.of(state["subtasks"])
        subtask = known.get(self.subtask)
        if subtask is None:
            raise EventRefused(f"unknown subtask '{self.subtask}'")
        if subtask.status in (*FINISHED, "running"):
            raise EventRefused(f"'{self.subtask}' is {subtask.status}: its steps stay")
        if subtask.steps is None:
            raise EventRefused(f"'{self.subtask}' has no steps of its own")
        state["subtasks"] = known.set(self.subtask, replace(subtask, steps=self.steps))
