"""`take`: starts the first subtask of an agent's queue that is ready.

SUCCESS: there was one; it is running now, and the variable holds it.

FAILURE: the agent is already working on another subtask, or is no agent; or there is no such
variable.

RUNNING: the queue is empty or on hold, or its subtasks still wait for others.

Memory: none.

Halting: nothing to halt; the subtask stays current.
"""

from __future__ import annotations

from py_trees.common import Status

from treec.nodes.frame import Frame
from treec.nodes.leaf import WorldLeaf
from treec.nodes.runtime import NodeError, Runtime
from treec.source.values import resolve
from treec.team.events import SubtaskStarted


class Take(WorldLeaf):
    """Takes a subtask from a queue into a variable."""

    scope: Frame

    def __init__(self, name: str, runtime: Runtime, scope: Frame, queue: object, into: str) -> None:
        super().__init__(name, runtime, scope)
        self.queue = queue
        self.into = into

    def work(self) -> Status:
        """Take, or wait for something to take."""
        name = self.agent_name
        if not name:
            raise NodeError(f"take: {self.queue} is no agent")
        subtask = self.runtime.team.takeable(name)
        if subtask is None:
            return Status.RUNNING
        if not self.scope.set(self.into, subtask):
            raise NodeError(f"take: there is no variable '{self.into}'")
        self.runtime.world.emit(SubtaskStarted(name, subtask.id), self.path)
        return Status.SUCCESS

    @property
    def agent_name(self) -> str:
        """The agent from whose queue it takes; empty if there is none."""
        agent = self.runtime.team.agent(resolve(self.queue, self.scope))
        return "" if agent is None else agent.name

    def restore(self) -> bool:
        """Put the agent's current subtask into the variable; whether it has one."""
        current = self.runtime.team.now.agents[self.agent_name].current
        return current is not None and self.scope.set(self.into, current)
