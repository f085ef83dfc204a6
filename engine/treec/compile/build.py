"""Compiles tree files to py_trees behaviours with stable paths.

Every node has a ``path`` such as ``depot_main/robot_worker[R1]/Subtask_To_Skills``: the name of the
tree, then that of each node below, made unique among its siblings. Journals, traces and snapshots
refer to nodes by path, so it depends on the files alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import cast

from py_trees.behaviour import Behaviour

from treec.compile.definition import NodeDefinition, own_keys
from treec.compile.expressions import expression
from treec.compile.leaves import build_python
from treec.compile.modifiers import modify
from treec.compile.node import NodePlace
from treec.compile.place import BuildPlace, CompileError
from treec.extensions import ExtensionError, registry
from treec.files.entry import AnyEntry, Entry
from treec.files.nodes import MAX_LEVELS, MAX_NODES, NodeBase, PythonNode, TreeNode, type_key
from treec.files.prompts import DecisionFile, Offer
from treec.files.tree import TreeFile
from treec.files.types import parse_type
from treec.files.view import View
from treec.nodes.act import Action
from treec.nodes.base import Control, Modifier
from treec.nodes.decide import Decision, Wakeup
from treec.nodes.foreign import GuardedNode, failure_of_exception
from treec.nodes.frame import Cell, Frame, Wired
from treec.nodes.runtime import Runtime
from treec.nodes.sequence import sequence
from treec.nodes.then_repeat import ThenRepeat
from treec.source.errors import LocatedError
from treec.source.expression import Expression

Frames = dict[str, tuple[object, Frame]]
"""The header and the names of each instance of a tree, by its path."""


class Compiler:
    """Builds the trees of one run."""

    def __init__(self, view: View, runtime: Runtime) -> None:
        self.view = view
        self.runtime = runtime
        self.frames: Frames = {}
        """The header and the frame of each instance of a tree, by its path."""
        self._built = 0
        self._uses: list[list[object]] = []
        self._definition: NodeDefinition | None = None

    def root(self, entry: Entry[TreeFile], ports: Mapping[str, object] | None = None) -> Behaviour:
        """The behaviour of a tree that runs by itself. Raises CompileError."""
        wired = {}
        for name, value in (ports or {}).items():
            kind = parse_type(entry.model.ports[name].strip().partition(" ")[2])
            entity = self.runtime.team.now.resolve(kind, value) if isinstance(value, str) else None
            wired[name] = Cell(value if entity is None else entity)
        with _room():
            return self.tree(entry, wired, entry.name, ())

    def tree(
        self,
        entry: Entry[TreeFile],
        ports: Mapping[str, Cell | Wired],
        path: str,
        parents: tuple[str, ...],
        header: object = None,
    ) -> Behaviour:
        """An instance of a tree, with its ports wired; ``header`` is that of the tree around."""
        if entry.name in parents:
            raise CompileError(f"the tree '{entry.name}' contains itself: {' → '.join(parents)}")
        frame = Frame(self.runtime.scope, self.runtime.team, dict(ports))
        for name in (*entry.model.ports, *entry.model.vars):
            frame.cells.setdefault(name, Cell())
        model = entry.model
        header = entry.name, model.ports, model.vars, _wiring(ports), header
        self.frames[path] = header, frame
        place = BuildPlace(entry, frame, path, ("root",), (*parents, entry.name), header=header)
        root = self.node(model.root, place, path)
        if model.then == "repeat":
            repeat = ThenRepeat(name=_last(path), child=root)
            root = self.ready(repeat, f"{path}:then", NodeDefinition("then", header))
        return root

    def ready(
        self, node: Behaviour, path: str, definition: NodeDefinition | None = None
    ) -> Behaviour:
        """Set a node's path and definition, and how it requests a tick."""
        setattr(node, "path", path)  # noqa: B010 (py_trees' behaviours have no such attributes)
        setattr(node, "definition", definition or self._definition)  # noqa: B010
        if isinstance(node, Control | Modifier):
            node.wake = self._wake
        return node

    def _wake(self) -> None:
        self.runtime.wake()

    # Nodes

    def children(self, nodes: Sequence[object], place: BuildPlace, path: str) -> list[Behaviour]:
        """The children of a node, with `for` expanded, each with its own path."""
        inside = place.inside(path)
        return [
            child
            for index, node in enumerate(nodes)
            for child in self.each(node, inside.below(index))
        ]

    def each(self, node: object, place: BuildPlace) -> list[Behaviour]:
        """The behaviours of a node: one, or one for each item of its `for`."""
        if isinstance(node, NodeBase) and node.for_ is not None:
            name, values = self._static(node.for_, place)
            found = []
            for value in values:
                cell = Cell(self.runtime.team.agent(value) or value)
                frame = Frame(place.frame, self.runtime.team, {name: cell})
                path = self._path(node, place, f"[{value}]")
                found.append(self.node(node, replace(place, frame=frame), path))
            return found
        return [self.node(node, place, self._path(node, place))]

    def child(self, node: object, place: BuildPlace, path: str) -> Behaviour:
        """A single child of a node."""
        inside = place.inside(path)
        return self.node(node, inside, self._path(node, inside))

    def _static(self, text: str, place: BuildPlace) -> tuple[str, Sequence[object]]:
        name, _, items = text.partition(" in ")
        items = items.strip()
        known: dict[str, Sequence[object]] = {
            "robots": self.view.robots,
            "people": self.view.people,
            "agents": tuple(self.view.agents),
        }
        if items in known:
            return name.strip(), known[items]
        try:
            values = Expression.parse(items).constant_value()
        except LocatedError as error:
            raise CompileError(f"{place.path}: '{text}': {error.message}") from error
        if not isinstance(values, list | tuple):
            raise CompileError(f"{place.path}: '{items}' is no list known when compiling")
        return name.strip(), values

    def _path(self, node: object, place: BuildPlace, suffix: str = "") -> str:
        return _unique(_element(node) + suffix, place)

    def node(self, node: object, place: BuildPlace, path: str) -> Behaviour:
        """A node with its modifiers."""
        self._count(place, path)
        if isinstance(node, list):
            children = self.children(node, place, path)
            made = sequence(name=_last(path), children=children)
            return self.ready(made, path, NodeDefinition("sequence", place.header))
        if not isinstance(node, NodeBase):
            raise CompileError(f"{path}: not a node")
        around, self._definition = self._definition, None
        try:
            self._uses.append([])
            core = self.core(node, place, path)
            uses = tuple(self._uses.pop())
            self._definition = NodeDefinition(own_keys(node), place.header, uses)
            if not isinstance(node, TreeNode):  # a tree's root has its path, or that of its `then`
                self.ready(core, path)
            return modify(self, core, node, place, path)
        except ValueError as error:
            raise CompileError(f"{path}: {error}") from error
        finally:
            self._definition = around

    def _count(self, place: BuildPlace, path: str) -> None:
        self._built += 1
        if self._built > MAX_NODES:
            raise CompileError(f"{path}: this makes more than {MAX_NODES:,} nodes", place.span)

    def core(self, node: NodeBase, place: BuildPlace, path: str) -> Behaviour:
        """A node without its modifiers."""
        at = NodePlace(self, place, path)
        key = type_key(node) or ""
        built = (
            build_python(at, node) if isinstance(node, PythonNode) else self._build(at, key, node)
        )
        if not isinstance(built, Behaviour):
            raise CompileError(f"{path}: '{key}' gives no py_trees behaviour", place.span)
        if built.name == path:  # leaves are made with their whole path
            built.name = at.name
        return built

    def _build(self, at: NodePlace, key: str, node: NodeBase) -> object:
        """What a node type's builder makes; nodes of other packages are guarded."""
        target = registry().nodes[key].build
        build = cast("Callable[[NodePlace, NodeBase], object]", registry().load(target))
        if registry().owner(target).name == "treec":
            return build(at, node)
        try:
            built = build(at, node)
        except (CompileError, ExtensionError, ValueError):
            raise
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            why = failure_of_exception(error, target.partition(":")[0])
            raise CompileError(f"{at.path}: the node '{key}': {why}", at.place.span) from error
        if isinstance(built, Behaviour):
            for inner in built.iterate():
                if not type(inner).__module__.startswith(("treec.nodes.", "py_trees.")):
                    GuardedNode(self.runtime, at.path).take(inner)
        return built

    def find(self, kind: str, name: str, place: BuildPlace) -> AnyEntry:
        """An entry that a node refers to. Raises CompileError."""
        entry = self.view.find(kind, name)
        if entry is None:
            raise CompileError(f"{place.path}: there is no {kind} '{name}'")
        if kind != "tree":
            self._use(entry.model)
        return entry

    def _use(self, what: object) -> None:
        """Take note that the node that is being built depends on this."""
        if self._uses:
            self._uses[-1].append(what)

    # Decisions and their options

    def behaviour(
        self, entry: AnyEntry, place: BuildPlace, path: str, args: Mapping[str, object]
    ) -> Behaviour:
        """A decision with its options, an action, or a tree."""
        self._count(place, path)
        if entry.kind == "tree":
            return self.tree(entry, {}, path, place.parents)
        if entry.kind == "action":
            action = Action(path, self.runtime, place.frame, entry, args)
            action.name = _last(path)
            return self.ready(
                action, path, NodeDefinition(dict(args), place.header, (entry.model,))
            )
        if entry.kind != "decision":
            raise CompileError(f"{path}: a {entry.kind} is no option of a decision")
        if entry.name in place.parents:
            trail = " → ".join((*place.parents, entry.name))
            raise CompileError(f"the decision '{entry.name}' leads back to itself: {trail}")
        inner = replace(place, parents=(*place.parents, entry.name))
        model: DecisionFile = entry.model
        offers = {e.name: _offer(e) for e in self.view.offers_to(entry.name)}
        options: dict[str, Behaviour] = {}
        inside = inner.inside(path)
        for name in dict.fromkeys((*model.options, *offers, model.fallback)):
            if name is None:
                continue
            target = self.view.behaviour(name)
            if target is None:
                raise CompileError(f"{path}: the option '{name}' leads nowhere")
            below = _unique(target.name, inside)
            options[name] = self.behaviour(target, inner, below, {})
        wakeups: list[Wakeup] = [
            Wakeup(f"offer {name}", expression(offer.when, place)) for name, offer in offers.items()
        ]
        for child in options.values():
            for nearest in _decisions(child):
                wakeups.extend(nearest.wakeups)
        decision = Decision(path, self.runtime, place.frame, entry, options, offers, tuple(wakeups))
        decision.name = _last(path)
        own = offers, [(wakeup.name, wakeup.when.text) for wakeup in wakeups]
        self._use(own)
        return self.ready(decision, path, NodeDefinition(own, place.header, (entry.model,)))


@contextmanager
def _room() -> Iterator[None]:
    """Let a tree of `MAX_LEVELS` be built, each level of which takes a dozen calls of Python."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 30 * MAX_LEVELS))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _wiring(ports: Mapping[str, Cell | Wired]) -> Mapping[str, object]:
    """What is wired to ports, as data: entities by their names."""
    return {name: getattr(port.value, "name", port.value) for name, port in ports.items()}


def _offer(entry: AnyEntry) -> Offer:
    offer: Offer = entry.model.offer
    return offer


def _unique(element: str, place: BuildPlace) -> str:
    """The path of a child of a place's node, made unique among its siblings."""
    count = place.taken[element] = place.taken.get(element, 0) + 1
    return f"{place.path}/{element}" + (f"#{count}" if count > 1 else "")


def _decisions(node: Behaviour) -> Iterator[Decision]:
    """The topmost decisions of a subtree."""
    if isinstance(node, Decision):
        yield node
        return
    for child in node.children:
        yield from _decisions(child)


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _element(node: object) -> str:
    """A node's element of its path: its name, the entry it refers to, or its type."""
    if isinstance(node, list):
        return "sequence"
    if not isinstance(node, NodeBase):
        return "node"
    if node.name is not None:
        return node.name
    key = type_key(node) or "node"
    if key == "probe":
        return str(node.probe.name)  # type: ignore[attr-defined]
    known = registry().nodes.get(key)
    if known is not None and known.refers and isinstance(node, NodeBase):
        field = type(node).model_fields.get(key)
        if field is not None and field.annotation is str:
            return str(getattr(node, key)).rpartition("/")[2]
    return key.rpartition(":")[2]
