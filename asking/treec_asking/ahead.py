"""Ask the nodes below a decision at the same time as the decision, to save time.

An answer that was requested ahead decides nothing by itself. When its node is ticked and would ask
exactly the same question, it uses the answer; otherwise it drops it and asks again. So `ahead`
changes how long a decision takes, and never what is decided.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from contextlib import suppress

from py_trees.behaviour import Behaviour

from treec.nodes.runtime import NodeError
from treec.source.errors import EvaluationProblem, LocatedError
from treec.world.events import EventRefused
from treec_asking.asking import AskingNode


def ask_ahead(nodes: Iterable[Behaviour]) -> None:
    """Ask nodes ahead, level by level, in the order in which the answers are needed.

    Errors are ignored here; they are reported when the node is ticked.
    """
    queue = deque(nodes)
    while queue:
        node = queue.popleft()
        if isinstance(node, AskingNode):
            with suppress(LocatedError, EvaluationProblem, NodeError, EventRefused):
                queue.extend(node.ask_ahead())


def drop_ahead(nodes: Iterable[Behaviour]) -> None:
    """Cancel the requests that nodes sent ahead."""
    for node in nodes:
        if isinstance(node, AskingNode):
            node.drop_ahead()
