"""A replay as JSON data."""

from __future__ import annotations

from collections.abc import Sequence

from treec.run.events import Ticked, TreeBegun
from treec.run.replay import ReplayMoment, state_at
from treec.run.state import RunState, TickNode
from treec.world.journal import Record, events
from treec.world.values import freeze, thaw


def moment_data(records: Sequence[Record], moment: ReplayMoment) -> dict[str, object]:
    """Nodes with their statuses, agents, facts and state at one moment."""
    state = state_at(records, moment)
    return {
        "run": thaw(state.header),
        "t": state.t,
        "tick": state.tick,
        "nodes": [
            {**_node(node), "status": status, "detail": state.detail(number)}
            for number, (node, status) in enumerate(zip(state.nodes, state.statuses, strict=True))
        ],
        "agents": {
            name: {
                "subtask": work.subtask or None,
                "since": work.since if work.subtask else None,
                "queue": list(work.queue),
                "steps": list(work.steps),
                "stopped": work.stopped,
            }
            for name, work in state.agents.items()
        },
        "facts": [
            {
                "fact": name,
                "args": list(args),
                "value": "unknown" if fact.source == "unknown" else thaw(fact.value),
                "since": fact.since,
                "source": fact.source,
            }
            for (name, args), fact in state.facts.items()
        ],
        "state": {name: thaw(freeze(value)) for name, value in state.variables.items()},
    }


def run_data(
    records: Sequence[Record], first: ReplayMoment | None, last: ReplayMoment | None
) -> dict[str, object]:
    """Trees, ticks with changes, and events, in order."""
    state = RunState()
    happened: list[dict[str, object]] = []
    for record in records:
        if last is not None and last.past(state, record):
            break
        started = first is None or first.past(state, record) or first.at(state, record)
        changes = state.take(record)
        if not started:
            continue
        if record.kind == TreeBegun.kind:
            happened.append({"t": record.t, "tree": [_node(node) for node in state.nodes]})
        elif record.kind == Ticked.kind:
            now = {state.nodes[change.node].path: change.now for change in changes}
            happened.append({"t": record.t, "tick": state.tick, "statuses": now})
        else:
            happened += [
                {"t": event.t, "kind": event.kind, "by": event.by, "data": thaw(event.data)}
                for event in events(record)
            ]
    ended = None
    if state.ended is not None:
        ended = {"reason": state.ended.reason, "ok": state.ended.ok}
    return {
        "run": thaw(state.header),
        "seconds": state.t,
        "ticks": state.tick,
        "ended": ended,
        "happened": happened,
    }


def _node(node: TickNode) -> dict[str, object]:
    data: dict[str, object] = {"path": node.path, "kind": node.kind, "depth": node.depth}
    return {**data, "modifier": True} if node.modifier else data
