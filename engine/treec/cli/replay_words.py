"""The text of a replay: tree, status changes, agents and facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from treec.cli.terminal_text import Piece, clock, safe
from treec.render.graph import DrawnEdge, DrawnGraph, Status, Vertex
from treec.render.text import MARKS, tree_lines
from treec.run.state import (
    FAILURE,
    INVALID,
    RUNNING,
    SUCCESS,
    RunState,
    StatusChange,
    TickNode,
    ValueChange,
    matches_value,
    value_words,
)
from treec.world.facts import FactValue

_SHOWN: Mapping[str, Status | None] = {
    "RUNNING": "RUNNING",
    "SUCCESS": "SUCCESS",
    "FAILURE": "FAILURE",
    "INVALID": None,
}


class NodeNames:
    """Short names of nodes: the shortest unique end of each path."""

    def __init__(self, nodes: Sequence[TickNode]) -> None:
        often: dict[str, int] = {}
        for node in nodes:
            for end in _ends(node.path):
                often[end] = often.get(end, 0) + 1
        self.of = [
            safe(next((end for end in _ends(node.path) if often[end] == 1), node.path))
            for node in nodes
        ]


def _ends(path: str) -> Iterator[str]:
    parts = path.split("/")
    for count in range(1, len(parts) + 1):
        yield "/".join(parts[-count:])


def unwrap(nodes: Sequence[TickNode], number: int) -> int:
    """The node inside the modifiers at a position."""
    while nodes[number].modifier and nodes[number].below:
        number = nodes[number].below[0]
    return number


def visible_changes(
    state: RunState, changes: Sequence[StatusChange], whole: bool
) -> list[StatusChange]:
    """The changes to print: those of a modifier only where it differs from its child."""
    if whole:
        return list(changes)
    nodes, statuses = state.nodes, state.statuses
    return [
        change
        for change in changes
        if not nodes[change.node].modifier
        or not nodes[change.node].below
        or (
            nodes[change.node].kind != "then"
            and statuses[nodes[change.node].below[0]] != change.now
        )
    ]


def change_line(state: RunState, changes: Sequence[StatusChange], names: NodeNames) -> list[Piece]:
    """The changes of a tick on one line: ▸ running, ✓ succeeded, ✗ failed, · halted or reset."""
    pieces: list[Piece] = [(f"{state.t:7.1f}  ", "dim"), (f"tick {state.tick}", "bold")]
    for status in (RUNNING, SUCCESS, FAILURE, INVALID):
        those = [names.of[change.node] for change in changes if change.now == status]
        if those:
            sign, style = MARKS[_SHOWN[status]]
            pieces += [(f"  {sign} ", style), (", ".join(those), "dim" if sign == "·" else "")]
    return pieces


def value_line(state: RunState, change: ValueChange) -> list[Piece]:
    """A variable or port that a tick has changed, what it was before, and who has set it."""
    before = "" if change.before is None else f", was {safe(value_words(change.before))}"
    by = f"  by {safe(change.now.by)}" if change.now.by else ""
    return [
        (f"{state.t:7.1f}  ", "dim"),
        (f"tick {state.tick}", "bold"),
        (f"  {safe(change.tree)}.{safe(change.name)} = {safe(change.now.words)}", ""),
        (f"{before}{by}", "dim"),
    ]


def value_rows(state: RunState, pattern: str) -> Iterator[list[Piece]]:
    """A line for each variable and port of a pattern, with its writer."""
    for key, value in state.values.items():
        if matches_value(key, pattern):
            by = f" by {safe(value.by)}" if value.by else " (a port)" if value.is_port else ""
            yield [
                (f"  {safe('.'.join(key))} = {safe(value.words)}", ""),
                (f"  since {value.t:g} s{by}", "dim"),
            ]


def tree_snapshot(state: RunState, whole: bool) -> list[tuple[Piece, ...]]:
    """The tree with the status of every node; modifiers only with ``whole``."""
    nodes = state.nodes
    if not nodes:
        return []
    vertices: list[Vertex] = []
    edges: list[DrawnEdge] = []

    def add(number: int) -> str:
        at = number if whole else unwrap(nodes, number)
        node, id = nodes[at], str(at)
        detail = state.detail(at)
        if at != number:
            detail = "  ".join(filter(None, (detail, _format_modifiers(state, number, at))))
        status = _SHOWN[state.statuses[at]]
        name = f"{node.kind}: {node.name}" if node.modifier else node.name
        vertices.append(Vertex(id, safe(name), node.kind, safe(detail), status))
        below = list(node.below)
        if at != number:  # show failure handlers beside their node
            below += _handlers(nodes, number, at)
        edges.extend([DrawnEdge(id, add(child)) for child in below])
        return id

    add(0)
    place = {vertex.id: number for number, vertex in enumerate(vertices)}
    edges.sort(key=lambda edge: place[edge.target])
    return tree_lines(DrawnGraph("", tuple(vertices), tuple(edges)))


def _handlers(nodes: Sequence[TickNode], number: int, at: int) -> list[int]:
    found: list[int] = []
    while number != at:
        found += nodes[number].below[1:]
        number = nodes[number].below[0]
    return found


def _format_modifiers(state: RunState, number: int, at: int) -> str:
    """The modifiers around a node whose status differs from their child's."""
    nodes, statuses = state.nodes, state.statuses
    found = []
    while number != at:
        inner = nodes[number].below[0]
        if statuses[number] != statuses[inner] and nodes[number].kind != "then":
            found.append(f"({nodes[number].kind} {MARKS[_SHOWN[statuses[number]]][0]})")
        number = inner
    return " ".join(found)


def title_line(state: RunState, t: float | None = None) -> str:
    """The system, scenario, time (default: of the last record) and tick."""
    what = [str(state.header.get(name)) for name in ("system", "scenario") if name in state.header]
    ticked = f", tick {state.tick}" if state.nodes else ""
    t = state.t if t is None else t
    return safe(f"{' · '.join(what)} at {t:g} s ({clock(t)}){ticked}")


def agent_rows(state: RunState) -> Iterator[list[Piece]]:
    """A line for each agent: its subtask, step and queue."""
    width = max((len(safe(name)) for name in state.agents), default=0)
    for name, work in state.agents.items():
        waiting = ", ".join(safe(id) for id in work.queue if id != work.subtask)
        text = safe(work.subtask) if work.subtask else f"has {waiting}" if waiting else "-"
        since = f"  since {work.since:g} s" if work.subtask else ""
        steps = ", ".join(safe(step) for step in work.steps)
        yield [
            ("  " + safe(name).ljust(width) + "  ", "bold"),
            ("■ stopped" if work.stopped and not work.subtask else text, ""),
            (f"  {steps}" if steps else "", "yellow"),
            (since, "dim"),
            (f"  then {waiting}" if work.subtask and waiting else "", "dim"),
        ]


def fact_rows(state: RunState, whole: bool) -> Iterator[list[Piece]]:
    """A line for each fact, the newest last; facts of the scene only with ``whole``."""
    facts = sorted(state.facts.items(), key=lambda item: (item[1].since, item[0]))
    shown = [item for item in facts if whole or item[1].source != "scene"]
    for (name, args), fact in shown:
        yield [
            ("  " + safe(fact_words(name, args, fact)), ""),
            (f"  since {fact.since:g} s", "dim"),
        ]
    rest = len(facts) - len(shown)
    if rest:
        yield [(f"  and {rest} of the scene (--all shows them)", "dim")]


def fact_words(name: str, args: Sequence[str], fact: FactValue) -> str:
    """A fact as an expression: at(crate) == shelf, not opened(door)."""
    call = f"{name}({', '.join(args)})"
    if fact.source == "unknown":
        return f"{call} is unknown"
    if fact.value is True:
        return call
    if fact.value is False:
        return f"not {call}"
    return f"{call} == {'none' if fact.value is None else fact.value}"
