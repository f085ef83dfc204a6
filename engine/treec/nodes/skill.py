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

from py_trees.common import Status

from treec.nodes.leaf import WorldLeaf
from treec.nodes.runtime import NodeError, Runtime
from treec.nodes.skill_run import SkillRun, bind_arguments
from treec.source.scope import Scope
from treec.source.values import resolve


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
            given = resolve(dict(self.args), self.scope)
            assert isinstance(given, dict)
            agent = self.runtime.team.agent(given.get("agent"))
            if agent is None:
                raise NodeError(f"{self.skill}: '{given.get('agent')}' is no agent")
            args = bind_arguments(self.runtime, self.skill, (), given, agent.name)
            self.run = SkillRun(self.runtime, self.path, agent.name, self.skill, args)
        status = self.run.tick()
        if status is Status.FAILURE:
            return self.fail(self.run.failure or "failed", self.run.module)
        return status

    def terminate(self, new_status: Status) -> None:
        """Cancel the worker when halted."""
        if new_status is Status.INVALID and self.run is not None:
            self.run.cancel()
            self.run = None
