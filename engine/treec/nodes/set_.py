"""`set`: assigns values to variables or to the domain's state.

SUCCESS: all were set; those of the state in one journal record.

FAILURE: a name is neither a variable nor state, or a value cannot be evaluated.

RUNNING: never.

Memory: none.

Halting: nothing to halt.
"""

from __future__ import annotations

from collections.abc import Mapping

from py_trees.common import Status

from treec.nodes.frame import Frame
from treec.nodes.leaf import WorldLeaf
from treec.nodes.observation import plain
from treec.nodes.runtime import Runtime
from treec.source.values import resolve
from treec.world.events import Commit, StateSet


class Set(WorldLeaf):
    """An assignment; a value may be plain data or `$name.path`."""

    scope: Frame

    def __init__(
        self, name: str, runtime: Runtime, scope: Frame, values: Mapping[str, object]
    ) -> None:
        super().__init__(name, runtime, scope)
        self.values = values

    def work(self) -> Status:
        """Resolve all values, then set them."""
        found = {name: resolve(value, self.scope) for name, value in self.values.items()}
        events = tuple(
            StateSet(name, plain(value, 1))
            for name, value in found.items()
            if not self.scope.set(name, value)
        )
        if events:
            self.runtime.world.emit(Commit("set", events), self.path)
        return Status.SUCCESS

    @property
    def sets_variables(self) -> bool:
        """Whether any of the names is a variable; the others are the domain's state."""
        return any(map(self.scope.holds, self.values))
