"""`report`: reports a subtask as done or failed.

SUCCESS: it is recorded as done, or as failed with its reason. It is done if the `goal` of its task
holds; otherwise it has failed, with the goal that is missed. A failed subtask is unassigned and can
be proposed again. A subtask that is already done or dropped stays so.

FAILURE: there is no such subtask.

RUNNING: never.

Memory: none.

Halting: nothing to halt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from treec.files.fields import Model, SubtaskValue, TextValue
from treec.files.node_spec import Drawing, NodeSpec
from treec.files.nodes import NodeBase
from treec.nodes.base import Status
from treec.nodes.leaf import NodeError, WorldLeaf
from treec.source.scope import Scope
from treec.source.values import resolve
from treec.team.state import FINISHED

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace
    from treec.nodes.runtime import Runtime


class ReportBody(Model):
    """The outcome of a subtask."""

    subtask: SubtaskValue
    done: bool | None = None
    failed: TextValue = None


class ReportNode(NodeBase):
    """Reports that a subtask is done, or has failed and why."""

    report: ReportBody


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
        from treec.nodes.goals import missed_goals
        from treec.team.events import SubtaskDone, SubtaskFailed
        from treec.team.reasons import explain_failure
        from treec.world.failures import GoalMissed

        subtask = self.runtime.team.subtask(resolve(self.subtask, self.scope))
        if subtask is None:
            raise NodeError(f"report: {self.subtask} is not a subtask")
        if subtask.status in FINISHED or self.runtime.arbiter.is_released(subtask.id):
            return Status.SUCCESS
        reason = None if self.failed is None else str(resolve(self.failed, self.scope))
        if reason is None and (missed := missed_goals(self.runtime, subtask)):
            reason = str(GoalMissed(missed))
        if reason is None:
            self.runtime.world.emit(SubtaskDone(subtask.id), self.path)
        else:
            words = explain_failure(self.runtime.team.knowledge, subtask.agent or "", reason)
            failed = SubtaskFailed(subtask.id, reason, subtask.agent, words)
            self.runtime.world.emit(failed, self.path)
        return Status.SUCCESS


def build(at: NodePlace, node: ReportNode) -> Behaviour:
    """The node as a leaf."""
    body = node.report
    return Report(at.path, at.runtime, at.frame, body.subtask, failed=body.failed)


NODE = NodeSpec(
    key="report",
    model=ReportNode,
    build=build,
    waits=False,
    label=lambda node: f"report {'done' if node.report.failed is None else 'failed'}",
    drawing=Drawing("action", icon="M8 9.6V1.8M4.8 5L8 1.8L11.2 5M2.5 10.5V13.5H13.5V10.5"),
)
