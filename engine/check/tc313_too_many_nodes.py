"""Tree that expands to too many nodes.

A tree is built when a system starts: each use of a tree is an instance of its own, and `for` makes
a node for every item. Trees that use the next one twice, or loops in loops, grow exponentially; at
most 50,000 nodes are built. To do something for each item, `for_each` builds it once.

Wrong, if it goes on so for forty trees:

    tree: level_0
    root: [{tree: level_1}, {tree: level_1}]

Right:

    tree: level_0
    root: [{tree: level_1}]
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.graph import CallGraph, graph_of
from treec.check.loops import items_of, parse_loop
from treec.check.tree_nodes import TreeNodeAt, root_of
from treec.files.entry import AnyEntry
from treec.files.nodes import MAX_NODES
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.text import Span

CODE = "TC313"


def check(view: View) -> Iterator[Diagnostic]:
    """Report trees and decisions whose own nodes exceed the limit, the innermost ones."""
    sizes = _Sizes(view)
    for entry in sizes.graph.behaviours:
        sizes.size(entry)
    for entry, span in sizes.problems:
        message = f"the {entry.kind} '{entry.name}' is built with more than {MAX_NODES:,} nodes"
        help = "each use of a tree and each item of a 'for' is built anew; 'for_each' builds one"
        yield Diagnostic(CODE, "error", span, message, help)


class _Sizes:
    """The number of nodes that each behaviour is built with."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.graph: CallGraph = graph_of(view)
        self.problems: list[tuple[AnyEntry, Span]] = []
        self._known: dict[int, int] = {}

    def size(self, entry: AnyEntry) -> int:
        """Return the size of a behaviour; of one that contains itself, a part (TC305)."""
        if id(entry) not in self._known:
            self._known[id(entry)] = 1
            self._known[id(entry)] = self._sum(entry)
        return self._known[id(entry)]

    def _sum(self, entry: AnyEntry) -> int:
        total, large = 0, False
        for count, target, span in self._parts(entry):
            below = 1 if target is None else self.size(target)
            large = large or below > MAX_NODES
            total += count * below
            if total > MAX_NODES:
                if not large:
                    self.problems.append((entry, span))
                return MAX_NODES + 1
        return total

    def _parts(self, entry: AnyEntry) -> Iterator[tuple[int, AnyEntry | None, Span]]:
        """Yield how often each part of a behaviour is built, what it is, and its place."""
        edges = self.graph.edges(entry)
        if entry.kind != "tree":
            yield 1, None, entry.span()
            for edge in edges:
                yield 1, edge.target, edge.span
            return
        targets = {edge.loc[:-1]: edge.target for edge in edges}
        waiting: list[tuple[TreeNodeAt, int]] = [(root_of(entry), 1)]
        while waiting:
            at, count = waiting.pop()
            loop = None if isinstance(at.node, list) else at.node.for_
            if loop is not None:
                count *= self._items(loop)
            yield count, None, at.span("for") if loop is not None else at.span()
            if at.loc in targets:
                yield count, targets[at.loc], at.span()
            waiting += [(child, count) for child in reversed(at.children)]

    def _items(self, text: str) -> int:
        loop = parse_loop(text)
        items = items_of(self.view, loop) if loop is not None else None
        return len(items) if items else 1
