"""`skill`: one skill, done by an agent.

SUCCESS: it succeeded, or all of its `after` held already and it need not be done again.

FAILURE: a condition of `before` does not hold and nothing brings it about; or its worker said so,
raised, or took longer than its timeout. The feedback message is the reason.

RUNNING: a repair or the skill itself is under way.

Memory: which repair or worker is under way, in this round.

Halting: the worker is cancelled in the same tick; what it had done by then stays done, and the
facts say so.
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
    """A skill as a leaf."""

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
        """Begin anew."""
        super().initialise()
        self.run = None

    def work(self) -> Status:
        """Start, or go on."""
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
        """Stop the worker when stopped from above."""
        if new_status is Status.INVALID and self.run is not None:
            self.run.cancel()
            self.run = None
