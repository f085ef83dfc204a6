"""`report`: says what became of a subtask.

SUCCESS: it is noted: done, or failed with its reason. A failed subtask belongs to nobody and can
be proposed again. What is done or dropped already stays so, which is SUCCESS too.

FAILURE: there is no such subtask.

RUNNING: never.

Memory: none.

Halting: nothing to halt.
"""

from __future__ import annotations

from py_trees.common import Status

from treec.nodes.leaf import WorldLeaf
from treec.nodes.runtime import NodeError, Runtime
from treec.source.scope import Scope
from treec.source.values import resolve
from treec.team.events import SubtaskDone, SubtaskFailed
from treec.team.reasons import explain_failure
from treec.team.state import FINISHED


class Report(WorldLeaf):
    """Done, or failed and why."""

    def __init__(
        self,
        name: str,
        runtime: Runtime,
        scope: Scope,
        subtask: object,
        *,
        failed: object = None,
    ) -> None:
        super().__init__(name, runtime, scope)
        self.subtask = subtask
        self.failed = failed

    def work(self) -> Status:
        """Tell the world."""
        subtask = self.runtime.team.subtask(resolve(self.subtask, self.scope))
        if subtask is None:
            raise NodeError(f"report: {self.subtask} is no subtask")
        if subtask.status in FINISHED:
            return Status.SUCCESS
        if self.failed is None:
            self.runtime.world.emit(SubtaskDone(subtask.id), self.path)
        else:
            reason = str(resolve(self.failed, self.scope))
            words = explain_failure(self.runtime.team.knowledge, subtask.agent or "", reason)
            failed = SubtaskFailed(subtask.id, reason, subtask.agent, words)
            self.runtime.world.emit(failed, self.path)
        return Status.SUCCESS
