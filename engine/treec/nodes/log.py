"""`log`: writes a line into the journal.

SUCCESS: it is written.

FAILURE: the text cannot be rendered.

RUNNING: never.

Memory: none.

Halting: nothing to halt.
"""

from __future__ import annotations

from py_trees.common import Status

from treec.nodes.events import Logged
from treec.nodes.leaf import WorldLeaf
from treec.nodes.runtime import Runtime
from treec.source.scope import Scope
from treec.source.template import TextTemplate


class Log(WorldLeaf):
    """Writes a line into the journal."""

    def __init__(self, name: str, runtime: Runtime, scope: Scope, text: TextTemplate) -> None:
        super().__init__(name, runtime, scope)
        self.text = text

    def work(self) -> Status:
        """Render and write."""
        line = self.text.render(self.scope).strip()
        self.runtime.world.emit(Logged(line), self.path)
        return Status.SUCCESS
