"""The items of `for: x in …` of a node, as far as they are known at compile time."""

from __future__ import annotations

from collections.abc import Sequence

from treec.check.conditions import literal_value
from treec.files.fields import LoopHead
from treec.files.nodes import NodeBase
from treec.files.view import View

TEAMS = ("robots", "agents", "people")
"""Names of lists that are known at compile time."""


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
        items = items_of(view, node.for_)
        if items is None or not items:
            return None  # another team may have such agents
        number += len(items)
    return number
