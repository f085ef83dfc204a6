"""Finds the names and functions that an expression or a template uses, on every branch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from jinja2 import nodes

from treec.frozen import frozen
from treec.source.grammar import children

FUNCTIONS = frozenset({"range"})
"""Functions that every expression has, independent of the scope."""


@frozen
class FreeName:
    """A free name: its offset, its text, and the fields that are read from it.

    For `acts.accept.proposals` the name is `acts` and `fields` are
    (("accept", 5), ("proposals", 12)); of a function, `fields` are those read from its result.
    """

    name: str
    offset: int
    length: int
    called: bool = False
    args: int = 0
    keywords: tuple[str, ...] = ()
    fields: tuple[tuple[str, int], ...] = ()


@frozen
class ExpressionCall:
    """A call of a function, with the syntax trees of its arguments."""

    name: str
    offset: int
    length: int
    args: tuple[nodes.Expr, ...]
    keywords: tuple[tuple[str, nodes.Expr], ...]
    negated: bool
    """It is inside a `not`."""

    @property
    def plain_args(self) -> tuple[str, ...] | None:
        """The arguments' names, where each is a bare name; else None."""
        names = tuple(arg.name for arg in self.args if isinstance(arg, nodes.Name))
        return names if len(names) == len(self.args) and not self.keywords else None


@frozen
class Uses:
    """The free names and the calls of a text, in its order."""

    names: tuple[FreeName, ...]
    calls: tuple[ExpressionCall, ...]


def uses(body: Iterable[nodes.Node], lengths: Mapping[int, int]) -> Uses:
    """Collect the free names and calls; what a loop, `set` or `with` binds is not free there."""
    collector = _Collector(lengths)
    collector.block(body, set())
    return Uses(
        tuple(sorted(collector.names, key=lambda name: name.offset)),
        tuple(sorted(collector.calls, key=lambda call: call.offset)),
    )


class _Collector:
    def __init__(self, lengths: Mapping[int, int]) -> None:
        self.names: list[FreeName] = []
        self.calls: list[ExpressionCall] = []
        self._lengths = lengths
        self._nots = 0

    def block(self, body: Iterable[nodes.Node], bound: set[str]) -> set[str]:
        """Visit statements in order; return the names that are certainly bound after them."""
        for node in body:
            self._visit(node, bound)
        return bound

    def _visit(self, node: nodes.Node, bound: set[str]) -> None:
        if isinstance(node, (nodes.Name, nodes.Getattr, nodes.Call)):
            self._chain(node, bound)
        elif not isinstance(node, nodes.Stmt):
            negates = isinstance(node, nodes.Not)
            self._nots += negates
            for child in children(node):
                self._visit(child, bound)
            self._nots -= negates
        elif isinstance(node, nodes.For):
            self._visit(node.iter, bound)
            inner = bound | _targets(node.target)
            if node.test is not None:
                self._visit(node.test, inner)
            self.block(node.body, inner | {"loop"})
            self.block(node.else_, set(bound))
        elif isinstance(node, nodes.If):
            self._if(node, bound)
        elif isinstance(node, nodes.Assign):
            self._visit(node.node, bound)
            bound |= _targets(node.target)
        elif isinstance(node, nodes.AssignBlock):
            if node.filter is not None:
                self._visit(node.filter, bound)
            self.block(node.body, set(bound))
            bound |= _targets(node.target)
        elif isinstance(node, nodes.With):
            inner = set(bound)
            for target, value in zip(node.targets, node.values, strict=True):
                self._visit(value, bound)
                inner |= _targets(target)
            self.block(node.body, inner)
        elif isinstance(node, nodes.FilterBlock):
            self._visit(node.filter, bound)
            self.block(node.body, set(bound))
        else:
            self.block(children(node), bound)

    def _if(self, node: nodes.If, bound: set[str]) -> None:
        """A name is bound after an `if` when every branch binds it."""
        branches = []
        self._visit(node.test, bound)
        branches.append(self.block(node.body, set(bound)))
        for branch in node.elif_:
            self._visit(branch.test, bound)
            branches.append(self.block(branch.body, set(bound)))
        branches.append(self.block(node.else_, set(bound)))
        bound |= set.intersection(*branches)

    def _chain(self, node: nodes.Expr, bound: set[str]) -> None:
        fields: list[tuple[str, int]] = []
        while isinstance(node, nodes.Getattr):
            fields.append((node.attr, node.lineno))
            node = node.node
        if isinstance(node, nodes.Name):
            if node.name not in bound:
                self._add(node, fields)
        elif isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name):
            keywords = tuple((keyword.key, keyword.value) for keyword in node.kwargs)
            if node.node.name not in FUNCTIONS:
                name = node.node
                at, length = name.lineno, len(name.name)
                args, negated = tuple(node.args), self._nots > 0
                call = ExpressionCall(name.name, at, length, args, keywords, negated)
                self.calls.append(call)
                self._add(name, fields, node)
            for value in (*node.args, *(value for _, value in keywords)):
                self._visit(value, bound)
        else:
            self._visit(node, bound)

    def _add(
        self, node: nodes.Name, fields: list[tuple[str, int]], call: nodes.Call | None = None
    ) -> None:
        self.names.append(
            FreeName(
                name=node.name,
                offset=node.lineno,
                length=self._lengths.get(node.lineno, len(node.name)),
                called=call is not None,
                args=0 if call is None else len(call.args),
                keywords=() if call is None else tuple(keyword.key for keyword in call.kwargs),
                fields=tuple(reversed(fields)),
            )
        )


def _targets(node: nodes.Node) -> set[str]:
    names = {found.name for found in node.find_all(nodes.Name)}
    return names | {node.name} if isinstance(node, nodes.Name) else names
