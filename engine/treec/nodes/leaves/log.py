"""`log`: writes a line into the journal.

SUCCESS: it is written.

FAILURE: the text cannot be rendered.

RUNNING: never.

Memory: none.

Halting: nothing to halt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from treec.files.fields import Text
from treec.files.node_spec import Drawing, NodeSpec
from treec.files.nodes import NodeBase
from treec.nodes.base import Status
from treec.nodes.leaf import WorldLeaf
from treec.source.scope import Scope
from treec.source.template import TextTemplate

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace
    from treec.nodes.runtime import Runtime


class LogNode(NodeBase):
    """Writes a line to the journal."""

    log: Text


class Log(WorldLeaf):
    """Writes a line into the journal."""

    def __init__(self, name: str, runtime: Runtime, scope: Scope, text: TextTemplate) -> None:
        super().__init__(name, runtime, scope)
        self.text = text

    def work(self) -> Status:
        """Render and write."""
        from treec.nodes.events import Logged

        line = self.text.render(self.scope).strip()
        self.runtime.world.emit(Logged(line), self.path)
        return Status.SUCCESS


def build(at: NodePlace, node: LogNode) -> Behaviour:
    """The node as a leaf."""
    return Log(at.path, at.runtime, at.frame, TextTemplate.parse(node.log))


NODE = NodeSpec(
    key="log",
    model=LogNode,
    build=build,
    fails=False,
    waits=False,
    label=lambda node: f"log: {node.log}",
    drawing=Drawing("action", icon="M3 4H13M3 8H13M3 12H9"),
)
