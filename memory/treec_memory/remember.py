"""`remember`: adds a pair to a memory, or forgets those of a routine that is named.

SUCCESS: the pair is in the memory's file and will be there after a crash. A pair with nearly the
same key is replaced. With ``forget``: every pair of a routine that these words name is removed.

FAILURE: the key or the answer is empty, the file is damaged, no memory, or cannot be written, or
nothing is remembered under a name that ``forget`` says.

RUNNING: never.

Memory: none in the node.

Halting: nothing to halt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from pydantic import Field

from treec.files.fields import Model, Text
from treec.files.node_spec import NodeSpec
from treec.files.nodes import NodeBase
from treec.nodes.base import Status
from treec.nodes.leaf import WorldLeaf
from treec.source.scope import Scope
from treec.source.template import TextTemplate

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace
    from treec.nodes.runtime import Runtime
    from treec_memory.memories import OpenMemories


class RememberBody(Model):
    """What is added to which memory, or removed from it."""

    in_: str = Field(alias="in", description="The memory's file: memory.db.")
    key: Text = Field("", description="What was asked.")
    answer: Text = Field("", description="What answered it, such as a program.")
    about: Text = ""
    routine: Text = Field(
        "", description="A routine's name: what first taught it gets the answer, if anything did."
    )
    forget: Text = Field(
        "", description="Instead of adding: words that name a routine, 'forget the Zed coffee'."
    )


class RememberNode(NodeBase):
    """Adds a pair to a memory, in place of one with nearly the same key."""

    remember: RememberBody


class Remember(WorldLeaf):
    """Renders the texts of a pair and adds it."""

    def __init__(self, name: str, runtime: Runtime, scope: Scope, spec: RememberBody) -> None:
        super().__init__(name, runtime, scope)
        self.spec = spec

    def work(self) -> Status:
        """Add the pair, then record that it was added.

        A run that is killed in between adds it again when it is resumed, and replaces it.
        """
        from treec.nodes.events import Remembered
        from treec.nodes.pairs import MemoryPair
        from treec_asking.recall import remember

        spec = self.spec
        if spec.forget:
            return self._forget(TextTemplate.parse(spec.forget).render(self.scope))
        texts = (spec.key, spec.answer, spec.about, spec.routine)
        key, answer, about, name = (TextTemplate.parse(text).render(self.scope) for text in texts)
        if name:
            taught = next(iter(self._memories().of_routine(spec.in_, name)), None)
            key = key if taught is None else taught.key
        added = remember(self.runtime, spec.in_, MemoryPair(key, answer, about))
        event = Remembered(spec.in_, added.number, key, answer, added.replaced)
        self.runtime.world.emit(event, self.path)
        return Status.SUCCESS

    def _forget(self, words: str) -> Status:
        from treec.nodes.events import Remembered

        removed = self._memories().forget(self.spec.in_, words)
        for pair in removed:
            event = Remembered(self.spec.in_, pair.number, pair.key, "", pair.key)
            self.runtime.world.emit(event, self.path)
        if not removed:
            return self.fail("I remember nothing under that name")
        return Status.SUCCESS

    def _memories(self) -> OpenMemories:
        from treec.nodes.pairs import open_memories

        return cast("OpenMemories", open_memories(self.runtime))


def build(at: NodePlace, node: RememberNode) -> Behaviour:
    """The node as a leaf."""
    return Remember(at.path, at.runtime, at.frame, node.remember)


NODE = NodeSpec(key="remember", model=RememberNode, build=build, waits=False)
