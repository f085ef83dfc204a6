"""The task graph of a problem as a `networkx.DiGraph`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treec.files.entry import Entry
from treec.files.library import Library
from treec_dag_plan.arms.read import read_graph
from treec_dag_plan.files import ProblemFile

if TYPE_CHECKING:
    import networkx


def problem_digraph(library: Library, entry: Entry[ProblemFile]) -> networkx.DiGraph[Any]:
    """The graph that a problem's file names; nodes have ``name``, ``type`` and ``arms``.

    Raises ValueError where it names none or the file holds no sound graph, and ImportError where
    networkx is not installed.
    """
    if entry.model.graph is None:
        raise ValueError(f"the problem '{entry.name}' has no graph")
    graph, problems = read_graph(library.file(entry.model.graph, beside=entry))
    if graph is None:
        raise ValueError(f"{entry.model.graph}: {problems[0].message}")
    return graph.digraph()
