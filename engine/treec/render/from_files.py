"""Make graphs to draw from files: trees, decisions, recipes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treec.files.entry import AnyEntry
from treec.files.nodes import (
    MAX_NODES,
    MODIFIERS,
    NodeBase,
    attribute_of,
    child_nodes,
    kind_of_nodes,
    spec_of,
    type_key,
)
from treec.files.prompts import DecisionFile
from treec.files.tasks import RecipeFile
from treec.files.view import View
from treec.render.graph import CannotDraw, DrawnEdge, DrawnGraph, Vertex
from treec.source.diagnostics import Diagnostic
from treec.source.values import is_computed


class _TreeWalk:
    """Converts a tree file to vertices and edges; subtrees are expanded in place."""

    def __init__(self, view: View, root: AnyEntry) -> None:
        self.view = view
        self.root = root
        self.vertices: list[Vertex] = []
        self.edges: list[DrawnEdge] = []

    def add(
        self, parent: str | None, label: str, kind: str, detail: str = "", edge: str = ""
    ) -> str:
        id = f"n{len(self.vertices)}"
        if len(self.vertices) == MAX_NODES:
            message = f"this is drawn with more than {MAX_NODES:,} nodes"
            help = "draw one of its subtrees"
            problem = Diagnostic("TC313", "error", self.root.span(), message, help)
            raise CannotDraw([problem], self.view.library.sources)
        self.vertices.append(Vertex(id, label, kind, detail))
        if parent is not None:
            self.edges.append(DrawnEdge(parent, id, edge))
        return id

    def tree(
        self,
        entry: AnyEntry,
        parent: str | None,
        opened: tuple[str, ...],
        detail: str = "",
        edge: str = "",
    ) -> None:
        model = entry.model
        details = [detail] if detail else []
        if model.then == "repeat":
            details.append("then: repeat")
        id = self.add(parent, entry.name, "tree", ", ".join(details), edge)
        if entry.name in opened:
            return
        self.node(model.root, id, (*opened, entry.name))

    def node(self, node: Any, parent: str, opened: tuple[str, ...], edge: str = "") -> None:
        if isinstance(node, list):
            id = self.add(parent, "sequence", "sequence", "", edge)
            for child in node:
                self.node(child, id, opened)
            return
        spec, key = spec_of(node), type_key(node) or "node"
        detail = node_detail(node)
        kind = spec.refers if spec is not None else ""
        named = self.view.find(kind, _value(node)) if kind in ("tree", "decision") else None
        if named is not None and kind == "tree":
            self.tree(named, parent, opened, detail, edge)
            return
        drawn = key if spec is None else kind_of_nodes(spec)
        id = self.add(parent, node_label(node, key), drawn, detail, edge)
        if named is not None:
            self._options(named, id, (*opened, named.name))
        for child in child_nodes(node):
            place = ".".join(map(str, child.loc))
            words = "" if spec is None else spec.branches.get(place, child.case)
            if child.modifier is not None:
                words = child.modifier.key.replace("_", " ")
            self.node(child.node, id, opened, words)

    def _options(self, entry: AnyEntry, parent: str, opened: tuple[str, ...]) -> None:
        for name, offered in options_of(self.view, entry):
            target = self.view.behaviour(name)
            if target is None:
                continue
            label = "offers itself" if offered else ""
            if target.kind == "tree":
                self.tree(target, parent, opened, "", label)
                continue
            id = self.add(parent, name, target.kind, "", label)
            if target.kind == "decision" and name not in opened:
                self._options(target, id, (*opened, name))


def options_of(view: View, entry: AnyEntry) -> list[tuple[str, bool]]:
    """The options of a decision, including its fallback and the nodes that offer themselves."""
    model: DecisionFile = entry.model
    names = dict.fromkeys(model.options, False)
    if model.fallback is not None:
        names.setdefault(model.fallback, False)
    for offering in view.offers_to(entry.name):
        names.setdefault(offering.name, True)
    return list(names.items())


def tree_graph(view: View, entry: AnyEntry) -> DrawnGraph:
    """The graph of a tree with its subtrees and decisions expanded. Raises CannotDraw."""
    walk = _TreeWalk(view, entry)
    walk.tree(entry, None, ())
    title = " ".join((entry.model.about or f"the tree {entry.name}").split())
    return DrawnGraph(title, tuple(walk.vertices), tuple(walk.edges))


def decision_graph(view: View, title: str, roots: list[str] | None = None) -> DrawnGraph:
    """The graph of decisions and their options; offers are dashed."""
    if roots is None:
        decisions = list(view.all("decision"))
        shown = [*view.all("reading"), *decisions, *view.all("action")]
    else:
        shown = roots
    vertices: dict[str, Vertex] = {}
    edges: list[DrawnEdge] = []
    waiting = list(shown)
    while waiting:
        name = waiting.pop(0)
        entry = view.behaviour(name)
        if name in vertices or entry is None:
            continue
        vertices[name] = Vertex(name, entry.name, entry.kind, "")
        if entry.kind != "decision":
            continue
        always = {rule.choose for rule in entry.model.always}
        for option, offered in options_of(view, entry):
            if view.behaviour(option) is None:
                continue
            label = "always" if option in always else ""
            if option == entry.model.fallback and option not in entry.model.options:
                label = "fallback"
            dashed = offered or label == "fallback"
            edges.append(DrawnEdge(name, option, label, "dashed" if dashed else "solid"))
            waiting.append(option)
    return DrawnGraph(title, tuple(vertices.values()), tuple(edges), "dag", incoming="from")


def recipe_graph(entry: AnyEntry) -> DrawnGraph:
    """The graph of a recipe: edges lead from predecessors; `after_any` is dashed."""
    model: RecipeFile = entry.model
    vertices = tuple(
        Vertex(id, id, "subtask", spec.do if spec.do and spec.do != id else "")
        for id, spec in model.subtasks.items()
    )
    known = model.subtasks
    edges: list[DrawnEdge] = []
    for id, spec in known.items():
        edges += [DrawnEdge(before, id) for before in spec.after if before in known]
        edges += [
            DrawnEdge(before, id, "any", "dashed") for before in spec.after_any if before in known
        ]
    return DrawnGraph(entry.name, vertices, tuple(edges), "dag", "right")


def _value(node: NodeBase) -> str:
    """The value of a node's key."""
    return str(getattr(node, attribute_of(type(node), type_key(node) or "")))


def node_label(node: NodeBase, key: str) -> str:
    """The words of a node: its name, its own words, what it refers to, or its key."""
    spec = spec_of(node)
    if node.name is not None:
        return node.name
    if spec is not None and spec.label is not None:
        return spec.label(node)
    return _value(node) if spec is not None and spec.refers else key


def node_detail(node: NodeBase) -> str:
    """The modifiers and parameters of a node, shown as its second line."""
    parts: list[str] = []
    if node.for_ is not None:
        parts.append(f"for {node.for_}")
    for key, value in node.modifiers.items():
        shows = MODIFIERS[key].shows
        if shows is not None:
            parts.append(shows(value))
        else:
            parts.append(key.replace("_", " ") if value is True else f"{key} {value}")
    wired: Mapping[str, object] = getattr(node, "with_", None) or {}
    parts.extend(
        f"{name} {'' if is_computed(value) else '= '}{value}" for name, value in wired.items()
    )
    spec = spec_of(node)
    if spec is not None and spec.detail is not None:
        parts.append(spec.detail(node))
    return ", ".join(filter(None, parts))
