"""Compiles tree files to py_trees behaviours with stable paths.

Every node has a ``path`` such as ``depot_main/robot_worker[R1]/Subtask_To_Skills``: the name of the
tree, then that of each node below, made unique among its siblings. Journals, traces and snapshots
refer to nodes by path, so it depends on the files alone.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from py_trees.behaviour import Behaviour

from treec.compile.definition import NodeDefinition
from treec.compile.node_class import build_node_class
from treec.extensions import ExtensionError, registry
from treec.files.entry import AnyEntry, Entry
from treec.files.fields import LoopHead
from treec.files.node_spec import NodeSpec, Spec
from treec.files.nodes import (
    MAX_LEVELS,
    MAX_NODES,
    MODIFIERS,
    NodeBase,
    PythonNode,
    attribute_of,
    kind_of_nodes,
    spec_of,
    spec_referring,
    type_key,
)
from treec.files.tree import TreeFile
from treec.files.types import parse_type
from treec.files.view import View
from treec.foreign import ForeignError, guard
from treec.nodes.base import Control, Modifier
from treec.nodes.control.sequence import NODE as SEQUENCE
from treec.nodes.control.sequence import sequence
from treec.nodes.foreign import GuardedNode
from treec.nodes.frame import Cell, Frame, Wired
from treec.nodes.node_place import NodePlace
from treec.nodes.place import BuildPlace, CompileError
from treec.nodes.runtime import Runtime
from treec.nodes.then_repeat import SPEC as THEN
from treec.nodes.then_repeat import ThenRepeat
from treec.source.diagnostics import unknown
from treec.source.errors import LocatedError
from treec.source.expression import Expression
from treec.world.watch import fixed

OWN_NODES = ("treec.nodes.", "treec_asking.", "treec_hearing.", "py_trees.")
"""Packages whose nodes need no guard."""

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

    def root(self, entry: Entry[TreeFile], ports: Mapping[str, object] | None = None) -> Behaviour:
        """The behaviour of a tree that runs by itself. Raises CompileError."""
        wired = {}
        for name, value in (ports or {}).items():
            if name not in entry.model.ports:
                raise CompileError(unknown("port", name, entry.model.ports))
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
            if name not in frame.cells:
                frame.variables[name] = frame.cells[name] = Cell()
        model = entry.model
        for name, text in model.defaults.items():
            if name in frame.variables:
                frame.variables[name].value = self._default(entry, name, text, frame)
                frame.variables[name].times_set = 1
        header = entry.name, model.ports, model.vars, _wiring(ports), header
        self.frames[path] = header, frame
        place = BuildPlace(entry, frame, path, ("root",), (*parents, entry.name), header=header)
        root = self.node(model.root, place, path)
        if model.then == "repeat":
            repeat = ThenRepeat(name=_last(path), child=root)
            root = self.ready(repeat, f"{path}:then", self._defined(THEN, "then", header))
        return root

    def _default(self, entry: Entry[TreeFile], name: str, text: str, frame: Frame) -> object:
        """The first value of a variable, or of a port that is not wired. Raises CompileError."""
        try:
            return fixed(Expression.parse(text).evaluate(frame))
        except LocatedError as error:
            span = entry.span("vars" if name in entry.model.vars else "ports", name)
            why = f"the tree '{entry.name}': the default of '{name}': {error.message}"
            raise CompileError(why, span) from error

    def ready(self, node: Behaviour, path: str, definition: NodeDefinition) -> Behaviour:
        """Set a node's path and definition, and how it requests a tick."""
        setattr(node, "path", path)  # noqa: B010 (py_trees' behaviours have no such attributes)
        setattr(node, "definition", definition)  # noqa: B010
        if isinstance(node, Control | Modifier):
            node.wake = self._wake
        if isinstance(node, Control):
            node.tell_below = partial(self.runtime.arbiter.tell_below, path)
        elif isinstance(node, Modifier):
            node.hold = partial(self.runtime.arbiter.conclude, path.rpartition(":")[0] or path)
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
            values = self._static(node.for_, place)
            found = []
            for value in values:
                cell = Cell(self.runtime.team.agent(value) or value)
                frame = Frame(place.frame, self.runtime.team, {node.for_.name: cell})
                path = self._path(node, place, f"[{value}]")
                found.append(self.node(node, replace(place, frame=frame), path))
            return found
        return [self.node(node, place, self._path(node, place))]

    def child(self, node: object, place: BuildPlace, path: str) -> Behaviour:
        """A single child of a node."""
        inside = place.inside(path)
        return self.node(node, inside, self._path(node, inside))

    def _static(self, loop: LoopHead, place: BuildPlace) -> Sequence[object]:
        """The items of a loop that is known when compiling."""
        known: dict[str, Sequence[object]] = {
            "robots": self.view.robots,
            "people": self.view.people,
            "agents": tuple(self.view.agents),
        }
        if loop.items in known:
            return known[loop.items]
        try:
            values = Expression.parse(loop.items).constant_value()
        except LocatedError as error:
            raise CompileError(f"{place.path}: '{loop}': {error.message}") from error
        if not isinstance(values, list | tuple):
            raise CompileError(f"{place.path}: '{loop.items}' is not a list known at compile time")
        return values

    def _path(self, node: object, place: BuildPlace, suffix: str = "") -> str:
        return _unique(_element(node) + suffix, place)

    def node(self, node: object, place: BuildPlace, path: str) -> Behaviour:
        """A node with its modifiers."""
        self._count(place, path)
        if isinstance(node, list):
            made = sequence(name=_last(path), children=self.children(node, place, path))
            return self.ready(made, path, self._defined(SEQUENCE, "sequence", place.header))
        if not isinstance(node, NodeBase):
            raise CompileError(f"{path}: not a node")
        try:
            self._uses.append([])
            at, spec = NodePlace(self, place, path), spec_of(node)
            built = self._build(at, spec, node)
            uses = tuple(self._uses.pop())
            if spec is None or spec.refers != "tree":  # a tree's root has its path, or its `then`'s
                self.ready(built, path, self._defined(spec, node, place.header, uses, node))
            for key, value in reversed(node.modifiers.items()):
                modifier = MODIFIERS[key]
                built = modifier.build(replace(at, modifier=(key,)), value, built)
                definition = self._defined(modifier, node, place.header, uses, value)
                self.ready(built, f"{path}:{key}", definition)
            return built
        except ValueError as error:
            raise CompileError(f"{path}: {error}") from error

    def _defined(
        self,
        spec: Spec | None,
        own: object,
        header: object,
        uses: tuple[object, ...] = (),
        value: object = None,
    ) -> NodeDefinition:
        """What a node was made from; ``value`` is the node, or the modifier's value."""
        if spec is None:
            return NodeDefinition(own, header, uses)
        resume, swap = spec.resume_of(value), spec.swap_of(value)
        if not isinstance(spec, NodeSpec):
            return NodeDefinition(own, header, uses, spec.key, resume, swap)
        kind = kind_of_nodes(spec)
        return NodeDefinition(own, header, uses, kind, resume, swap)

    def _count(self, place: BuildPlace, path: str) -> None:
        self._built += 1
        if self._built > MAX_NODES:
            raise CompileError(f"{path}: this makes more than {MAX_NODES:,} nodes", place.span)

    def _build(self, at: NodePlace, spec: NodeSpec | None, node: NodeBase) -> Behaviour:
        """A node without its modifiers; nodes of other packages are guarded."""
        if isinstance(node, PythonNode):
            built: object = build_node_class(at, node)
        elif spec is None:
            raise CompileError(f"{at.path}: unknown node '{type_key(node)}'")
        elif registry().owner(registry().nodes[spec.key]).name == "treec":
            built = spec.build(at, node)
        else:
            built = self._build_guarded(at, spec, node)
        if not isinstance(built, Behaviour):
            why = f"{at.path}: '{type_key(node)}' did not build a py_trees behaviour"
            raise CompileError(why, at.place.span)
        if built.name == at.path:  # leaves are made with their whole path
            built.name = at.name
        return built

    def _build_guarded(self, at: NodePlace, spec: NodeSpec, node: NodeBase) -> object:
        module = registry().nodes[spec.key].partition(":")[0]
        try:
            with guard(module, CompileError, ExtensionError, ValueError):
                built: object = spec.build(at, node)
                if isinstance(built, Behaviour):
                    for inner in built.iterate():
                        if not type(inner).__module__.startswith(OWN_NODES):
                            GuardedNode(self.runtime, at.path).take(inner)
        except ForeignError as error:
            why = f"{at.path}: the node '{spec.key}': {error}"
            raise CompileError(why, at.place.span) from error
        return built

    def subtree(
        self, name: str, given: Mapping[str, object], place: BuildPlace, path: str
    ) -> Behaviour:
        """An instance of a tree, with its ports wired. Raises CompileError."""
        ports: dict[str, Cell | Wired] = {}
        for port, value in given.items():
            known = self.runtime.team.agent(value) if isinstance(value, str) else None
            ports[port] = Wired(value, place.frame) if known is None else Cell(known)
        header = place.header if any(isinstance(port, Wired) for port in ports.values()) else None
        return self.tree(self.find("tree", name, place), ports, path, place.parents, header)

    def find(self, kind: str, name: str, place: BuildPlace) -> AnyEntry:
        """An entry that a node refers to. Raises CompileError."""
        entry = self.view.find(kind, name)
        if entry is None:
            raise CompileError(f"{place.path}: unknown {kind} '{name}'")
        if kind != "tree":
            self.use(entry.model)
        return entry

    def use(self, what: object) -> None:
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
        asks = registry().kinds[entry.kind].asks
        made: Any = getattr(registry().load(asks), "as_option", None) if asks else None
        if made is None:
            raise CompileError(f"{path}: a {entry.kind} cannot be an option of a decision")
        behaviour: Behaviour = made(self, entry, place, path, args)
        return behaviour

    def option(self, name: str, place: BuildPlace, inside: BuildPlace) -> Behaviour:
        """An option of a decision, at a path below ``inside``. Raises CompileError."""
        target = self.view.behaviour(name)
        if target is None:
            raise CompileError(f"{inside.path}: unknown option '{name}'")
        return self.behaviour(target, place, _unique(target.name, inside), {})

    def option_ready(
        self, node: Behaviour, entry: AnyEntry, path: str, own: object, place: BuildPlace
    ) -> Behaviour:
        """An option of a decision: it goes on like the node type that runs files of its kind."""
        node.name = _last(path)
        definition = self._defined(spec_referring(entry.kind), own, place.header, (entry.model,))
        return self.ready(node, path, definition)


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


def _unique(element: str, place: BuildPlace) -> str:
    """The path of a child of a place's node, made unique among its siblings."""
    count = place.taken[element] = place.taken.get(element, 0) + 1
    return f"{place.path}/{element}" + (f"#{count}" if count > 1 else "")


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
    spec, key = spec_of(node), type_key(node) or "node"
    if spec is not None and spec.name is not None:
        return spec.name(node)
    if spec is not None and spec.refers:
        field = attribute_of(spec.model, key)
        if spec.model.model_fields[field].annotation is str:  # and not a value, which may be bound
            return str(getattr(node, field)).rpartition("/")[2]
    return key.rpartition(":")[2]
