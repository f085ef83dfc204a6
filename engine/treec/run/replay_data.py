"""A replay as JSON data."""

from __future__ import annotations

from collections.abc import Sequence

from treec.run.events import Ticked, TreeBegun
from treec.run.replay import ReplayMoment, state_at
from treec.run.state import RunState, TickNode, TreeValue, matches_value
from treec.world.journal import Record, events
from treec.world.values import freeze, thaw


def moment_data(
    records: Sequence[Record], moment: ReplayMoment, values: str | None = None
) -> dict[str, object]:
    """Nodes with their statuses, agents, facts, state and values at one moment.

    With ``values``, only the values whose names are of that pattern.
    """
    state = state_at(records, moment)
    if values is not None:
        return {"t": state.t, "tick": state.tick, "values": values_data(state, values)}
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
        "values": values_data(state),
    }


def values_data(state: RunState, pattern: str = "*") -> list[dict[str, object]]:
    """The variables and ports of trees: since when they have their value, and who has set it."""
    found = (item for item in state.values.items() if matches_value(item[0], pattern))
    return [_value(*key, value) for key, value in found]


def changes_data(
    records: Sequence[Record],
    pattern: str,
    first: ReplayMoment | None = None,
    last: ReplayMoment | None = None,
) -> dict[str, object]:
    """What has changed of the variables and ports whose names are of a pattern, and who did it."""
    state, found = RunState(), list[dict[str, object]]()
    for record in records:
        if last is not None and last.past(state, record):
            break
        seen = first is None or first.past(state, record) or first.at(state, record)
        state.take(record)
        for change in state.changed if seen else ():
            if change.matches(pattern):
                data = _value(change.tree, change.name, change.now)
                at = {"t": data.pop("since"), "tick": state.tick}
                found.append({**at, **data, "was": thaw(freeze(change.before))})
    return {"run": thaw(state.header), "values": found}


def _value(tree: str, name: str, value: TreeValue) -> dict[str, object]:
    data: dict[str, object] = {"tree": tree, "name": name, "value": thaw(freeze(value.value))}
    data |= {"since": value.t, "by": value.by or None}
    return {**data, "port": True} if value.is_port else data


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
            tick = {"t": record.t, "tick": state.tick, "statuses": now}
            if state.changed:
                values = [_value(one.tree, one.name, one.now) for one in state.changed]
                tick["values"] = [{k: v for k, v in one.items() if k != "since"} for one in values]
            happened.append(tick)
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
