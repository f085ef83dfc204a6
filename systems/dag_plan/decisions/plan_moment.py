"""What a journal tells of a plan that was made: which it was, and from where it began."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from treec.nodes.runtime import Runtime
from treec.systems.dag_plan.arms.world_logic import State
from treec.systems.dag_plan.decisions.plan_again import Fact, PlanAgain, otherwise, plan_lines
from treec.systems.dag_plan.nodes.plan_share import facts_now
from treec.world.journal import Record, events

NOBODY = "nobody"


def plan_made(record: Record) -> tuple[str, str, dict[str, Any]] | None:
    """The node, on whose word, and the plan that it made; or why it has none."""
    if record.kind == "plan.failed":
        return str(record.data["node"]), NOBODY, {"failed": record.data["reason"]}
    if record.kind != "commit" or record.data.get("for") != "plan":
        return None
    told = {event.kind: event.data for event in events(record)}
    if "planned" not in told:  # some of it is done again
        return None
    data: Mapping[str, Any] = told["planned"]
    new = {event.data["id"] for event in events(record) if event.kind == "subtask.added"}
    before = {node for node, subtask in data["nodes"].items() if subtask not in new}
    arms: Mapping[str, Sequence[str]] = data.get("arms", {})
    lines = list(plan_lines(data["text"], arms, before))
    decision = {"stages" if arms else "plan": lines}
    return str(data["node"]), str(data["by"]), decision


def plan_began(
    records: Sequence[Record],
    path: str,
    restored: Callable[[Sequence[Record], float], Runtime],
    again: Callable[[Runtime, Sequence[Fact]], PlanAgain],
    now: State,
) -> list[Fact]:
    """What was otherwise than now when the plan was made that a node has at the end of records."""
    start: State | None = None
    for number, record in enumerate(records):
        made = [
            event.data
            for event in events(record)
            if event.kind == "planned" and event.data["node"] == path
        ]
        resumed = record.kind == "commit" and record.data.get("for") == "resume"
        if not made and not (resumed and start is not None):
            continue
        runtime = restored(records[:number], record.t)
        facts = facts_now(runtime)
        node = again(runtime, [] if start is None else list(otherwise(start, facts)))
        start = node.start(str(made[0]["task"])) if made else node.start_of_plan()
    return [] if start is None else list(otherwise(start, now))
