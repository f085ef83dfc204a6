"""Tree that expands to too many nodes, or too many levels.

A tree is built when a system starts: each use of a tree is an instance of its own, and `for` makes
a node for every item. Trees that use the next one twice, or loops in loops, grow exponentially; at
most 150,000 nodes are built. To do something for each item, `for_each` builds it once. Nor can a
tree be deeper than 100 levels, counting its subtrees' nodes and modifiers.

Wrong, if it goes on so for forty trees:

    tree: level_0
    root: [{tree: level_1}, {tree: level_1}]

Right:

    tree: level_0
    root: [{tree: level_1}]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from treec.check.graph import CallGraph, graph_of
from treec.check.loops import items_of
from treec.check.tree_nodes import TreeNodeAt, root_of
from treec.files.entry import AnyEntry
from treec.files.nodes import MAX_LEVELS, MAX_NODES, MODIFIERS, NodeBase
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.text import Span

CODE = "TC313"
_Place = Callable[[], Span]


def check(view: View) -> Iterator[Diagnostic]:
    """Report trees and decisions whose own nodes exceed the limit, the innermost ones."""
    sizes = _Sizes(view)
    for entry in sizes.graph.behaviours:
        sizes.size(entry)
    for entry, span in sizes.problems:
        message = f"the {entry.kind} '{entry.name}' is built with more than {MAX_NODES:,} nodes"
        help = "each use of a tree and each item of a 'for' is built anew; 'for_each' builds one"
        yield Diagnostic(CODE, "error", span, message, help)
    for entry, span in sizes.deep:
        message = f"the {entry.kind} '{entry.name}' is built with more than {MAX_LEVELS} levels"
        help = "nodes, modifiers and the nodes of subtrees count; put steps beside one another"
        yield Diagnostic(CODE, "error", span, message, help)


class _Sizes:
    """The number of nodes that each behaviour is built with."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.graph: CallGraph = graph_of(view)
        self.problems: list[tuple[AnyEntry, Span]] = []
        self.deep: list[tuple[AnyEntry, Span]] = []
        self._measured: set[int] = set()
        self._known: dict[int, int] = {}
        self._levels: dict[int, int] = {}

    def size(self, entry: AnyEntry) -> int:
        """Return the size of a behaviour; of one that contains itself, a part (TC305)."""
        waiting = [entry]
        while waiting:
            last = waiting[-1]
            if id(last) not in self._known:
                self._known[id(last)] = self._levels[id(last)] = 1
                targets = (edge.target for edge in self.graph.edges(last))
                waiting += [t for t in targets if t is not None and id(t) not in self._known]
            else:
                waiting.pop()
                if id(last) not in self._measured:
                    self._measured.add(id(last))
                    self._known[id(last)] = self._sum(last)
        return self._known[id(entry)]

    def _sum(self, entry: AnyEntry) -> int:
        total, large = 0, False
        for count, target, place, levels in self._parts(entry):
            below = 1 if target is None else self.size(target)
            deepest = 0 if target is None else self._levels[id(target)]
            if levels + deepest > MAX_LEVELS >= max(levels, deepest, self._levels[id(entry)]):
                self.deep.append((entry, place()))
            self._levels[id(entry)] = max(self._levels[id(entry)], levels + deepest)
            large = large or below > MAX_NODES
            total += count * below
            if total > MAX_NODES:
                if not large:
                    self.problems.append((entry, place()))
                return MAX_NODES + 1
        return total

    def _parts(self, entry: AnyEntry) -> Iterator[tuple[int, AnyEntry | None, _Place, int]]:
        """Yield how often each part is built, what it is, its place, and its level."""
        edges = self.graph.edges(entry)
        if entry.kind != "tree":
            yield 1, None, entry.span, 1
            for edge in edges:
                yield 1, edge.target, partial(getattr, edge, "span"), 1
            return
        targets = {edge.loc[:-1]: edge.target for edge in edges}
        waiting: list[tuple[TreeNodeAt, int, int]] = [(root_of(entry), 1, 0)]
        while waiting:
            at, count, above = waiting.pop()
            levels = above + (at.loc not in targets) + _modifiers(at.node)
            loop = None if isinstance(at.node, list) else at.node.for_
            if loop is not None:
                count *= len(items_of(self.view, loop) or ()) or 1
            yield count, None, partial(at.span, "for") if loop is not None else at.span, levels
            if at.loc in targets:
                yield count, targets[at.loc], at.span, levels
            waiting += [(child, count, levels) for child in reversed(at.children)]


def _modifiers(node: NodeBase | list[object]) -> int:
    """The number of modifiers around a node, each of which is a level."""
    if isinstance(node, list):
        return 0
    return sum(spec.attribute in node.model_fields_set for spec in MODIFIERS.values())
