"""`take`: starts the first subtask of an agent's queue that is ready.

SUCCESS: there was one; it is running now, and the variable holds it.

FAILURE: the agent is already working on another subtask, or is no agent; or there is no such
variable.

RUNNING: the queue is empty or on hold, or its subtasks still wait for others.

Memory: none.

Halting: nothing to halt; the subtask stays current.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from treec.files.fields import AgentValue, Model
from treec.files.node_spec import Assignment, Drawing, NodeSpec
from treec.files.nodes import NodeBase
from treec.nodes.base import Status
from treec.nodes.leaf import NodeError, WorldLeaf
from treec.source.values import resolve

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.frame import Frame
    from treec.nodes.node_place import NodePlace
    from treec.nodes.runtime import Runtime


class TakeBody(Model):
    """Whose queue, and the variable that receives the subtask."""

    queue: AgentValue
    into: str


class TakeNode(NodeBase):
    """Takes the first subtask of a queue that can begin."""

    take: TakeBody


class Take(WorldLeaf):
    """Takes a subtask from a queue into a variable."""

    scope: Frame

    def __init__(self, name: str, runtime: Runtime, scope: Frame, queue: object, into: str) -> None:
        super().__init__(name, runtime, scope)
        self.queue = queue
        self.into = into

    def work(self) -> Status:
        """Take, or wait for something to take."""
        from treec.team.events import SubtaskStarted

        name = self.agent_name
        if not name:
            raise NodeError(f"take: {self.queue} is not an agent")
        subtask = self.runtime.team.takeable(name)
        if subtask is None:
            return Status.RUNNING
        if not self.scope.set(self.into, subtask, self.path):
            raise NodeError(f"take: unknown variable '{self.into}'")
        self.runtime.world.emit(SubtaskStarted(name, subtask.id), self.path)
        return Status.SUCCESS

    @property
    def agent_name(self) -> str:
        """The agent from whose queue it takes; empty if there is none."""
        agent = self.runtime.team.agent(resolve(self.queue, self.scope))
        return "" if agent is None else agent.name


def build(at: NodePlace, node: TakeNode) -> Behaviour:
    """The node as a leaf."""
    return Take(at.path, at.runtime, at.frame, node.take.queue, node.take.into)


NODE = NodeSpec(
    key="take",
    model=TakeNode,
    build=build,
    sets=lambda node: [Assignment(node.take.into, ("take", "into"), "variable")],
    label=lambda node: f"take from {node.take.queue}",
    drawing=Drawing("action", icon="M8 1.8V9.6M4.8 6.6L8 9.8L11.2 6.6M2.5 10.5V13.5H13.5V10.5"),
)
