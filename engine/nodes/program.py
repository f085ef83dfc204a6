"""`program`: skills one after the other, as a task's steps say.

SUCCESS: every step succeeded.

FAILURE: there are no steps, one cannot be read or bound, or one failed. The feedback message names
the step and the reason.

RUNNING: a step is under way.

Memory: the step it is at, in this round. A new round begins with the first step; steps whose
effects hold already are passed over by the facts.

Halting: the step under way is cancelled in the same tick, the steps behind it are dropped.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping

from py_trees.common import Status

from engine.files.entry import Entry
from engine.files.prompts import ProgramFile
from engine.nodes.frame import Frame
from engine.nodes.leaf import WorldLeaf
from engine.nodes.runtime import NodeError, Runtime, located
from engine.nodes.skill_run import SkillRun, bind_arguments
from engine.program.interpreter import SkillCall, run_steps
from engine.program.places import StepsError
from engine.program.steps import parse_steps
from engine.source.expression import Expression
from engine.source.scope import Scope
from engine.source.values import resolve
from engine.team.names import BoundSteps


class Program(WorldLeaf):
    """Runs the steps that a program file's `offline` gives."""

    def __init__(
        self,
        name: str,
        runtime: Runtime,
        scope: Scope,
        entry: Entry[ProgramFile],
        args: Mapping[str, object],
    ) -> None:
        super().__init__(name, runtime, scope)
        self.entry = entry
        self.args = args
        self.run: SkillRun | None = None
        self._steps: Generator[SkillCall, None, None] | None = None
        self._agent = ""

    @property
    def doing(self) -> str:
        """The step under way, in words; empty between steps."""
        return self.run.words if self.run is not None else ""

    def initialise(self) -> None:
        """Begin with the first step."""
        super().initialise()
        self.run = None
        self._steps = None

    def work(self) -> Status:
        """Go on with the step under way, and begin the next when it is done."""
        try:
            if self._steps is None:
                self._begin()
            assert self._steps is not None
            while True:
                if self.run is None:
                    call = next(self._steps, None)
                    if call is None:
                        return Status.SUCCESS
                    args = bind_arguments(
                        self.runtime, call.skill, call.args, call.kwargs, self._agent
                    )
                    by = str(args.get("agent", self._agent))
                    self.run = SkillRun(self.runtime, self.path, by, call.skill, args)
                status = self.run.tick()
                if status is Status.RUNNING:
                    return status
                if status is Status.FAILURE:
                    return self.fail(self.run.reason, self.run.module)
                self.run = None
        except StepsError as error:
            raise NodeError(located(self.entry.name, error, error.line)) from error

    def _begin(self) -> None:
        given = resolve(dict(self.args), self.scope)
        assert isinstance(given, dict)
        frame = Frame(self.scope, self.runtime.team).inner(given)
        agent = self.runtime.team.agent(given.get("agent"))
        if agent is None:
            raise NodeError(f"{self.entry.name}: '{given.get('agent')}' is no agent")
        self._agent = agent.name
        offline = self.entry.model.offline
        if offline is None:
            raise NodeError(f"{self.entry.name} has no 'offline' and no model is there to write it")
        steps = Expression.parse(offline).evaluate(frame)
        if not isinstance(steps, BoundSteps):
            raise NodeError(f"{self.entry.name}: '{offline}' gives no steps")
        names = {name: self._thing(value) for name, value in steps.args.items()}
        inner = frame.inner({**given, **names})
        self._steps = run_steps(
            parse_steps(steps.text),
            inner.lookup,
            lambda name, args: inner.call(name, args, {}),
            self.entry.model.max_steps,
        )

    def _thing(self, value: object) -> object:
        agent = self.runtime.team.agent(value) if isinstance(value, str) else None
        return agent or value

    def terminate(self, new_status: Status) -> None:
        """Stop the step under way when stopped from above."""
        if new_status is Status.INVALID and self.run is not None:
            self.run.cancel()
            self.run = None
        if self._steps is not None:
            self._steps.close()
            self._steps = None
