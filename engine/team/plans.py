"""How events change what is stored of task graphs that were made while running."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from treec.team.stored import PlanState
from treec.world.journal import Record
from treec.world.world import Refused

State = MutableMapping[str, Any]


def planned(state: State, record: Record) -> None:
    """planned {node, task, text, by, nodes, arms}: a node of a tree has a graph, or a new one.

    `nodes` says which subtask each node of the graph became, `arms` who must do which, if anybody.
    """
    data: Mapping[str, Any] = record.data
    known: PlanState | None = state["plans"].get(data["node"])
    same = known is not None and known.task == data["task"]
    number = known.number + 1 if same and known is not None else 1
    arms = data.get("arms", {})
    plan = PlanState(data["task"], data["text"], data["by"], data["nodes"], number, arms=arms)
    _put(state, data["node"], plan)


def changed(state: State, record: Record) -> None:
    """plan.changed {node, nodes}: nodes of the graph are done again, by other subtasks."""
    data: Mapping[str, Any] = record.data
    plan = _plan(state, data["node"])
    _put(state, data["node"], replace(plan, nodes={**plan.nodes, **data["nodes"]}))


def done(state: State, record: Record) -> None:
    """plan.done {node}: all of it is done, and what was wanted is so."""
    data: Mapping[str, Any] = record.data
    _put(state, data["node"], replace(_plan(state, data["node"]), status="done"))


def failed(state: State, record: Record) -> None:
    """plan.failed {node, task, reason}: there is no graph, or none that leads to what is wanted."""
    data: Mapping[str, Any] = record.data
    known: PlanState | None = state["plans"].get(data["node"])
    if known is None or known.task != data["task"]:
        known = PlanState(data["task"], "", "", {}, 0)
    _put(state, data["node"], replace(known, status="failed", reason=data["reason"]))


def last_status(state: Mapping[str, Any]) -> str:
    """What became of the graph that was made or changed last; none when there was none."""
    plans: Mapping[str, PlanState] = state["plans"]
    return list(plans.values())[-1].status if plans else "none"


def _plan(state: State, node: str) -> PlanState:
    try:
        plan: PlanState = state["plans"][node]
    except KeyError:
        raise Refused(f"'{node}' has no plan") from None
    return plan


def _put(state: State, node: str, plan: PlanState) -> None:
    """The plan that was touched last stands last."""
    others = {key: value for key, value in state["plans"].items() if key != node}
    state["plans"] = MappingProxyType({**others, node: plan})


REDUCERS: Mapping[str, Callable[[State, Record], None]] = {
    "planned": planned,
    "plan.changed": changed,
    "plan.done": done,
    "plan.failed": failed,
}
"""The events and their reducers."""
