"""Builds the control nodes of tree files."""

from __future__ import annotations

from collections.abc import Sequence

from py_trees.behaviour import Behaviour

from treec.compile.node import NodePlace
from treec.files.nodes import (
    ForEachNode,
    IfNode,
    ParallelBody,
    ParallelNode,
    ReactiveSelectorNode,
    ReactiveSequenceNode,
    SelectorNode,
    SequenceNode,
    SequenceWithMemoryNode,
    SwitchNode,
    TreeNode,
)
from treec.nodes.for_each import ForEach
from treec.nodes.frame import Cell, Frame, Wired
from treec.nodes.if_ import If
from treec.nodes.parallel import Parallel
from treec.nodes.parallel_never import ParallelNever
from treec.nodes.reactive_selector import reactive_selector
from treec.nodes.reactive_sequence import reactive_sequence
from treec.nodes.selector import selector
from treec.nodes.sequence import sequence
from treec.nodes.sequence_with_memory import SequenceWithMemory
from treec.nodes.switch import Switch

_NO_CASE = object()


def build_sequence(at: NodePlace, node: SequenceNode) -> Behaviour:
    """`sequence`."""
    return sequence(at.name, at.children(node.sequence, "sequence"))


def build_selector(at: NodePlace, node: SelectorNode) -> Behaviour:
    """`selector`."""
    return selector(at.name, at.children(node.selector, "selector"))


def build_reactive_sequence(at: NodePlace, node: ReactiveSequenceNode) -> Behaviour:
    """`reactive_sequence`."""
    return reactive_sequence(at.name, at.children(node.reactive_sequence, "reactive_sequence"))


def build_reactive_selector(at: NodePlace, node: ReactiveSelectorNode) -> Behaviour:
    """`reactive_selector`."""
    return reactive_selector(at.name, at.children(node.reactive_selector, "reactive_selector"))


def build_sequence_with_memory(at: NodePlace, node: SequenceWithMemoryNode) -> Behaviour:
    """`sequence_with_memory`."""
    children = at.children(node.sequence_with_memory, "sequence_with_memory")
    return SequenceWithMemory(at.name, children)


def build_parallel(at: NodePlace, node: ParallelNode) -> Behaviour:
    """`parallel`."""
    body = node.parallel
    if not isinstance(body, ParallelBody):
        return Parallel(at.name, at.children(body, "parallel"))
    children = at.children(body.children, "parallel", "children")
    if body.until == "never":
        return ParallelNever(at.name, children)
    return Parallel(at.name, children, body.success, body.failure)


def build_switch(at: NodePlace, node: SwitchNode) -> Behaviour:
    """`switch`."""
    body = node.switch
    cases = {
        _case(key): at.branch(child, key, "switch", "cases", key)
        for key, child in body.cases.items()
    }
    default = None
    if body.default is not None:
        default = at.branch(body.default, "default", "switch", "default")
    return Switch(at.name, at.value(body.of, _NO_CASE, "switch", "of"), cases, default)


def _case(key: str) -> object:
    """The value of a case's key."""
    return {"true": True, "false": False, "none": None}.get(key, key)


def build_if(at: NodePlace, node: IfNode) -> Behaviour:
    """`if`."""
    then = at.branch(node.then, "then", "then")
    else_ = at.branch(node.else_, "else", "else") if node.else_ is not None else None
    return If(at.name, at.condition(node.if_, "if"), then, else_)


def build_for_each(at: NodePlace, node: ForEachNode) -> Behaviour:
    """`for_each`."""
    body, runtime = node.for_each, at.runtime
    cell = Cell()
    frame = Frame(at.frame, runtime.team, {body.item: cell})
    child = at.child(body.do, "for_each", "do", frame=frame)
    items = at.value(body.in_, None, "for_each", "in")

    def listed() -> Sequence[object] | None:
        values = items()
        if isinstance(values, list | tuple):
            return values
        if values is not None:
            runtime.record_node_failure(at.path, f"'{body.in_}' is no list", __name__)
        return None

    def bind(value: object) -> None:
        cell.value = value

    return ForEach(at.name, listed, bind, child)


def build_tree(at: NodePlace, node: TreeNode) -> Behaviour:
    """`tree`: an instance of another tree."""
    ports: dict[str, Cell | Wired] = {}
    for name, given in node.with_.items():
        known = at.runtime.team.agent(given) if isinstance(given, str) else None
        ports[name] = Wired(given, at.frame) if known is None else Cell(known)
    header = at.place.header if any(isinstance(port, Wired) for port in ports.values()) else None
    return at.compiler.tree(at.find("tree", node.tree), ports, at.path, at.place.parents, header)
