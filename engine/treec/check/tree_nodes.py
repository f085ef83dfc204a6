"""The nodes of a tree file with their places, and its ports."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Literal, cast

from treec.check.base import Loc
from treec.files.entry import AnyEntry, per_entry
from treec.files.nodes import ChildNode, NodeBase, child_nodes, spec_of, type_key
from treec.files.types import Type, parse_type
from treec.frozen import frozen
from treec.source.text import Span


@frozen(slots=False)
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

    @cached_property
    def children(self) -> list[TreeNodeAt]:
        """The child nodes, those in modifiers last."""
        return [self._below(child) for child in child_nodes(self.node)]

    def _below(self, child: ChildNode) -> TreeNodeAt:
        bound = self.bound | loop_names(self.node)
        spec = spec_of(self.node)
        if child.modifier is not None:
            bound |= child.modifier.binds.keys()
        elif spec is not None and spec.binds is not None:
            bound |= spec.binds(self.node).keys()
        loc = (*self.loc, *child.loc)
        return TreeNodeAt(self.entry, child.node, loc, child.in_list, bound)


@per_entry
def root_of(entry: AnyEntry) -> TreeNodeAt:
    """Return the root of a tree file."""
    return TreeNodeAt(entry, entry.model.root, ("root",))


@per_entry
def tree_nodes(entry: AnyEntry) -> tuple[TreeNodeAt, ...]:
    """Return all nodes of a tree file, outer ones first, without lists."""
    return tuple(_walk(entry))


def _walk(entry: AnyEntry) -> Iterator[TreeNodeAt]:
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
    return frozenset({node.for_.name})


@frozen
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
