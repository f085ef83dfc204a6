"""Draw a task graph for arms."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from treec.render.graph import CannotDraw, DrawnEdge, DrawnGraph, Status, Vertex
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.read import read_parts


def task_graph(
    graph: TaskGraph,
    title: str,
    status: Mapping[str, Status] | None = None,
    detail: Mapping[str, str] | None = None,
) -> DrawnGraph:
    """Build a drawing; `status` and `detail` are those of the nodes in a run."""
    vertices = tuple(
        Vertex(
            node.id,
            node.name,
            "subtask" if node.type != "complete" else "check",
            ", ".join(
                part
                for part in (
                    node.type if node.type != "complete" else "",
                    f"{node.arms} arms" if node.arms > 1 else "",
                    (detail or {}).get(node.id, ""),
                )
                if part
            ),
            (status or {}).get(node.id),
        )
        for node in graph.nodes
    )
    known = graph.by_id
    edges = tuple(
        DrawnEdge(before, node.id)
        for node in graph.nodes
        for before in dict.fromkeys(node.after)
        if before in known
    )
    return DrawnGraph(title, vertices, edges, "dag", "right")


def draw_file(path: Path) -> DrawnGraph:
    """The task graph in a file, for `treec render`. Raises CannotDraw."""
    reading = read_parts(path)
    if reading.graph is None or not reading.sound:
        sources = {} if reading.source is None else {reading.source.path: reading.source}
        raise CannotDraw(reading.problems, sources)
    return task_graph(reading.graph, path.stem)
