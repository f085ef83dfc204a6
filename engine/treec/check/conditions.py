"""Static analysis of conditions: which are constant, and which imply an earlier one."""

from __future__ import annotations

from collections.abc import Iterable

from jinja2 import nodes

from treec.source.errors import LocatedError
from treec.source.expression import Expression

Key = tuple[object, ...]
MOST_PARTS = 64
"""Conditions with more alternatives than this are not compared."""


def literal_value(text: str) -> object:
    """Return the value of a constant expression; None of another, or if it cannot be parsed."""
    try:
        expression = Expression.parse(text)
        return expression.constant_value() if expression.is_constant else None
    except LocatedError:
        return None


class EarlierConditions:
    """Earlier conditions of a list of rules, to find later ones that can never fire first.

    A condition is a set of alternatives (`or`), each a set of demands (`and`). When every one of
    its alternatives demands all that some earlier alternative demands, then whenever it holds an
    earlier one holds too.
    """

    def __init__(self) -> None:
        self._demands: dict[Key, list[tuple[int, frozenset[Key], str]]] = {}
        self._count = 0

    def add(self, text: str) -> None:
        """Add the next condition."""
        for demands in _alternatives(text):
            buckets = [self._demands.setdefault(key, []) for key in demands]
            self._count += 1
            min(buckets, key=len).append((self._count, demands, text))  # the rarest

    def covering(self, text: str) -> str | None:
        """An earlier condition that holds whenever this one does."""
        alternatives = _alternatives(text)
        earlier = [self._earlier(demands) for demands in alternatives]
        found = [text for text in earlier if text is not None]
        return found[-1] if found and len(found) == len(earlier) else None

    def _earlier(self, demands: frozenset[Key]) -> str | None:
        found = [
            (number, text)
            for key in demands
            for number, other, text in self._demands.get(key, ())
            if other <= demands
        ]
        return min(found)[1] if found else None


def _alternatives(text: str) -> list[frozenset[Key]]:
    try:
        (body,) = Expression.parse(text).ast
    except LocatedError:
        return []
    found = [frozenset(map(key_of, split(part, nodes.And))) for part in split(body, nodes.Or)]
    return found if len(found) <= MOST_PARTS else []


def split(node: nodes.Node, kind: type[nodes.BinExpr]) -> Iterable[nodes.Node]:
    """The parts of a chain of `or` or `and`, in their order."""
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, kind):
            stack += [part.right, part.left]
        else:
            yield part


def key_of(node: nodes.Node) -> Key:
    """Return a key that is equal for equal expressions, wherever they stand."""
    return (type(node).__name__, *(_part(value) for _, value in node.iter_fields()))


def _part(value: object) -> object:
    if isinstance(value, nodes.Node):
        return key_of(value)
    if isinstance(value, list | tuple):
        return tuple(_part(item) for item in value)
    return (type(value).__name__, value)  # True and 1 are not the same here
