"""`skill`: an agent executes a skill.

SUCCESS: it succeeded, or was skipped since all of its `after` held already.

FAILURE: a condition of `before` does not hold and cannot be repaired; or the worker failed, raised
an exception, or exceeded the timeout. The feedback message is the reason.

RUNNING: a repair or the skill itself is in progress.

Memory: the repair or worker in progress, within a round.

Halting: the worker is cancelled in the same tick; its effects so far remain and are facts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pydantic import Field

from treec.files.fields import Value
from treec.files.node_spec import Drawing, NodeSpec
from treec.files.nodes import NodeBase
from treec.nodes.base import Status
from treec.nodes.leaf import NodeError, WorldLeaf
from treec.source.scope import Scope
from treec.source.values import resolve

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace
    from treec.nodes.runtime import Runtime
    from treec.nodes.skill_run import SkillRun


class SkillNode(NodeBase):
    """Runs one skill by an agent."""

    skill: str
    with_: dict[str, Value] = Field({}, alias="with")


class Skill(WorldLeaf):
    """Executes a skill."""

    def __init__(
        self,
        name: str,
        runtime: Runtime,
        scope: Scope,
        skill: str,
        args: Mapping[str, object],
    ) -> None:
        super().__init__(name, runtime, scope)
        self.skill = skill
        self.args = args
        self.run: SkillRun | None = None

    def initialise(self) -> None:
        """Start again."""
        super().initialise()
        self.run = None

    def work(self) -> Status:
        """Start, or continue."""
        if self.run is None:
            from treec.nodes.skill_run import SkillRun, bind_arguments

            given = resolve(dict(self.args), self.scope)
            assert isinstance(given, dict)
            agent = self.runtime.team.agent(given.get("agent"))
            if agent is None:
                raise NodeError(f"{self.skill}: unknown agent '{given.get('agent')}'")
            args = bind_arguments(self.runtime, self.skill, (), given, agent.name)
            self.run = SkillRun(self.runtime, self.path, agent.name, self.skill, args)
        status = self.run.tick()
        if status is Status.FAILURE:
            return self.fail(self.run.failure or "failed", self.run.module)
        return status

    @property
    def has_ended(self) -> bool:
        """Whether its worker has ended."""
        return self.run is not None and self.run.has_ended

    def terminate(self, new_status: Status) -> None:
        """Cancel the worker when halted."""
        if new_status is Status.INVALID and self.run is not None:
            self.run.cancel()
            self.run = None


def build(at: NodePlace, node: SkillNode) -> Behaviour:
    """The node as a leaf."""
    at.find("skill", node.skill)
    return Skill(at.path, at.runtime, at.frame, node.skill, node.with_)


NODE = NodeSpec(
    key="skill",
    model=SkillNode,
    build=build,
    refers="skill",
    drawing=Drawing("action", icon="M4 2.5L13 8L4 13.5Z", filled=True),
)
