"""Pictures as text for terminals and logs: trees with branches, dags in topological order.

Lines consist of pieces ``(text, style)`` with style names of `rich` (``dim``, ``green``, …; '' for
none), so that ``rich.text.Text.assemble(*line)`` can draw them too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from treec.graph import edges_of, edges_to_reverse, topological_order

from .graph import DrawnEdge, DrawnGraph, Vertex
from .kinds import drawing_of
from .measure import cells, clusters, fit, one_line

Line = tuple[tuple[str, str], ...]

MARKS = {
    "SUCCESS": ("✓", "green"),
    "FAILURE": ("✗", "red"),
    "RUNNING": ("▸", "bold yellow"),
    None: ("·", "dim"),
}
"""The sign and style of each status; None is for nodes that were not ticked."""

_ANSI = {"dim": "2", "bold": "1", "green": "32", "red": "31", "bold yellow": "1;33"}


def render_text(graph: DrawnGraph, colour: bool = False, width: int | None = None) -> str:
    """Render a picture, title first; lines longer than ``width`` end in '…'."""
    lines: list[Line] = []
    title = one_line(graph.title)
    if title:
        lines.append(((fit(title, width) if width else title, "bold"),))
    lines += tree_lines(graph, width) if graph.shape == "tree" else dag_lines(graph, width)
    return "".join(_plain(line, colour) + "\n" for line in lines)


def _plain(line: Line, colour: bool) -> str:
    if not colour:
        return "".join(text for text, _ in line).rstrip()
    return "".join(
        f"\x1b[{_ANSI[style]}m{text}\x1b[0m" if style and text else text for text, style in line
    )


def tree_lines(
    graph: DrawnGraph,
    width: int | None = None,
    height: int | None = None,
    collapse: Collection[str] = (),
) -> list[Line]:
    """Render a tree with one line per vertex: branches, statuses if there are any, and details.

    Below vertices whose ids are in ``collapse`` only the number of hidden ones is shown. With
    ``height``, more vertices are collapsed until the lines fit: those not ticked before those that
    ended, deep before shallow, running ones never. Remaining lines are cut.
    """
    closed = set(collapse)
    if height is not None:
        closed |= _closed_to_fit(graph, height, closed)
    marked = any(vertex.status for vertex in graph.vertices)
    sizes = _sizes(graph)
    lines: list[Line] = []
    waiting: list[tuple[str, str, str]] = [(root, "", "") for root in reversed(graph.roots)]
    while waiting:
        vertex, before, branch = waiting.pop()
        edges = graph.out_edges[vertex]
        hidden = sizes[vertex] - 1 if vertex in closed else 0
        into = graph.in_edges[vertex][0] if graph.in_edges[vertex] else None
        lines.append(_tree_line(graph.by_id[vertex], before + branch, into, marked, hidden))
        if hidden:
            continue
        below = before + {"": "", "├": "│  ", "└": "   "}[branch[:1]]
        for edge in reversed(edges):
            last = edge is edges[-1]
            stroke = "╌ " if edge.style == "dashed" else "─ "
            waiting.append((edge.target, below, ("└" if last else "├") + stroke))
    if height is not None and len(lines) > max(height, 1):
        lines = [
            *lines[: max(height, 1) - 1],
            ((f"… {len(lines) - max(height, 1) + 1} more lines", "dim"),),
        ]
    return [cut(line, width) for line in lines]


def _tree_line(
    vertex: Vertex, branch: str, into: DrawnEdge | None, marked: bool, hidden: int
) -> Line:
    label = one_line(into.label) if into else ""
    pieces = [(branch, "dim"), *_mark(vertex, marked), (f"({label}) " if label else "", "dim")]
    parts = _format_vertex(vertex, name_of(vertex))
    parts.insert(2, (f"  … {hidden} more" if hidden else "", "dim"))  # the end may be cut
    pieces += parts
    return tuple(piece for piece in pieces if piece[0])


def _mark(vertex: Vertex, marked: bool) -> list[tuple[str, str]]:
    sign, style = MARKS[vertex.status]
    return [(sign + " ", style)] if marked else []


def _format_vertex(vertex: Vertex, name: str) -> list[tuple[str, str]]:
    symbol = drawing_of(vertex.kind).symbol
    detail = one_line(vertex.detail)
    running = "bold" if vertex.status == "RUNNING" else ""
    return [
        (symbol + " " if symbol and symbol != name else "", "dim"),
        (name, running),
        ("  " + detail if detail else "", "dim"),
    ]


def _sizes(graph: DrawnGraph) -> dict[str, int]:
    """The number of vertices of each subtree."""
    sizes: dict[str, int] = {}
    for vertex, _ in reversed(list(graph.walk())):
        sizes[vertex] = 1 + sum(sizes[child] for child in graph.children(vertex))
    return sizes


def _closed_to_fit(graph: DrawnGraph, height: int, closed: set[str]) -> set[str]:
    order = list(graph.walk())
    rank: dict[str, int] = {}  # 0 nothing was ticked, 1 something was, 2 something runs
    for vertex, _ in reversed(order):
        own = {None: 0, "RUNNING": 2}.get(graph.by_id[vertex].status, 1)
        rank[vertex] = max([own, *(rank[child] for child in graph.children(vertex))])
    shown = {vertex: 1 for vertex, _ in order}
    for vertex, _ in reversed(order):
        if vertex not in closed:
            shown[vertex] += sum(shown[child] for child in graph.children(vertex))
    excess = sum(shown[root] for root in graph.roots) - height
    found: set[str] = set()
    candidates = [
        (rank[vertex], -depth, number, vertex)
        for number, (vertex, depth) in enumerate(order)
        if rank[vertex] < 2 and shown[vertex] > 1
    ]
    for _, _, _, vertex in sorted(candidates):
        if excess <= 0:
            break
        saved = shown[vertex] - 1
        excess -= saved
        found.add(vertex)
        shown[vertex] = 1
        parents = graph.in_edges[vertex]
        while parents:
            shown[parents[0].source] -= saved
            parents = graph.in_edges[parents[0].source]
    return found


def dag_lines(graph: DrawnGraph, width: int | None = None) -> list[Line]:
    """Render a dag with one line per vertex in order: "load  after: get crate, get cart".

    Vertices with equal labels are distinguished by their ids; ↺ marks back edges.
    """
    number = {vertex.id: index for index, vertex in enumerate(graph.vertices)}
    pairs = [(number[edge.source], number[edge.target]) for edge in graph.edges]
    back = edges_to_reverse(len(number), pairs)
    kept = [pair for index, pair in enumerate(pairs) if index not in back]
    order = topological_order(edges_of(len(number), kept))
    names = _names(graph.vertices)
    before: dict[str, list[str]] = {vertex.id: [] for vertex in graph.vertices}
    for index, edge in enumerate(graph.edges):
        label = one_line(edge.label)
        sign = "↺ " if index in back else ""
        before[edge.target].append(sign + names[edge.source] + (f" ({label})" if label else ""))
    marked = any(vertex.status for vertex in graph.vertices)
    lines = []
    for index in order:
        vertex = graph.vertices[index]
        pieces = [*_mark(vertex, marked), *_format_vertex(vertex, names[vertex.id])]
        if before[vertex.id]:
            pieces.append((f"  {graph.incoming}: " + ", ".join(before[vertex.id]), "dim"))
        lines.append(cut(tuple(piece for piece in pieces if piece[0]), width))
    return lines


def _names(vertices: Iterable[Vertex]) -> dict[str, str]:
    """A unique name for each id."""
    names = {vertex.id: name_of(vertex) for vertex in vertices}
    often = Counter(names.values())
    return {
        vertex: f"{name} [{one_line(vertex)}]" if often[name] > 1 and name != vertex else name
        for vertex, name in names.items()
    }


def cut(line: Line, width: int | None) -> Line:
    """Shorten a line to ``width`` columns, ending in '…' if anything is cut."""
    if width is None or sum(cells(text) for text, _ in line) <= width:
        return line
    room = max(width - 1, 0)
    kept: list[tuple[str, str]] = []
    for text, style in line:
        part = ""
        for cluster in clusters(text):
            if cells(cluster) > room:
                return (*kept, (part + "…", style)) if width > 0 else ()
            part += cluster
            room -= cells(cluster)
        kept.append((part, style))
    return tuple(kept)


def name_of(vertex: Vertex) -> str:
    """The label on one line, or the id for a vertex without one."""
    return one_line(vertex.label) or one_line(vertex.id)
