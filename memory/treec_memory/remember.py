"""`remember`: adds a pair to a memory.

SUCCESS: the pair is in the memory's file and will be there after a crash. A pair with nearly the
same key is replaced.

FAILURE: the key or the answer is empty, or the file is damaged, no memory, or cannot be written.

RUNNING: never.

Memory: none in the node.

Halting: nothing to halt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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


class RememberBody(Model):
    """What is added to which memory."""

    in_: str = Field(alias="in", description="The memory's file: memory.db.")
    key: Text = Field(description="What was asked.")
    answer: Text = Field(description="What answered it, such as a program.")
    about: Text = ""


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
        from treec.nodes.recall import remember

        spec = self.spec
        texts = (spec.key, spec.answer, spec.about)
        key, answer, about = (TextTemplate.parse(text).render(self.scope) for text in texts)
        added = remember(self.runtime, spec.in_, MemoryPair(key, answer, about))
        event = Remembered(spec.in_, added.number, key, answer, added.replaced)
        self.runtime.world.emit(event, self.path)
        return Status.SUCCESS


def build(at: NodePlace, node: RememberNode) -> Behaviour:
    """The node as a leaf."""
    return Remember(at.path, at.runtime, at.frame, node.remember)


NODE = NodeSpec(key="remember", model=RememberNode, build=build, waits=False)
