"""The behaviour of the node `program` (see :mod:`treec.nodes.leaves.program`) that runs steps.

Programs that a model writes are of a package beside the core, which declares its own class.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from py_trees.common import Status

from treec.companions import missing_help
from treec.files.entry import Entry
from treec.files.prompts import ProgramFile
from treec.files.types import parse_type
from treec.nodes.asked import OFFLINE, FinishedStep, RunsSteps
from treec.nodes.events import Programmed, Step, StepLost
from treec.nodes.frame import Frame
from treec.nodes.node_place import NodePlace
from treec.nodes.runtime import NodeError, Runtime, error_text
from treec.nodes.skill_run import SkillRun, bind_arguments
from treec.program.binding import DOER
from treec.program.places import StepsError
from treec.program.steps import parse_steps
from treec.source.errors import EvaluationProblem, LocatedError
from treec.source.expression import Expression
from treec.source.scope import Scope
from treec.source.values import resolve
from treec.team.entities import Subtask
from treec.team.functions import BoundSteps
from treec.world.events import Commit, StateSet
from treec.world.failures import Failure, Reported
from treec.world.journal import Record
from treec.world.values import freeze, same
from treec_asking.asking import AskingLeaf, RecordedDecision
from treec_asking.interpreter import SkillCall, run_steps

Written = TypeVar("Written")
"""A program that is not steps."""


class Program(RunsSteps, AskingLeaf[Written]):
    """Runs the steps that a program file's `offline` gives."""

    KIND = "program"
    OUTCOMES: ClassVar[tuple[str, ...]] = ("steps",)

    def __init__(
        self,
        name: str,
        runtime: Runtime,
        scope: Scope,
        entry: Entry[ProgramFile],
        args: Mapping[str, object],
    ) -> None:
        super().__init__(name, runtime, scope, entry, args)
        self.run: SkillRun | None = None
        self._steps: Generator[SkillCall, None, None] | None = None
        self._agent = ""
        self._frame = Frame(scope)
        self._given_entities: dict[str, object] = {}
        self.into: str | None = None
        """The state that is set to the program's text."""
        self._text = self.written_by = ""
        self._lost = 0  # steps that failed
        self._at: SkillCall | None = None
        self._finished: list[FinishedStep] = []
        self._written: tuple[str, str] | None = None  # before the run was resumed

    def add_children(self, at: NodePlace) -> None:
        """Add the nodes that it ticks itself. Raises CompileError."""

    def initialise(self) -> None:
        """Start with the first step."""
        super().initialise()
        self.run = self._at = self._steps = None
        self._lost = 0

    def work(self) -> Status:
        """Get a program; continue the current step and start the next when it is done."""
        try:
            if self._steps is None:
                if self.exchange is None:
                    self._begin()
                else:
                    self.look(self.exchange)
            return Status.RUNNING if self._steps is None else self._go_on(self._steps)
        except StepsError as error:
            raise NodeError(error_text(self.entry.name, error, error.line)) from error

    def terminate(self, new_status: Status) -> None:
        """Cancel the request or the current step when halted."""
        super().terminate(new_status)
        if new_status is Status.INVALID and self.run is not None:
            self.run.cancel()
            self.run = None
        if self._steps is not None:
            self._steps.close()
            self._steps = None

    @property
    def has_ended(self) -> bool:
        """Whether the worker of its step has ended."""
        return self.run is not None and self.run.has_ended

    # Getting steps

    @property
    def asks(self) -> bool:
        """Never: steps are not asked for."""
        return False

    def _begin(self) -> None:
        given = resolve(dict(self.args), self.scope)
        assert isinstance(given, dict)
        agent = self.runtime.team.agent(given.get(DOER))
        if agent is None:
            raise NodeError(f"{self.entry.name}: unknown agent '{given.get(DOER)}'")
        self._agent = agent.name
        self._given_entities = {name: self._entity(name, value) for name, value in given.items()}
        self._frame = Frame(self.scope, self.runtime.team).inner(self._given_entities)
        self.request(given)

    def request(self, given: Mapping[str, object]) -> None:
        """Ask for a program for the arguments ``given``, or use the steps."""
        self.ask()

    def offline(self, because: str) -> Status:
        """Start to run the steps of the file's `offline`."""
        offline = self.entry.model.offline
        if offline is None:
            why = because or "there is no model to write it"
            raise NodeError(f"{self.entry.name} has no 'offline', and no program: {why}")
        steps = Expression.parse(offline).evaluate(self._frame)
        if isinstance(steps, str):
            return self.offline_text(steps, because)
        if not isinstance(steps, BoundSteps):
            raise NodeError(f"{self.entry.name}: '{offline}' is not steps")
        parsed = parse_steps(steps.text)
        self.record(steps.text, OFFLINE, because)
        names = {name: self._thing(value) for name, value in steps.args.items()}
        inner = self._frame.inner({**self._given_entities, **names})
        self._steps = run_steps(
            parsed,
            inner.lookup,
            lambda name, args: inner.call(name, args, {}),
            self.entry.model.max_steps,
        )
        return Status.RUNNING

    def offline_text(self, text: str, because: str) -> Status:
        """Start to run the text of a program, which takes the package of programs."""
        help = missing_help("asks", self.KIND) or "no installed package reads programs"
        raise NodeError(f"{self.entry.name}: 'offline' is the text of a program: {help}")

    def record(self, text: str, by: str, because: str = "") -> None:
        """The program's text stands in the journal once; steps tell its lines."""
        event = Programmed(self.path, self.entry.name, self._agent, by, text, because)
        self.runtime.world.emit(event, self.path)
        self._text, self.written_by = text, by
        if self.into is not None:
            self.runtime.world.emit(Commit("set", (StateSet(self.into, text),)), self.path)

    def _entity(self, name: str, value: object) -> object:
        """The entity of the argument's type that a name refers to; else the value itself."""
        kind = self.entry.model.args.get(name)
        if kind is None or not isinstance(value, str):
            return value
        found = self.runtime.team.now.resolve(parse_type(kind), value)
        return value if found is None else found

    def _thing(self, value: object) -> object:
        agent = self.runtime.team.agent(value) if isinstance(value, str) else None
        return agent or value

    # Running them

    def _go_on(self, steps: Generator[SkillCall, None, None]) -> Status:
        while True:
            if self.run is None:
                call = self.next_call(steps)
                if isinstance(call, Status):
                    return call
                self._at = call
                try:
                    run = self._make_run(call)
                except StepsError as error:
                    if not self._goes_on(call, Reported(error.message)):
                        raise
                    continue
                if self._is_finished(run):
                    self.complete(run)
                    continue
                self.runtime.world.emit(Step(self.path, call.line, call.skill), self.path)
                self.run = run
            try:
                status = self.run.tick()
            except (NodeError, LocatedError, EvaluationProblem) as error:
                lost = Reported(getattr(error, "message", None) or str(error))
                if self._at is None or not self._goes_on(self._at, lost):
                    raise
                self.run = None
                continue
            if status is Status.RUNNING:
                return status
            if status is Status.FAILURE:
                failure, module = self.run.failure or Reported("failed"), self.run.module
                if self._at is None or not self._goes_on(self._at, failure):
                    return self.fail(failure, module)
                self.run = None
                continue
            done, self.run = self.run, None
            self.complete(done)

    def next_call(self, steps: Generator[SkillCall, None, None]) -> SkillCall | Status:
        """The next step; SUCCESS without one, RUNNING while it is awaited."""
        return next(steps, Status.SUCCESS)

    def complete(self, run: SkillRun) -> None:
        """A step is done, now or before the run was resumed."""

    def correct(self, call: SkillCall, failure: Failure) -> bool:
        """Begin to correct a step that failed; False if that is not to be done."""
        return False

    def _goes_on(self, call: SkillCall, failure: Failure) -> bool:
        """Whether the program goes on after a step that failed; if so, the failure is recorded."""
        model = self.entry.model
        is_assertion = call.skill in model.asserts
        if not is_assertion and self.correct(call, failure):
            return True
        if not is_assertion:
            self._lost += 1
            if self._lost > model.may_fail:
                return False
        lost = StepLost(self.path, call.line, call.skill, str(failure), is_assertion)
        self.runtime.world.emit(lost, self.path)
        return True

    def _is_finished(self, run: SkillRun) -> bool:
        """Whether a step was done before the run was resumed; none is after one that differs."""
        if self._finished:
            skill, args = self._finished.pop(0)
            if skill == run.skill and same(freeze(run.plain_args()), freeze(args)):
                return True
            self._finished = []
        return False

    def leave_out(self, finished: Sequence[FinishedStep]) -> None:
        """Leave out the first steps of the next program if they are these."""
        self._finished = list(finished)

    def take_up(self, text: str, by: str) -> None:
        """Run this program, which the model ``by`` has written, and ask for none."""
        self._written = text, by

    def forget_finished(self) -> None:
        """Leave out nothing, unless the program has begun or was asked for."""
        if self._steps is None and self.exchange is None:
            self._finished = []
            self._written = None

    def _make_run(self, call: SkillCall) -> SkillRun:
        args = self.bind(call)
        by = str(args.get(DOER, self._agent))
        given = self._given_entities.values()
        subtask = next((value.id for value in given if isinstance(value, Subtask)), None)
        return SkillRun(
            self.runtime, self.path, by, call.skill, args, owner=self._agent, subtask=subtask
        )

    def bind(self, call: SkillCall) -> dict[str, object]:
        """The arguments of a step, by name."""
        return bind_arguments(self.runtime, call.skill, call.args, call.kwargs, self._agent)

    # Cases and recorded runs

    @classmethod
    def decision_in(cls, record: Record) -> RecordedDecision | None:
        """The program that was started; its steps are not in the journal."""
        event = record.event
        if not isinstance(event, Programmed):
            return None
        decision: dict[str, Any] = {"program": event.program}
        return RecordedDecision(event.node, event.by, decision, answer=True)
