"""From a tree file to py_trees: plain composites, decorators and behaviours with stable paths.

Every node has a ``path`` such as ``depot_main/robot_worker[R1]/Subtask_To_Skills``: the tree's
name, then for each node below its own name, made unique among its siblings. Journals, traces and
snapshots speak of nodes by that path, so it depends on the files alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from py_trees.behaviour import Behaviour

from treec.compile.expressions import condition, expression, value
from treec.compile.leaves import build_leaf
from treec.compile.modifiers import modify
from treec.compile.place import CompileError, Place
from treec.files.entry import AnyEntry, Entry
from treec.files.nodes import (
    AskNode,
    DoNode,
    ForEachNode,
    IfNode,
    NodeBase,
    ParallelBody,
    ParallelNode,
    ReactiveSelectorNode,
    ReactiveSequenceNode,
    SelectorNode,
    SequenceNode,
    SequenceWithMemoryNode,
    SwitchNode,
    TreeNode,
    node_key,
)
from treec.files.prompts import DecisionFile, Offer
from treec.files.tree import TreeFile
from treec.files.view import View
from treec.nodes.act import Action
from treec.nodes.base import Control, Modifier
from treec.nodes.decide import Decision, Wakeup
from treec.nodes.for_each import ForEach
from treec.nodes.frame import Cell, Frame, Wired
from treec.nodes.if_ import If
from treec.nodes.parallel import Parallel
from treec.nodes.parallel_never import ParallelNever
from treec.nodes.reactive_selector import reactive_selector
from treec.nodes.reactive_sequence import reactive_sequence
from treec.nodes.runtime import Runtime
from treec.nodes.selector import selector
from treec.nodes.sequence import sequence
from treec.nodes.sequence_with_memory import SequenceWithMemory
from treec.nodes.switch import Switch
from treec.nodes.then_repeat import ThenRepeat
from treec.source.errors import LocatedError
from treec.source.expression import Expression

MAX_DEPTH = 200


_NO_CASE = object()


class Compiler:
    """Builds the trees of one run."""

    def __init__(self, view: View, runtime: Runtime) -> None:
        self.view = view
        self.runtime = runtime

    def root(self, entry: Entry[TreeFile]) -> Behaviour:
        """The tree that runs. Raises CompileError."""
        return self.tree(entry, {}, entry.name, ())

    def tree(
        self,
        entry: Entry[TreeFile],
        ports: Mapping[str, Cell | Wired],
        path: str,
        parents: tuple[str, ...],
    ) -> Behaviour:
        """An instance of a tree with its ports wired."""
        if entry.name in parents or len(parents) > MAX_DEPTH:
            raise CompileError(f"the tree '{entry.name}' contains itself: {' → '.join(parents)}")
        frame = Frame(self.runtime.scope, self.runtime.team, dict(ports))
        for name in (*entry.model.ports, *entry.model.vars):
            frame.cells.setdefault(name, Cell())
        place = Place(entry, frame, path, ("root",), (*parents, entry.name))
        root = self.node(entry.model.root, place, path)
        if entry.model.then == "repeat":
            root = self.ready(ThenRepeat(name=_last(path), child=root), f"{path}:then")
        return root

    def ready(self, node: Behaviour, path: str) -> Behaviour:
        """A node with its path, able to ask for a tick."""
        setattr(node, "path", path)  # noqa: B010 (py_trees' behaviours have no such attribute)
        if isinstance(node, Control | Modifier):
            node.wake = self._wake
        return node

    def _wake(self) -> None:
        self.runtime.wake()

    # Nodes

    def children(self, nodes: Sequence[object], place: Place, path: str) -> list[Behaviour]:
        """The children of a node, with those that `for` makes, each with a path of its own."""
        inside = place.inside(path)
        return [
            child
            for index, node in enumerate(nodes)
            for child in self.each(node, inside.below(index))
        ]

    def each(self, node: object, place: Place) -> list[Behaviour]:
        """The behaviours a node stands for: one, or one for each of its `for`."""
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

    def child(self, node: object, place: Place, path: str) -> Behaviour:
        """A single child of a node."""
        inside = place.inside(path)
        return self.node(node, inside, self._path(node, inside))

    def _static(self, text: str, place: Place) -> tuple[str, Sequence[object]]:
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

    def _path(self, node: object, place: Place, suffix: str = "") -> str:
        return _unique(_element(node) + suffix, place)

    def node(self, node: object, place: Place, path: str) -> Behaviour:
        """A node with its modifiers."""
        if isinstance(node, list):
            children = self.children(node, place, path)
            return self.ready(sequence(name=_last(path), children=children), path)
        if not isinstance(node, NodeBase):
            raise CompileError(f"{path}: not a node")
        try:
            core = self.core(node, place, path)
            if not isinstance(node, TreeNode):  # a tree's root has its path, or that of its `then`
                self.ready(core, path)
            return modify(self, core, node, place, path)
        except ValueError as error:
            raise CompileError(f"{path}: {error}") from error

    def core(self, node: NodeBase, place: Place, path: str) -> Behaviour:
        """A node without its modifiers."""
        name = _last(path)
        match node:
            case SequenceNode(sequence=nodes):
                return sequence(name, self.children(nodes, place.below("sequence"), path))
            case SelectorNode(selector=nodes):
                return selector(name, self.children(nodes, place.below("selector"), path))
            case ReactiveSequenceNode(reactive_sequence=nodes):
                below = place.below("reactive_sequence")
                return reactive_sequence(name, self.children(nodes, below, path))
            case ReactiveSelectorNode(reactive_selector=nodes):
                below = place.below("reactive_selector")
                return reactive_selector(name, self.children(nodes, below, path))
            case SequenceWithMemoryNode(sequence_with_memory=nodes):
                below = place.below("sequence_with_memory")
                return SequenceWithMemory(name, self.children(nodes, below, path))
            case ParallelNode(parallel=body):
                return self._parallel(body, place.below("parallel"), path)
            case SwitchNode(switch=body):
                below = place.below("switch")
                inside = below.inside(path)
                cases = {
                    _case(key): self.node(child, inside.below("cases", key), f"{path}/{key}")
                    for key, child in body.cases.items()
                }
                default = (
                    self.node(body.default, inside.below("default"), f"{path}/default")
                    if body.default is not None
                    else None
                )
                return Switch(
                    name, value(self.runtime, body.of, below.below("of"), _NO_CASE), cases, default
                )
            case IfNode():
                inside = place.inside(path)
                then = self.node(node.then, inside.below("then"), f"{path}/then")
                else_ = (
                    self.node(node.else_, inside.below("else"), f"{path}/else")
                    if node.else_ is not None
                    else None
                )
                return If(name, condition(self.runtime, node.if_, place.below("if")), then, else_)
            case ForEachNode(for_each=body):
                return self._for_each(node, place.below("for_each"), path)
            case TreeNode():
                return self._subtree(node, place, path)
            case AskNode(ask=target):
                return self.behaviour(self.find("decision", target, place), place, path, {})
            case DoNode(do=target):
                entry = self.find("action", target, place)
                return self.behaviour(entry, place, path, node.with_)
        return build_leaf(self, node, place, path)

    def _parallel(
        self, body: ParallelBody | Sequence[object], place: Place, path: str
    ) -> Behaviour:
        name = _last(path)
        if not isinstance(body, ParallelBody):
            return Parallel(name, self.children(body, place, path))
        children = self.children(body.children, place.below("children"), path)
        if body.until == "never":
            return ParallelNever(name, children)
        return Parallel(name, children, body.success, body.failure)

    def _for_each(self, node: ForEachNode, place: Place, path: str) -> Behaviour:
        body = node.for_each
        cell = Cell()
        frame = Frame(place.frame, self.runtime.team, {body.item: cell})
        inner = replace(place, frame=frame).below("do")
        child = self.child(body.do, inner, path)
        items = value(self.runtime, body.in_, place.below("in"), None)

        def listed() -> Sequence[object] | None:
            values = items()
            if isinstance(values, list | tuple):
                return values
            if values is not None:
                self.runtime.node_failed(path, f"'{body.in_}' is no list", __name__)
            return None

        def bind(value: object) -> None:
            cell.value = value

        return ForEach(_last(path), listed, bind, child)

    def _subtree(self, node: TreeNode, place: Place, path: str) -> Behaviour:
        entry = self.find("tree", node.tree, place)
        ports: dict[str, Cell | Wired] = {}
        for name, given in node.with_.items():
            known = self.runtime.team.agent(given) if isinstance(given, str) else None
            ports[name] = Wired(given, place.frame) if known is None else Cell(known)
        return self.tree(entry, ports, path, place.parents)

    def find(self, kind: str, name: str, place: Place) -> AnyEntry:
        """An entry that a node refers to. Raises CompileError."""
        entry = self.view.find(kind, name)
        if entry is None:
            raise CompileError(f"{place.path}: there is no {kind} '{name}'")
        return entry

    # Decisions and what they choose from

    def behaviour(
        self, entry: AnyEntry, place: Place, path: str, args: Mapping[str, object]
    ) -> Behaviour:
        """A decision with all below it, an action, or a tree."""
        if entry.kind == "tree":
            return self.tree(entry, {}, path, place.parents)
        if entry.kind == "action":
            action = Action(path, self.runtime, place.frame, entry, args)
            action.name = _last(path)
            return self.ready(action, path)
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
        return self.ready(decision, path)


def _offer(entry: AnyEntry) -> Offer:
    offer: Offer = entry.model.offer
    return offer


def _unique(element: str, place: Place) -> str:
    """The path of a child of a place's node, made unique among its siblings."""
    count = place.taken[element] = place.taken.get(element, 0) + 1
    return f"{place.path}/{element}" + (f"#{count}" if count > 1 else "")


def _decisions(node: Behaviour) -> Iterator[Decision]:
    """The decisions in a piece of a tree that stand below no other of it."""
    if isinstance(node, Decision):
        yield node
        return
    for child in node.children:
        yield from _decisions(child)


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _case(key: str) -> object:
    """A case's key as the value it stands for."""
    return {"true": True, "false": False, "none": None}.get(key, key)


def _element(node: object) -> str:
    """What a node is called in its path: its name, what it refers to, or its type."""
    if isinstance(node, list):
        return "sequence"
    if not isinstance(node, NodeBase):
        return "node"
    if node.name is not None:
        return node.name
    data = {(info.alias or name): name for name, info in type(node).model_fields.items()}
    key = node_key({**data, **(node.model_extra or {})}) or "node"
    if key in ("tree", "ask", "read", "do", "skill", "program", "plan"):
        return str(getattr(node, key)).rpartition("/")[2]
    if key == "probe":
        return str(node.probe.name)  # type: ignore[attr-defined]
    return key
