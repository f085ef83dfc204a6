"""`fail_if`: FAILURE without ticking the node, when a condition holds.

SUCCESS: the node returned SUCCESS.

FAILURE: the condition is true as a round begins, or cannot be evaluated; or the node returned
FAILURE.

RUNNING: the node returned RUNNING.

Memory: none. The condition is evaluated before each round, not while the node is running; use
`while` for a condition that must keep holding.

Halting: when halted, the running node is halted. It never halts the node of its own accord.
"""

from __future__ import annotations

from collections.abc import Iterator

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.nodes.base import Condition, Modifier


class FailIf(Modifier):
    """Returns FAILURE instead of starting a round."""

    def __init__(self, name: str, condition: Condition, child: Behaviour) -> None:
        super().__init__(name, child)
        self.condition = condition

    def tick(self) -> Iterator[Behaviour]:
        """Fail, or tick the node."""
        if self.status is not Status.RUNNING:
            self.initialise()
            if self.condition():
                self.feedback_message = "refused by its fail_if"
                self.stop(Status.FAILURE)
                yield self
                return
            self.feedback_message = ""
        yield from self.decorated.tick()
        self.finish(self.decorated.status)
        yield self
