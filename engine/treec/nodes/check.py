"""`check`: evaluates a condition.

SUCCESS: the expression is true.

FAILURE: it is not.

RUNNING: never.

Memory: none.

Halting: nothing to halt.
"""

from __future__ import annotations

from py_trees.common import Status

from treec.nodes.leaf import WorldLeaf
from treec.nodes.runtime import Runtime
from treec.source.expression import Expression
from treec.source.scope import Scope


class Check(WorldLeaf):
    """A condition."""

    def __init__(self, name: str, runtime: Runtime, scope: Scope, condition: Expression) -> None:
        super().__init__(name, runtime, scope)
        self.condition = condition

    def work(self) -> Status:
        """Evaluate the condition once."""
        if self.condition.evaluate(self.scope):
            return Status.SUCCESS
        self.feedback_message = f"not so: {self.condition.text}"
        return Status.FAILURE
