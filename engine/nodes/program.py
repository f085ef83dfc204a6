"""`program`: skills one after the other, as a task's steps say, or as a model wrote them.

With `instructions` in its file and a model to ask, the model writes the program; it is read and
judged before its first step, and asked for again with what is wrong at which line. Without a model,
and when no answer may run, the steps of `offline` are done.

SUCCESS: every step succeeded.

FAILURE: there are no steps, one cannot be read or bound, or one failed. The feedback message names
the step and the reason.

RUNNING: an answer is awaited, or a step is under way.

Memory: the request in flight and the step it is at, in this round; the steps that were done for the
same work in earlier rounds, which a model is told. A new round begins with the first step; steps
whose effects hold already are passed over by the facts.

Halting: the request is cancelled, or the step under way in the same tick; the steps behind it are
dropped.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping

from py_trees.common import Status

from treec.ask.transport import Answer
from treec.files.entry import Entry
from treec.files.prompts import ProgramFile
from treec.files.types import misfit, parse_type
from treec.nodes.asking import Asking
from treec.nodes.events import Programmed, Step
from treec.nodes.frame import Frame
from treec.nodes.leaf import WorldLeaf
from treec.nodes.observation import fingerprint
from treec.nodes.program_ask import SO_FAR, Refused, ask_for_program, read_answer
from treec.nodes.runtime import NodeError, Runtime, located
from treec.nodes.skill_run import SkillRun, bind_arguments
from treec.program.api import DOER, Api, api_of, quoted
from treec.program.interpreter import SkillCall, run_program, run_steps
from treec.program.places import StepsError
from treec.program.statements import Program as Statements
from treec.program.steps import parse_steps
from treec.source.expression import Expression
from treec.source.scope import Scope
from treec.source.values import resolve
from treec.team.names import BoundSteps, team_functions, team_names

OFFLINE = "offline"


class Program(WorldLeaf):
    """Runs the steps that a model writes, or that a program file's `offline` gives."""

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
        self._asking: Asking | None = None
        self._steps: Generator[SkillCall, None, None] | None = None
        self._api: Api | None = None  # of a program that a model wrote
        self._agent = ""
        self._frame = Frame(scope)
        self._given: dict[str, object] = {}
        self._work = ""
        self._done: list[str] = []

    @property
    def doing(self) -> str:
        """The step under way, in words; empty between steps."""
        return self.run.words if self.run is not None else ""

    def initialise(self) -> None:
        """Begin with the first step."""
        super().initialise()
        self.run = None
        self._steps = self._asking = self._api = None

    def work(self) -> Status:
        """Get a program, go on with the step under way, and begin the next when it is done."""
        try:
            if self._steps is None:
                if self._asking is None:
                    self._begin()
                else:
                    self._look_at_answer(self._asking)
            return Status.RUNNING if self._steps is None else self._go_on(self._steps)
        except StepsError as error:
            raise NodeError(located(self.entry.name, error, error.line)) from error

    def terminate(self, new_status: Status) -> None:
        """Stop the request or the step under way when stopped from above."""
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None
        if new_status is Status.INVALID and self.run is not None:
            self.run.cancel()
            self.run = None
        if self._steps is not None:
            self._steps.close()
            self._steps = None

    # Getting a program

    def done_before(self) -> list[str]:
        """The steps of this work that were done before this node was there: none."""
        return []

    def _begin(self) -> None:
        given = resolve(dict(self.args), self.scope)
        assert isinstance(given, dict)
        agent = self.runtime.team.agent(given.get(DOER))
        if agent is None:
            raise NodeError(f"{self.entry.name}: '{given.get(DOER)}' is no agent")
        self._agent = agent.name
        work = fingerprint({name: str(value) for name, value in given.items()})
        if work != self._work:
            self._work, self._done = work, self.done_before()
        self._given = {name: self._entity(name, value) for name, value in given.items()}
        self._frame = Frame(self.scope, self.runtime.team).inner(self._given)
        if self.runtime.asker is None or self.entry.model.instructions is None:
            self._offline()
            return
        known = {name: info.type for name, info in team_names().items()}
        view = self.runtime.team.knowledge.view
        self._api = api_of(view, self.entry.model, team_functions(), known, self._agent)
        given = {**self._given, SO_FAR: list(self._done)}
        scope = self._frame.inner({SO_FAR: list(self._done)})
        self._asking = ask_for_program(self.runtime, self.entry, self.path, scope, self._api, given)

    def _look_at_answer(self, asking: Asking) -> None:
        result = asking.take()
        if result is None:
            return
        assert self._api is not None
        if isinstance(result, Exception):
            asking.failed(result)
            self._give_up(asking.why)
            return
        try:
            text, program = read_answer(result, self._api)
        except Refused as error:
            if not asking.again(result, str(error)):
                self._give_up(asking.why)
            return
        asking.accepted(result)
        self._asking = None
        self._accept(result, text, program, self._api)

    def _accept(self, answer: Answer, text: str, program: Statements, api: Api) -> None:
        self._tell(text, answer.by)
        self._steps = run_program(
            program,
            api.constructors,
            lambda name: self._frame.lookup(name) if name in api.names else self._thing(name),
            lambda name, args: self._frame.call(name, args, {}),
            self.entry.model.max_steps,
        )

    def _give_up(self, because: str) -> None:
        self._asking = self._api = None
        self._offline(because)

    def _offline(self, because: str = "") -> None:
        offline = self.entry.model.offline
        if offline is None:
            why = because or "no model is there to write it"
            raise NodeError(f"{self.entry.name} has no 'offline', and no program: {why}")
        steps = Expression.parse(offline).evaluate(self._frame)
        if not isinstance(steps, BoundSteps):
            raise NodeError(f"{self.entry.name}: '{offline}' gives no steps")
        parsed = parse_steps(steps.text)
        self._tell(steps.text, OFFLINE, because)
        names = {name: self._thing(value) for name, value in steps.args.items()}
        inner = self._frame.inner({**self._given, **names})
        self._steps = run_steps(
            parsed,
            inner.lookup,
            lambda name, args: inner.call(name, args, {}),
            self.entry.model.max_steps,
        )

    def _tell(self, text: str, by: str, because: str = "") -> None:
        """The program's text stands in the journal once; steps tell its lines."""
        told = Programmed(self.path, self.entry.name, self._agent, by, text, because)
        self.runtime.world.emit(told, self.path)

    def _entity(self, name: str, value: object) -> object:
        """An argument that was given by its name, as what its type says."""
        kind = self.entry.model.args.get(name)
        if kind is None or not isinstance(value, str):
            return value
        found = self.runtime.team.now.resolve(parse_type(kind), value)
        return value if found is None else found

    def _thing(self, value: object) -> object:
        agent = self.runtime.team.agent(value) if isinstance(value, str) else None
        return agent or value

    # Running it

    def _go_on(self, steps: Generator[SkillCall, None, None]) -> Status:
        while True:
            if self.run is None:
                call = next(steps, None)
                if call is None:
                    return Status.SUCCESS
                self.run = self._start(call)
            status = self.run.tick()
            if status is Status.RUNNING:
                return status
            if status is Status.FAILURE:
                return self.fail(self.run.reason, self.run.module)
            self._done.append(_written(self.run))
            self.run = None

    def _start(self, call: SkillCall) -> SkillRun:
        args = self._bound(call)
        by = str(args.get(DOER, self._agent))
        self.runtime.world.emit(Step(self.path, call.line, call.skill), self.path)
        return SkillRun(self.runtime, self.path, by, call.skill, args)

    def _bound(self, call: SkillCall) -> dict[str, object]:
        """The arguments by name; those of a model's program are judged again by their values."""
        runtime, api = self.runtime, self._api
        if api is None:
            return bind_arguments(runtime, call.skill, call.args, call.kwargs, self._agent)
        try:
            args = bind_arguments(runtime, call.skill, call.args, call.kwargs, self._agent)
        except NodeError as error:
            raise StepsError(str(error), call.at) from error
        if str(args.get(DOER, self._agent)) != self._agent:
            raise StepsError(f"a program of {self._agent} moves {self._agent} alone", call.at)
        for name, wanted in api.skills[call.skill].args.items():
            wrong = misfit(wanted, args[name], api)
            if wrong is not None:
                raise StepsError(f"{call.skill}'s '{name}': {wrong.message}", call.at)
        return args


def _written(run: SkillRun) -> str:
    """A step that is done, as a program would write it: ``pick('salt')``."""
    given = (value for name, value in run.args.items() if name != DOER)
    return f"{run.skill}({', '.join(map(_literal, given))})"


def _literal(value: object) -> str:
    return str(value) if isinstance(value, int | float) else quoted(str(value))
