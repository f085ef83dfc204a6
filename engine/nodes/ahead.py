"""Asking ahead: the nodes below a decision are asked while it is, since each needs only to look.

A question that was asked ahead decides nothing. Its node takes it over when it is ticked, if it
would ask the very same then; else it is dropped and asked anew. So `ahead` changes how long
deciding takes, and nothing that is decided.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, runtime_checkable

from py_trees.behaviour import Behaviour

from treec.ask.transport import Message
from treec.nodes.asking import Asking
from treec.nodes.observation import Observation
from treec.nodes.runtime import NodeError
from treec.source.errors import LocatedError, Problem
from treec.world.events import Refused


@runtime_checkable
class AsksAhead(Protocol):
    """A node that can be asked before it is ticked."""

    def ask_ahead(self) -> Iterable[Behaviour]:
        """Ask what it would ask if it were ticked now; nothing, if it would not ask.

        Returns the nodes below that are to be asked, too, the likeliest first.
        """

    def drop_ahead(self) -> None:
        """Close what was asked ahead, here and below."""


class Prepared:
    """The question that a node was asked ahead, until it takes it over."""

    def __init__(self) -> None:
        self._asking: Asking | None = None

    def put(self, asking: Asking) -> None:
        """Keep a question in flight."""
        self.drop()
        self._asking = asking

    def take(
        self, prompt: Sequence[Message], schema: Mapping[str, object], seen: Observation
    ) -> Asking | None:
        """The question, if it is this one; else None, and it is closed."""
        asking = self._asking
        if asking is None or not asking.is_about(prompt, schema, seen):
            self.drop()
            return None
        self._asking = None
        return asking

    def drop(self) -> None:
        """Close it."""
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None


def ask_ahead(nodes: Iterable[Behaviour]) -> None:
    """Ask nodes ahead, and theirs, level by level: the order in which the answers are needed.

    What one of them cannot do it says itself, when it is ticked.
    """
    queue = deque(nodes)
    while queue:
        node = queue.popleft()
        if isinstance(node, AsksAhead):
            quietly(lambda node=node: queue.extend(node.ask_ahead()))  # type: ignore[misc]


def drop_ahead(nodes: Iterable[Behaviour]) -> None:
    """Close what nodes were asked ahead."""
    for node in nodes:
        if isinstance(node, AsksAhead):
            node.drop_ahead()


def quietly(action: Callable[[], None]) -> None:
    """Leave an error to the tick in which it counts."""
    try:
        action()
    except (LocatedError, Problem, NodeError, Refused):
        return
