"""`on_change`: waits until a value has changed.

SUCCESS: the value differs from that at the last SUCCESS; the first tick always succeeds.

FAILURE: the expression cannot be evaluated.

RUNNING: the value has not changed.

Memory: the value at the last SUCCESS, kept over halts and rounds.

Halting: nothing to halt.
"""

from __future__ import annotations

from py_trees.common import Status

from treec.nodes.leaf import WorldLeaf
from treec.nodes.observation import fingerprint
from treec.nodes.runtime import Runtime
from treec.source.expression import Expression
from treec.source.scope import Scope


class OnChange(WorldLeaf):
    """Waits for a change."""

    def __init__(self, name: str, runtime: Runtime, scope: Scope, value: Expression) -> None:
        super().__init__(name, runtime, scope)
        self.value = value
        self._last: str | None = None

    def work(self) -> Status:
        """Compare with the last value."""
        key = fingerprint({"value": self.value.evaluate(self.scope)})
        if key == self._last:
            return Status.RUNNING
        self._last = key
        return Status.SUCCESS
