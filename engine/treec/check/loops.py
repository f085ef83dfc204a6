"""Parses `for: x in …` of a node and finds its items at compile time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from treec.check.conditions import literal_value
from treec.files.nodes import NodeBase
from treec.files.view import View

TEAMS = ("robots", "agents", "people")
"""Names of lists that are known at compile time."""

_NAME = re.compile(r"[A-Za-z]\w*")


@dataclass(frozen=True, slots=True)
class LoopHead:
    """A parsed `for`: the name, and the list with its offset in the text."""

    name: str
    items: str
    offset: int

    @property
    def names_well(self) -> bool:
        """Whether the name is an identifier."""
        return _NAME.fullmatch(self.name) is not None


def parse_loop(text: str) -> LoopHead | None:
    """Parse ``agent in robots``; None if there is no `in`."""
    name, found, items = text.partition(" in ")
    if not found or not items.strip():
        return None
    offset = len(name) + len(found) + len(items) - len(items.lstrip())
    return LoopHead(name.strip(), items.strip(), offset)


def literal_items(items: str) -> Sequence[object] | None:
    """Return the items of a literal list; None if it is not one."""
    value = literal_value(items)
    return value if isinstance(value, list | tuple) else None


def items_of(view: View, loop: LoopHead) -> Sequence[object] | None:
    """Return the items of a loop; None if they are unknown at compile time."""
    match loop.items:
        case "robots":
            return view.robots
        case "people":
            return view.people
        case "agents":
            return tuple(view.agents)
    return literal_items(loop.items)


def count(view: View, nodes: Sequence[object]) -> int | None:
    """Return the number of children that nodes expand to; None if a `for` cannot be expanded."""
    number = 0
    for node in nodes:
        if not isinstance(node, NodeBase) or node.for_ is None:
            number += 1
            continue
        loop = parse_loop(node.for_)
        items = items_of(view, loop) if loop is not None else None
        if items is None or not items:
            return None  # another team may have such agents
        number += len(items)
    return number
