"""Asking ahead: the nodes below a decision are asked while it is, since each needs only to look.

A question that was asked ahead decides nothing. Its node takes it over when it is ticked, if it
would ask the very same then; else it is dropped and asked anew. So `ahead` changes how long
deciding takes, and nothing that is decided.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from contextlib import suppress

from py_trees.behaviour import Behaviour

from treec.nodes.asking import AskingNode
from treec.nodes.runtime import NodeError
from treec.source.errors import EvaluationProblem, LocatedError
from treec.world.events import EventRefused


def ask_ahead(nodes: Iterable[Behaviour]) -> None:
    """Ask nodes ahead, and theirs, level by level: the order in which the answers are needed.

    An error is left to the tick in which it counts.
    """
    queue = deque(nodes)
    while queue:
        node = queue.popleft()
        if isinstance(node, AskingNode):
            with suppress(LocatedError, EvaluationProblem, NodeError, EventRefused):
                queue.extend(node.ask_ahead())


def drop_ahead(nodes: Iterable[Behaviour]) -> None:
    """Close what nodes were asked ahead."""
    for node in nodes:
        if isinstance(node, AskingNode):
            node.drop_ahead()
