"""The content of a picture: vertices and edges of a tree or a graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from treec.source.diagnostics import Diagnostic
from treec.source.text import SourceFile

Status = Literal["RUNNING", "SUCCESS", "FAILURE"]


class CannotDraw(Exception):
    """A file that contains nothing to draw, or too much, with its diagnostics."""

    def __init__(
        self, problems: Iterable[Diagnostic] = (), sources: Mapping[str, SourceFile] | None = None
    ) -> None:
        super().__init__("it cannot be drawn")
        self.problems = list(problems)
        self.sources: Mapping[str, SourceFile] = sources or {}


@dataclass(frozen=True, slots=True)
class Vertex:
    """A box with a unique ``id`` and a ``label``; both may be any text.

    ``kind`` selects symbol and shape (`treec.render.kinds`; unknown kinds are plain boxes).
    ``detail`` is the second, smaller line: a guard, arguments, the `when` of a rule.
    """

    id: str
    label: str
    kind: str
    detail: str = ""
    status: Status | None = None


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """An edge from parent to child in a tree, or from predecessor to successor in a dag."""

    source: str
    target: str
    label: str = ""
    style: Literal["solid", "dashed"] = "solid"


@dataclass(frozen=True)
class DrawnGraph:
    """The content of a picture; vertices and edges are drawn in the given order.

    ``direction`` is the direction of edges; pictures that would be too wide use the other one.
    A ``tree`` may have several roots. A ``dag`` may have cycles, whose back edges point backwards.
    ``incoming`` is the word before a vertex's predecessors in the text form: "after: a, b".
    Raises ValueError for duplicate ids, edges to unknown vertices, or a ``tree`` that is not one.
    """

    title: str
    vertices: tuple[Vertex, ...]
    edges: tuple[DrawnEdge, ...] = ()
    shape: Literal["tree", "dag"] = "tree"
    direction: Literal["down", "right"] = "down"
    incoming: str = "after"

    def __post_init__(self) -> None:
        known: set[str] = set()
        for vertex in self.vertices:
            if vertex.id in known:
                raise ValueError(f"two vertices have the id {vertex.id!r}")
            known.add(vertex.id)
        for edge in self.edges:
            for end in (edge.source, edge.target):
                if end not in known:
                    raise ValueError(f"unknown vertex {end!r} of an edge")
        if self.shape == "tree":
            self._require_tree()

    def _require_tree(self) -> None:
        children = [edge.target for edge in self.edges]
        if len(children) != len(set(children)):
            twice = next(child for child in children if children.count(child) > 1)
            raise ValueError(f"{twice!r} has two parents, so this is not a tree")
        if sum(1 for _ in self.walk()) != len(self.vertices):
            raise ValueError("the edges form a cycle, so this is not a tree")

    @cached_property
    def by_id(self) -> dict[str, Vertex]:
        """Vertices by id."""
        return {vertex.id: vertex for vertex in self.vertices}

    @cached_property
    def out_edges(self) -> dict[str, tuple[DrawnEdge, ...]]:
        """Edges by the id of their source."""
        return self._edges_by_end(source=True)

    @cached_property
    def in_edges(self) -> dict[str, tuple[DrawnEdge, ...]]:
        """Edges by the id of their target."""
        return self._edges_by_end(source=False)

    def _edges_by_end(self, source: bool) -> dict[str, tuple[DrawnEdge, ...]]:
        found: dict[str, list[DrawnEdge]] = {vertex.id: [] for vertex in self.vertices}
        for edge in self.edges:
            found[edge.source if source else edge.target].append(edge)
        return {end: tuple(edges) for end, edges in found.items()}

    @cached_property
    def roots(self) -> tuple[str, ...]:
        """The ids of the vertices without incoming edges."""
        return tuple(vertex.id for vertex in self.vertices if not self.in_edges[vertex.id])

    def children(self, vertex: str) -> tuple[str, ...]:
        """The ids of the children of a vertex, in order."""
        return tuple(edge.target for edge in self.out_edges[vertex])

    def walk(self) -> Iterator[tuple[str, int]]:
        """Yield the ids of a tree with their depths, parents first."""
        waiting = [(root, 0) for root in reversed(self.roots)]
        while waiting:
            vertex, depth = waiting.pop()
            yield vertex, depth
            waiting.extend((child, depth + 1) for child in reversed(self.children(vertex)))
