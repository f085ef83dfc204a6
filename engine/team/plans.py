"""The events of task graphs that were made while running, and how they change what is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from treec.team.stored import PlanState
from treec.world.events import Event, EventRefused, event
from treec.world.failures import Failure, failure_of
from treec.world.journal import Record
from treec.world.state import State


@dataclass(frozen=True, slots=True)
class PlanSlot:
    """When a node of a graph is expected to be done, in seconds of the run, and by whom."""

    node: str
    agents: tuple[str, ...]
    start: float
    end: float


@event("planned")
@dataclass(frozen=True, slots=True)
class Planned(Event):
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


@event("plan.done")
@dataclass(frozen=True, slots=True)
class PlanDone(Event):
    """All of a graph is done, and its goal holds."""

    node: str

    def change(self, state: State, record: Record) -> None:
        """Note it."""
        _put(state, self.node, replace(_plan(state, self.node), status="done"))


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


def last_status(state: Mapping[str, Any]) -> str:
    """What became of the graph that was made or changed last; none when there was none."""
    plans: Mapping[str, PlanState] = state["plans"]
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
