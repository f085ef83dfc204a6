"""A replay as data, for programs."""

from __future__ import annotations

from collections.abc import Sequence

from treec.cli.replay_play import player_at
from treec.run.events import Ticked, TreeBegun
from treec.run.replay import Moment, Node, Player
from treec.world.journal import Record, events
from treec.world.values import thaw


def moment_data(records: Sequence[Record], moment: Moment) -> dict[str, object]:
    """Nodes with their statuses, agents, facts and state at one moment."""
    player = player_at(records, moment)
    return {
        "run": thaw(player.begun),
        "t": player.t,
        "tick": player.tick,
        "nodes": [
            {**_node(node), "status": status, "detail": player.detail(number)}
            for number, (node, status) in enumerate(zip(player.nodes, player.statuses, strict=True))
        ],
        "agents": {
            name: {
                "subtask": work.subtask or None,
                "since": work.since if work.subtask else None,
                "queue": list(work.queue),
                "steps": list(work.steps.values()),
                "stopped": work.out,
            }
            for name, work in player.agents.items()
        },
        "facts": [
            {
                "fact": name,
                "args": list(args),
                "value": thaw(fact.value),
                "since": fact.since,
                "source": fact.source,
            }
            for (name, args), fact in player.facts.items()
        ],
        "state": {name: thaw(value) for name, value in player.state.items()},
    }


def run_data(
    records: Sequence[Record], first: Moment | None, last: Moment | None
) -> dict[str, object]:
    """What happened, in order: trees that began to be ticked, ticks with changes, events."""
    player = Player()
    told: list[dict[str, object]] = []
    for record in records:
        if last is not None and last.past(player, record):
            break
        seen = first is None or first.past(player, record) or first.at(player, record)
        changes = player.take(record)
        if not seen:
            continue
        if record.kind == TreeBegun.kind:
            told.append({"t": record.t, "tree": [_node(node) for node in player.nodes]})
        elif record.kind == Ticked.kind:
            now = {player.nodes[change.node].path: change.now for change in changes}
            told.append({"t": record.t, "tick": player.tick, "statuses": now})
        else:
            told += [
                {"t": event.t, "kind": event.kind, "by": event.by, "data": thaw(event.data)}
                for event in events(record)
            ]
    ended = None
    if player.ended is not None:
        ended = {"reason": player.ended[0], "ok": player.ended[1]}
    return {
        "run": thaw(player.begun),
        "seconds": player.t,
        "ticks": player.tick,
        "ended": ended,
        "happened": told,
    }


def _node(node: Node) -> dict[str, object]:
    told: dict[str, object] = {"path": node.path, "kind": node.kind, "depth": node.depth}
    return {**told, "modifier": True} if node.modifier else told
