"""The behaviour tree of the live view: running paths open, the rest folded to a line or less.

Modifiers are not shown; the node they wrap stands for them. A decision shows its choice and who
made it, a program its lines and the current one. Neighbours that ended alike, or that have not been
ticked yet, share a line.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby

from treec.cli.terminal_text import safe
from treec.nodes.asked import OFFLINE
from treec.render.graph import DrawnEdge, DrawnGraph, Status, Vertex
from treec.render.text import Line, tree_lines
from treec.run.state import FAILURE, RUNNING, ProgramProgress, RunState

SHOWN_STATUS: Mapping[str, Status | None] = {
    "RUNNING": "RUNNING",
    "SUCCESS": "SUCCESS",
    "FAILURE": "FAILURE",
    "INVALID": None,
}


@dataclass(frozen=True, slots=True)
class TreeRow:
    """A node as shown; nodes that are not running have no children here."""

    label: str
    kind: str
    status: Status | None
    detail: str = ""
    children: tuple[TreeRow, ...] = ()
    step: bool = False
    """Whether this is a line of a program; these lines go first when space is short."""


def make_row(state: RunState, number: int = 0) -> TreeRow:
    """A node of a run's tree, by its number, and what matters below it."""
    if not state.nodes:
        return TreeRow("", "", None)
    at = _core(state, number)
    node, status = state.nodes[at], SHOWN_STATUS[state.statuses[at]]
    children: tuple[TreeRow, ...] = ()
    if status == RUNNING:
        running = [child for child in node.below if state.statuses[child] == RUNNING]
        below = running if node.kind == "decision" else node.below
        children = _group_rows([make_row(state, child) for child in below])
    detail = _detail(state, at)
    program = state.programs.get(node.path)
    if status == RUNNING and program is not None:
        children = _group_rows(list(_steps(program)))
        author = f" ({safe(program.by)})" if program.by != OFFLINE else ""
        detail = f"{program.place} {detail}{author}"
    return TreeRow(safe(state.nodes[number].name), node.kind, status, detail, children)


def _steps(program: ProgramProgress) -> Iterator[TreeRow]:
    """The lines of a program, with their statuses."""
    for number, line in enumerate(program.lines, 1):
        if line.strip():
            status: Status | None = "SUCCESS" if number in program.finished else None
            if number == program.current:
                status = "RUNNING"
            yield TreeRow(safe(line.strip()), "", status, step=True)


def _core(state: RunState, number: int) -> int:
    """The node that modifiers wrap; the handler of a failure while it is running."""
    while (node := state.nodes[number]).modifier and node.below:
        handlers = [child for child in node.below[1:] if state.statuses[child] == RUNNING]
        number = handlers[0] if handlers else node.below[0]
    return number


def _detail(state: RunState, number: int) -> str:
    node, status = state.nodes[number], state.statuses[number]
    if node.kind == "decision":
        return _chain(state, number)
    if status == RUNNING and node.kind == "program" and node.path not in state.programs:
        return "is being written"
    return safe(state.detail(number)) if status in (RUNNING, FAILURE) else ""


def _chain(state: RunState, number: int) -> str:
    """The choices of a decision and of those below it: → Execution → No_op (offline)."""
    names: list[str] = []
    by = ""
    while (node := state.nodes[number]).kind == "decision":
        choice = state.choices.get(node.path)
        options = {state.nodes[child].name: child for child in node.below}
        if choice is None or choice.choose not in options:
            break
        names.append(f"→ {safe(choice.choose)}")
        by = choice.who
        number = _core(state, options[choice.choose])
    return f"{' '.join(names)} ({safe(by)})" if names else ""


def _group_rows(rows: list[TreeRow]) -> tuple[TreeRow, ...]:
    found: list[TreeRow] = []
    for key, group in groupby(rows, key=lambda t: t.status if not t.detail else t):
        members = list(group)
        if key in ("SUCCESS", None) and len(members) > 1:
            label = ", ".join(member.label for member in members)
            found.append(replace(members[0], label=label, kind=""))
        else:
            found.extend(members)
    return tuple(found)


def lines(root: TreeRow, width: int, rows: int) -> list[Line]:
    """The tree within ``width`` columns and ``rows`` rows; running nodes come first."""
    opened, whole = _open(root, rows)
    for shorten in (_without_steps, _bare):
        if not whole:
            root = shorten(root)
            opened, whole = _open(root, rows)
    return tree_lines(_graph(root, opened), width, rows)


def height(root: TreeRow) -> int:
    """The rows of the whole tree, without the lines of programs, so that panels do not move."""
    return 1 + sum(height(child) for child in root.children if not child.step)


def _without_steps(row: TreeRow) -> TreeRow:
    """The tree without lines of programs; the current call stays beside the program."""
    kept = (child for child in row.children if not child.step)
    return replace(row, children=tuple(_without_steps(child) for child in kept))


def _bare(row: TreeRow) -> TreeRow:
    """Running and failed nodes only; of a chain of decisions the last choice."""
    kept = (child for child in row.children if child.status in ("RUNNING", "FAILURE"))
    arrow = row.detail.rfind("→") if row.kind == "decision" else 0
    detail = row.detail[max(arrow, 0) :]
    return replace(row, detail=detail, children=tuple(_bare(child) for child in kept))


def _open(root: TreeRow, rows: int) -> tuple[set[int], bool]:
    """The rows to open (by identity), breadth first, and whether that is all of them."""
    opened: set[int] = set()
    used, whole = 1, True
    waiting = deque([root])
    while waiting:
        row = waiting.popleft()
        if used + len(row.children) > rows:
            whole = False
            continue
        used += len(row.children)
        opened.add(id(row))
        waiting.extend(row.children)
    return opened, whole


def _graph(root: TreeRow, opened: set[int]) -> DrawnGraph:
    vertices: list[Vertex] = []
    edges: list[DrawnEdge] = []

    def add(row: TreeRow) -> str:
        name = str(len(vertices))
        vertices.append(Vertex(name, row.label, row.kind, row.detail, row.status))
        if id(row) in opened:
            edges.extend([DrawnEdge(name, add(child)) for child in row.children])
        return name

    add(root)
    # Children's edges were added before their parent's: restore the order of the drawing.
    edges.sort(key=lambda edge: int(edge.target))
    return DrawnGraph("", tuple(vertices), tuple(edges))
