"""A replay in words: the tree as a snapshot, what a tick changed, who is at what, what holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from treec.cli.live_paint import Piece, clock, safe
from treec.render.graph import DrawnEdge, DrawnGraph, Status, Vertex
from treec.render.text import MARKS, tree_lines
from treec.run.state import FAILURE, INVALID, RUNNING, SUCCESS, RunState, StatusChange, TickNode
from treec.world.facts import FactValue

_SHOWN: Mapping[str, Status | None] = {
    "RUNNING": "RUNNING",
    "SUCCESS": "SUCCESS",
    "FAILURE": "FAILURE",
    "INVALID": None,
}


class NodeNames:
    """Short names for the nodes of a tree: the end of a path that no other node has."""

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


def core(nodes: Sequence[TickNode], number: int) -> int:
    """What the modifiers at a place are wrapped around."""
    while nodes[number].modifier and nodes[number].below:
        number = nodes[number].below[0]
    return number


def told_changes(
    state: RunState, changes: Sequence[StatusChange], whole: bool
) -> list[StatusChange]:
    """The changes worth a word: of a modifier, only where it differs from what it wraps."""
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
    """What a tick changed, in one line: ▸ began, ✓ and ✗ ended, · was halted or is fresh again."""
    pieces: list[Piece] = [(f"{state.t:7.1f}  ", "dim"), (f"tick {state.tick}", "bold")]
    for status in (RUNNING, SUCCESS, FAILURE, INVALID):
        those = [names.of[change.node] for change in changes if change.now == status]
        if those:
            sign, style = MARKS[_SHOWN[status]]
            pieces += [(f"  {sign} ", style), (", ".join(those), "dim" if sign == "·" else "")]
    return pieces


def snapshot(state: RunState, whole: bool = False) -> list[tuple[Piece, ...]]:
    """The tree with the status of every node; modifiers are folded unless the `whole` is wanted."""
    nodes = state.nodes
    if not nodes:
        return []
    vertices: list[Vertex] = []
    edges: list[DrawnEdge] = []

    def add(number: int) -> str:
        at = number if whole else core(nodes, number)
        node, id = nodes[at], str(at)
        detail = state.detail(at)
        if at != number:
            detail = "  ".join(filter(None, (detail, _modified(state, number, at))))
        status = _SHOWN[state.statuses[at]]
        name = f"{node.kind}: {node.name}" if node.modifier else node.name
        vertices.append(Vertex(id, safe(name), node.kind, safe(detail), status))
        below = list(node.below)
        if at != number:  # handlers of failures stand beside what they are for
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


def _modified(state: RunState, number: int, at: int) -> str:
    """The modifiers around a node whose status is another than that of what they wrap."""
    nodes, statuses = state.nodes, state.statuses
    found = []
    while number != at:
        inner = nodes[number].below[0]
        if statuses[number] != statuses[inner] and nodes[number].kind != "then":
            found.append(f"({nodes[number].kind} {MARKS[_SHOWN[statuses[number]]][0]})")
        number = inner
    return " ".join(found)


def head(state: RunState, t: float | None = None) -> str:
    """Which run, where in it: at a time that was asked for, else at that of the last record."""
    what = [str(state.begun.get(name)) for name in ("system", "scenario") if name in state.begun]
    ticked = f", tick {state.tick}" if state.nodes else ""
    t = state.t if t is None else t
    return safe(f"{' · '.join(what)} at {t:g} s ({clock(t)}){ticked}")


def who(state: RunState) -> Iterator[list[Piece]]:
    """A line for each agent: what it is at, and its step."""
    width = max((len(safe(name)) for name in state.agents), default=0)
    for name, work in state.agents.items():
        waiting = ", ".join(safe(id) for id in work.queue if id != work.subtask)
        told = safe(work.subtask) if work.subtask else f"has {waiting}" if waiting else "-"
        since = f"  since {work.since:g} s" if work.subtask else ""
        steps = ", ".join(safe(step) for step in work.steps)
        yield [
            ("  " + safe(name).ljust(width) + "  ", "bold"),
            ("■ stopped" if work.stopped and not work.subtask else told, ""),
            (f"  {steps}" if steps else "", "yellow"),
            (since, "dim"),
            (f"  then {waiting}" if work.subtask and waiting else "", "dim"),
        ]


def held(state: RunState, whole: bool) -> Iterator[list[Piece]]:
    """A line for each fact, the newest last; without the `whole`, only those since the start."""
    facts = sorted(state.facts.items(), key=lambda item: (item[1].since, item[0]))
    shown = [item for item in facts if whole or item[1].source != "scene"]
    for (name, args), fact in shown:
        yield [
            ("  " + safe(fact_words(name, args, fact)), ""),
            (f"  since {fact.since:g} s", "dim"),
        ]
    rest = len(facts) - len(shown)
    if rest:
        yield [(f"  and {rest} as the scene has them (--all shows them)", "dim")]


def fact_words(name: str, args: Sequence[str], fact: FactValue) -> str:
    """A fact as expressions write it: at(crate) == shelf, not opened(door)."""
    call = f"{name}({', '.join(args)})"
    if fact.source == "unknown":
        return f"{call} is unknown"
    if fact.value is True:
        return call
    if fact.value is False:
        return f"not {call}"
    return f"{call} == {'none' if fact.value is None else fact.value}"
