"""`remember`: adds a pair to a memory.

SUCCESS: the pair is in the memory's file and will be there after a crash. A pair with nearly the
same key is replaced.

FAILURE: the key or the answer is empty, or the file is damaged, no memory, or cannot be written.

RUNNING: never.

Memory: none in the node.

Halting: nothing to halt.
"""

from __future__ import annotations

from py_trees.common import Status

from treec.files.nodes import RememberBody
from treec.memory.store import MemoryPair
from treec.nodes.events import Remembered
from treec.nodes.leaf import WorldLeaf
from treec.nodes.recall import remember
from treec.nodes.runtime import Runtime
from treec.source.scope import Scope
from treec.source.template import TextTemplate


class Remember(WorldLeaf):
    """Renders the texts of a pair and adds it."""

    def __init__(self, name: str, runtime: Runtime, scope: Scope, spec: RememberBody) -> None:
        super().__init__(name, runtime, scope)
        self.spec = spec

    def work(self) -> Status:
        """Add the pair, then record that it was added.

        A run that is killed in between adds it again when it is resumed, and replaces it.
        """
        spec = self.spec
        texts = (spec.key, spec.answer, spec.about)
        key, answer, about = (TextTemplate.parse(text).render(self.scope) for text in texts)
        number, replaced = remember(self.runtime, spec.in_, MemoryPair(key, answer, about))
        event = Remembered(spec.in_, number, key, answer, replaced)
        self.runtime.world.emit(event, self.path)
        return Status.SUCCESS
