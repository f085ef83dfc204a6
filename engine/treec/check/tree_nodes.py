"""The nodes of a tree file with their places, and its ports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, cast

from treec.check.base import Loc
from treec.files.entry import AnyEntry
from treec.files.nodes import (
    CORE_MODELS,
    ForEachNode,
    IfNode,
    NodeBase,
    ParallelBody,
    ParallelNode,
    SwitchNode,
    type_key,
)
from treec.files.types import Type, parse_type
from treec.source.text import Span

LISTS = (
    "sequence",
    "selector",
    "reactive_sequence",
    "reactive_selector",
    "sequence_with_memory",
)


@dataclass(frozen=True, slots=True)
class TreeNodeAt:
    """A node, its place, and the names that the loops and handlers around it bind."""

    entry: AnyEntry
    node: NodeBase | list[object]
    loc: Loc
    in_list: bool = False
    """Whether it is in a list of children, where `for` may make several of it."""
    bound: frozenset[str] = frozenset()

    @property
    def key(self) -> str | None:
        """The key that is the node's type; None for a list, or if there is no such key."""
        return None if isinstance(self.node, list) else type_key(self.node)

    def span(self, *loc: str | int, key: bool = False) -> Span:
        """Return the span of a part of the node."""
        return self.entry.span(*self.loc, *loc, key=key)

    @property
    def children(self) -> list[TreeNodeAt]:
        """The child nodes, `on_failure` last."""
        if isinstance(self.node, list):
            return self._children_at(self.node, (), self.bound)
        node = self.node
        bound = self.bound | loop_names(node)
        found: list[TreeNodeAt] = []
        key = type_key(node)
        if key in LISTS:
            found = self._children_at(getattr(node, key), (key,), bound)
        elif isinstance(node, ParallelNode):
            body = node.parallel
            if isinstance(body, ParallelBody):
                below = cast("list[object]", body.children)
                found = self._children_at(below, ("parallel", "children"), bound)
            else:
                found = self._children_at(cast("list[object]", body), ("parallel",), bound)
        elif isinstance(node, SwitchNode):
            cases = node.switch.cases
            found = [self._one(child, ("switch", "cases", c), bound) for c, child in cases.items()]
            if node.switch.default is not None:
                found.append(self._one(node.switch.default, ("switch", "default"), bound))
        elif isinstance(node, IfNode):
            found = [self._one(node.then, ("then",), bound)]
            if node.else_ is not None:
                found.append(self._one(node.else_, ("else",), bound))
        elif isinstance(node, ForEachNode):
            found = [self._one(node.for_each.do, ("for_each", "do"), bound | {node.for_each.item})]
        elif key not in CORE_MODELS:
            found = self._own(node, bound)
        if node.on_failure is not None:
            found.append(self._one(node.on_failure, ("on_failure",), bound | {"reason"}))
        return found

    def _own(self, node: NodeBase, bound: frozenset[str]) -> list[TreeNodeAt]:
        """Yield the nodes in the fields of an extension's node."""
        found: list[TreeNodeAt] = []
        for name, info in type(node).model_fields.items():
            value = getattr(node, name)
            if name in NodeBase.model_fields:
                continue
            if isinstance(value, NodeBase):
                found.append(self._one(value, (info.alias or name,), bound))
            elif isinstance(value, list) and value and isinstance(value[0], NodeBase | list):
                found += self._children_at(value, (info.alias or name,), bound)
        return found

    def _children_at(
        self, nodes: list[object], loc: Loc, bound: frozenset[str]
    ) -> list[TreeNodeAt]:
        return [
            TreeNodeAt(self.entry, cast("NodeBase", node), (*self.loc, *loc, index), True, bound)
            for index, node in enumerate(nodes)
        ]

    def _one(self, node: object, loc: Loc, bound: frozenset[str]) -> TreeNodeAt:
        below = (*self.loc, *loc)
        return TreeNodeAt(self.entry, cast("NodeBase", node), below, bound=bound)


def root_of(entry: AnyEntry) -> TreeNodeAt:
    """Return the root of a tree file."""
    return TreeNodeAt(entry, entry.model.root, ("root",))


def tree_nodes(entry: AnyEntry) -> Iterator[TreeNodeAt]:
    """Return all nodes of a tree file, outer ones first, without lists."""
    stack = [root_of(entry)]
    while stack:
        at = stack.pop()
        if not isinstance(at.node, list):
            yield at
        stack.extend(reversed(at.children))


def loop_names(node: NodeBase | list[object]) -> frozenset[str]:
    """Return the name that a node's own `for` binds."""
    if isinstance(node, list) or node.for_ is None:
        return frozenset()
    return frozenset({node.for_.partition(" in ")[0].strip()})


@dataclass(frozen=True, slots=True)
class Port:
    """A port of a tree or of a Python node."""

    direction: Literal["in", "out", "inout"]
    type: Type

    @property
    def writes(self) -> bool:
        """Whether the port writes to the variable it is wired to."""
        return self.direction != "in"

    def __str__(self) -> str:
        return f"{self.direction} {self.type}"


def parse_port(text: str) -> Port:
    """Parse ``in Robot``. Raises ValueError with a help text."""
    direction, _, rest = text.strip().partition(" ")
    if direction not in ("in", "out", "inout") or not rest.strip():
        raise ValueError("a port is 'in', 'out' or 'inout' and a type: in Robot")
    return Port(cast("Literal['in', 'out', 'inout']", direction), parse_type(rest))


def ports_of(entry: AnyEntry) -> dict[str, Port]:
    """Return the valid ports of a tree file."""
    found: dict[str, Port] = {}
    for name, text in entry.model.ports.items():
        try:
            found[name] = parse_port(text)
        except ValueError:
            continue
    return found
