"""`for: x in …` on a node: what it stands for when compiling."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from treec.files.nodes import NodeBase
from treec.files.view import View
from treec.source.errors import LocatedError
from treec.source.expression import Expression

TEAMS = ("robots", "agents", "people")
"""The lists that are known when compiling; besides these, lists written out."""

_NAME = re.compile(r"[A-Za-z]\w*")


@dataclass(frozen=True, slots=True)
class LoopHead:
    """A `for` taken apart: the name, and the list with its offset in the text."""

    name: str
    items: str
    offset: int

    @property
    def names_well(self) -> bool:
        """Whether the name can be one."""
        return _NAME.fullmatch(self.name) is not None


def parse_loop(text: str) -> LoopHead | None:
    """Take apart ``agent in robots``; None when there is no `in`."""
    name, found, items = text.partition(" in ")
    if not found or not items.strip():
        return None
    offset = len(name) + len(found) + len(items) - len(items.lstrip())
    return LoopHead(name.strip(), items.strip(), offset)


def written_out(items: str) -> Sequence[object] | None:
    """The items of a list that is written out."""
    try:
        expression = Expression.parse(items)
        value = expression.constant_value() if expression.is_constant else None
    except LocatedError:
        return None
    return value if isinstance(value, list | tuple) else None


def items_of(view: View, loop: LoopHead) -> Sequence[object] | None:
    """What a loop goes over; None when it is not known when compiling."""
    match loop.items:
        case "robots":
            return view.robots
        case "people":
            return view.people
        case "agents":
            return tuple(view.agents)
    return written_out(loop.items)


def count(view: View, nodes: Sequence[object]) -> int | None:
    """How many children some nodes make; None when a `for` among them cannot be told."""
    number = 0
    for node in nodes:
        if not isinstance(node, NodeBase) or node.for_ is None:
            number += 1
            continue
        loop = parse_loop(node.for_)
        items = items_of(view, loop) if loop is not None else None
        if items is None or not items:
            return None  # a team without such agents may get some
        number += len(items)
    return number
