"""`skip_if`: SUCCESS without ticking the node, when a condition holds.

SUCCESS: the condition is true as a round begins; or the node returned SUCCESS.

FAILURE: the node returned FAILURE.

RUNNING: the node returned RUNNING.

A condition that cannot be evaluated counts as false.

Memory: none. The condition is evaluated before each round, not while the node is running; use
`while` for a condition that must keep holding.

Halting: when halted, the running node is halted. It never halts the node of its own accord.
"""

from __future__ import annotations

from collections.abc import Iterator

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.nodes.base import Condition, Modifier


class SkipIf(Modifier):
    """Returns SUCCESS instead of starting a round."""

    def __init__(self, name: str, condition: Condition, child: Behaviour) -> None:
        super().__init__(name, child)
        self.condition = condition

    def tick(self) -> Iterator[Behaviour]:
        """Skip, or tick the node."""
        if self.status is not Status.RUNNING:
            self.initialise()
            if self.condition():
                self.feedback_message = "skipped"
                self.stop(Status.SUCCESS)
                yield self
                return
            self.feedback_message = ""
        yield from self.decorated.tick()
        self.finish(self.decorated.status)
        yield self
