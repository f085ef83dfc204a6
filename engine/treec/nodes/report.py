"""`report`: reports a subtask as done or failed.

SUCCESS: it is recorded as done, or as failed with its reason. A failed subtask is unassigned and
can be proposed again. A subtask that is already done or dropped stays so.

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
    """Reports a subtask as done, or failed with a reason."""

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
        """Record it."""
        subtask = self.runtime.team.subtask(resolve(self.subtask, self.scope))
        if subtask is None:
            raise NodeError(f"report: {self.subtask} is no subtask")
        if subtask.status in FINISHED or self.runtime.arbiter.is_released(subtask.id):
            return Status.SUCCESS
        if self.failed is None:
            self.runtime.world.emit(SubtaskDone(subtask.id), self.path)
        else:
            reason = str(resolve(self.failed, self.scope))
            words = explain_failure(self.runtime.team.knowledge, subtask.agent or "", reason)
            failed = SubtaskFailed(subtask.id, reason, subtask.agent, words)
            self.runtime.world.emit(failed, self.path)
        return Status.SUCCESS
