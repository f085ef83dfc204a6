"""Types of filters' results, and which of their arguments name fields."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes

from treec.check.fields import GROUP
from treec.extensions import registry
from treec.files.types import (
    ANY,
    BOOL,
    INTEGER,
    NUMBER,
    TEXT,
    ListOf,
    Named,
    Type,
    a,
    parse_type,
    union,
    without_none,
)

_SAME = frozenset(
    ["list", "reverse", "sort", "unique", "select", "reject", "selectattr", "rejectattr"]
)
_NO_LISTS = (NUMBER, INTEGER, BOOL)
_ITEM = frozenset({"first", "last", "min", "max"})

_ATTRIBUTE = {"selectattr": 0, "rejectattr": 0, "groupby": 0, "min": 0, "max": 0, "sum": 0}
_ATTRIBUTE |= {"join": 1, "unique": 1, "sort": 2}
"""Filters that read a field of each item, and its position among their arguments."""


def path_arguments(node: nodes.Filter) -> Iterator[nodes.Const]:
    """Return a filter's arguments that name a field of each item: `map(attribute='agent')`."""
    position = _ATTRIBUTE.get(str(node.name))
    if position is not None and len(node.args) > position:
        yield from _text(node.args[position])
    if position is not None or node.name == "map":
        for keyword in node.kwargs:
            if isinstance(keyword, nodes.Keyword) and keyword.key == "attribute":
                yield from _text(keyword.value)


def _text(node: nodes.Node) -> Iterator[nodes.Const]:
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        yield node


def wrong_input(name: str, given: Type) -> str | None:
    """What is wrong with filtering a value of this type: a number has no items."""
    declared = registry().filters.get(name)
    if name in ("abs", "round") and isinstance(given, ListOf):
        return f"'{name}' takes a number, not {a(given)}"
    if declared is None or given not in _NO_LISTS:
        return None
    lists = declared.call.startswith("treec.source.filters_lists:")
    return f"'{name}' takes a list, not {a(given)}" if lists else None


def filter_type(node: nodes.Filter, given: Type, field: Type) -> Type:
    """Return the type of a filter's result; ``field`` is the type of the field it was given."""
    name = node.name
    if name in _SAME:
        return given if isinstance(given, ListOf) else ANY
    if name in _ITEM:
        return given.item if isinstance(given, ListOf) else ANY
    if name == "map":
        return ListOf(field)
    if name == "groupby" and isinstance(given, ListOf):
        return ListOf(Named(f"{GROUP}{given.item}"))
    if name == "batch" and isinstance(given, ListOf):
        return ListOf(given)
    if name in ("default", "d"):
        constant = node.args[0] if node.args else None
        text = isinstance(constant, nodes.Const) and isinstance(constant.value, str)
        return union(without_none(given), TEXT) if text and given != ANY else ANY
    declared = registry().filters.get(name)
    return ANY if declared is None else parse_type(declared.returns)
