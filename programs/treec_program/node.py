"""The node `program` of files whose programs a model writes, or whose `offline` gives as text."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import Any

from py_trees.common import Status

from treec.files.entry import Entry
from treec.files.prompts import RECALLED, ConstructorSpec, ProgramFile
from treec.files.types import misfit
from treec.files.view import View
from treec.nodes.asked import OFFLINE
from treec.nodes.events import Programmed, Remembered, SkillEnded, Step
from treec.nodes.frame import Cell, Frame
from treec.nodes.node_place import NodePlace
from treec.nodes.observation import Observation, fingerprint, observe
from treec.nodes.pairs import MemoryPair
from treec.nodes.place import CompileError
from treec.nodes.runtime import NodeError, Runtime
from treec.nodes.skill_run import SkillRun, bind_arguments
from treec.program.binding import DOER
from treec.program.places import StepsError
from treec.source.errors import LocatedError
from treec.source.expression import Expression
from treec.source.objects import name_of
from treec.source.scope import Scope
from treec.team.events import SubtaskStarted
from treec.team.names import team_functions, team_names
from treec.world.events import flat
from treec.world.failures import Failure
from treec.world.journal import Record
from treec_asking.asking import AnyExchange, History, NodeContext
from treec_asking.interpreter import SkillCall
from treec_asking.program import Program
from treec_asking.prompt import Question, answer_json, messages
from treec_asking.recall import is_pair_list, pair_data, recall, remember
from treec_program.api import Api, api_of, quote_text
from treec_program.events import Recalled, StepCorrected
from treec_program.interpreter import DescribedThing, run_program
from treec_program.prompt import (
    SCHEMA,
    SO_FAR,
    example,
    find_program,
    parse,
    program_text,
    prompt_values,
)
from treec_program.statements import Do, statements
from treec_program.statements import Program as Statements

Text = tuple[str, Statements]
"""A program's text and its statements."""


class WrittenProgram(Program[Text]):
    """Runs the program that a model writes, or that a program file's `offline` gives."""

    GIVEN = (SO_FAR,)

    def __init__(
        self,
        name: str,
        runtime: Runtime,
        scope: Scope,
        entry: Entry[ProgramFile],
        args: Mapping[str, object],
    ) -> None:
        super().__init__(name, runtime, scope, entry, args)
        self._api: Api | None = None  # of a program that a model wrote
        self._around = scope
        self._work = ""
        self._completed: list[str] = []
        self.corrector: WrittenProgram | None = None
        """The node whose program corrects a step that failed, by `correction`."""
        self._is_correcting = False
        self._corrections = 0  # of the step that is at hand
        self._references: list[DescribedThing] = []

    def add_children(self, at: NodePlace) -> None:
        """Add the node whose program corrects a step that failed. Raises CompileError."""
        spec = self.entry.model.correction
        if spec is None:
            return
        other = at.find("program", spec.program)
        if other.model.correction is not None:
            why = f"{at.path}: '{other.name}' corrects, and has a correction"
            raise CompileError(why, at.place.span)
        path = f"{at.path}/correction"
        self.corrector = WrittenProgram(path, at.runtime, at.frame, other, {})
        self.corrector.parent = self
        self.children = [self.corrector]

    def initialise(self) -> None:
        """Start with the first step."""
        super().initialise()
        self._api, self._references = None, []
        self._is_correcting = False

    def terminate(self, new_status: Status) -> None:
        """Cancel the request, the current step or its correction when halted."""
        super().terminate(new_status)
        if self.corrector is not None and self.corrector.status is Status.RUNNING:
            self.corrector.stop(Status.INVALID)

    # Getting a program

    def previous_steps(self) -> list[str]:
        """The steps of this work that were completed before this node was made: none."""
        return []

    def request(self, given: Mapping[str, object]) -> None:
        """Ask for a program for the arguments ``given``, or use the steps."""
        work = fingerprint({name: str(value) for name, value in given.items()})
        if work != self._work:
            self._work, self._completed = work, self.previous_steps()
        self._recall()
        if self.asks or self._written is not None:
            self._api = self._make_api()
        if not self._go_on_with_written():
            self.ask()

    def _recall(self) -> None:
        """Find the nearest pairs of the file's memory, for `offline`."""
        spec = self.entry.model.memory
        if spec is None:
            return
        near = recall(self.runtime, self.entry, spec, self._frame, spec.offline_count)
        found = pair_data(near)
        key = str(Expression.parse(spec.key).evaluate(self._frame))
        self.runtime.world.emit(Recalled(self.path, key, tuple(found[: spec.k])), self.path)
        self._frame = self._frame.inner({RECALLED: found})

    def _go_on_with_written(self) -> bool:
        """Run the program that a model wrote before the run was resumed, if it is still right."""
        written, self._written = self._written, None
        if written is None:
            return False
        text, by = written
        try:
            self.accept(self.parse({"program": text}), by)
        except ValueError:
            return False
        return True

    def _make_api(self) -> Api:
        known = {name: info.type for name, info in team_names().items()}
        view = self.runtime.team.knowledge.view
        return api_of(view, self.entry.model, team_functions(), known, self._agent)

    @property
    def asks(self) -> bool:
        """Whether there is a model to ask, and instructions for it."""
        return super(Program, self).asks and self.entry.model.instructions is not None

    def outdated(self, exchange: AnyExchange) -> bool:
        """Never: an agent at work is stopped by the tree, not by utterances."""
        return False

    def question(self) -> Question:
        """Ask for a program for this work, with the steps that are completed."""
        assert self._api is not None
        model, so_far = self.entry.model, {SO_FAR: list(self._completed)}
        scope = self._frame.inner(dict(so_far))
        prompt = messages(
            self.runtime,
            self.entry,
            scope,
            prompt_values(self._api),
            answer_json,
            lambda given: example(self.runtime, model, given),
            data=("things",),
        )
        observation = observe((*model.sees, *model.recalls), scope)
        observation = Observation(
            {**observation.values, **self._given_entities, **so_far}, observation.key
        )
        return Question(prompt, SCHEMA, observation)

    def rules_pass_on(self) -> str:
        """Whether the file has no `offline`."""
        return "" if self.entry.model.offline else "there is no 'offline'"

    def find_data(self, text: str) -> Mapping[str, Any] | None:
        """A program in a fence."""
        return find_program(text)

    def parse(self, data: Mapping[str, Any]) -> Text:
        """A checked program. Raises ValueError with the errors and their lines."""
        assert self._api is not None
        text = program_text(data)
        return text, parse(text, self._api)

    def accept(self, parsed: Text, by: str) -> Status:
        """Start to run it."""
        assert self._api is not None
        text, program = parsed
        self.record(text, by)
        self._steps = self._interpret(program, self._api)
        return Status.RUNNING

    def _interpret(self, program: Statements, api: Api) -> Generator[SkillCall, None, None]:
        self._skills = tuple({s.call.name: None for s in statements(program) if isinstance(s, Do)})
        return run_program(
            program,
            api.constructors,
            lambda name: self._frame.lookup(name) if name in api.names else self._thing(name),
            lambda name, args: self._frame.call(name, tuple(map(self._find, args)), {}),
            self.entry.model.max_steps,
            {name: tuple(spec.args) for name, spec in api.specs.items()},
            api.readable,
            api.lists,
        )

    def _find(self, value: object) -> object:
        """The thing that a reference stands for, found when it is first used."""
        if not isinstance(value, DescribedThing):
            return value
        if value.thing is None:
            assert self._api is not None
            value.thing = self._find_described(value, self._api.specs[value.constructor])
            self._references.append(value)
        return self._thing(value.thing)

    def _find_described(self, value: DescribedThing, spec: ConstructorSpec) -> str:
        given: dict[str, object] = dict.fromkeys(spec.args)
        given.update({name: self._find(inner) for name, inner in value.args.items()})
        given["taken"] = tuple(other.thing for other in self._references)
        given["skills"] = self._skills
        try:
            found = Expression.parse(spec.finds or "none").evaluate(self._frame.inner(given))
        except LocatedError as error:
            raise StepsError(error.message, value.at, error.help) from error
        name = found if isinstance(found, str) else name_of(found)
        if name is None:
            whole = value.args.get(spec.whole or "")
            kind = whole.args.get(spec.kind or "") if isinstance(whole, DescribedThing) else whole
            of = f" of {kind}" if kind else ""
            raise StepsError(
                f"there is no {given.get(spec.kind or '') or value.constructor}{of}", value.at
            )
        return name

    def offline(self, because: str) -> Status:
        """Start to run the steps, or the program, of the file's `offline`."""
        self._api = None
        return super().offline(because)

    def offline_text(self, text: str, because: str) -> Status:
        """Check a program's text as that of a model is checked, and start to run it."""
        self._api = self._make_api()
        try:
            program = parse(text, self._api)
        except ValueError as error:
            raise NodeError(f"{self.entry.name}: {error}") from error
        self.record(text, OFFLINE, because)
        self._steps = self._interpret(program, self._api)
        return Status.RUNNING

    # Running it

    def next_call(self, steps: Generator[SkillCall, None, None]) -> SkillCall | Status:
        """The next step, or the one that was corrected."""
        if self._is_correcting:
            assert self.corrector is not None
            self.corrector.tick_once()
            if self.corrector.status is Status.RUNNING:
                return Status.RUNNING
            self._is_correcting = False
            return Status.SUCCESS if self._at is None else self._at
        self._corrections = 0
        return super().next_call(steps)

    def complete(self, run: SkillRun) -> None:
        """Add a step to those that the next prompt for this work has."""
        self._completed.append(_format_step(run))
        if self._corrections and self.corrector is not None:
            self._remember_correction(self.corrector)

    def correct(self, call: SkillCall, failure: Failure) -> bool:
        """Begin to correct a step that failed, unless that was done often enough."""
        spec, corrector = self.entry.model.correction, self.corrector
        if spec is None or corrector is None or self._corrections >= spec.times:
            return False
        self._corrections += 1
        lines = self._text.split("\n")
        told = {
            "failed_step": lines[call.line - 1].strip() if call.line <= len(lines) else call.skill,
            "failure": str(failure),
            "remaining": "\n".join(lines[call.line :]),
        }
        event = StepCorrected(self.path, call.line, call.skill, str(failure), self._corrections)
        self.runtime.world.emit(event, self.path)
        corrector.drop_kept()  # what it has answered before has not helped
        corrector.give({**self._given_entities, **told})
        self._is_correcting = True
        return True

    def _remember_correction(self, corrector: WrittenProgram) -> None:
        """Keep what a model has corrected, since the step has succeeded after it."""
        spec, memory = self.entry.model.correction, corrector.entry.model.memory
        if spec is None or not spec.remember or memory is None or corrector.written_by == OFFLINE:
            return
        name = next((name for name in memory.sources if not is_pair_list(name)), None)
        if name is not None and corrector._text:
            key = str(Expression.parse(memory.key).evaluate(corrector._frame))
            added = remember(self.runtime, name, MemoryPair(key, corrector._text))
            event = Remembered(name, added.number, key, corrector._text, added.replaced)
            self.runtime.world.emit(event, self.path)

    def give(self, values: Mapping[str, object]) -> None:
        """The values of its arguments for the next round."""
        known = {name: value for name, value in values.items() if name in self.entry.model.args}
        self.scope = self._frame = Frame(self._around, self.runtime.team).inner(known)
        self.args = {name: f"${name}" for name in known}

    def bind(self, call: SkillCall) -> dict[str, object]:
        """The arguments by name; those of a model's program are checked again by their values."""
        runtime, api = self.runtime, self._api
        if api is None:
            return super().bind(call)
        given = tuple(map(self._find, call.args))
        named = {name: self._find(value) for name, value in call.kwargs.items()}
        try:
            args = bind_arguments(runtime, call.skill, given, named, self._agent)
        except NodeError as error:
            raise StepsError(str(error), call.at) from error
        if str(args.get(DOER, self._agent)) != self._agent:
            raise StepsError(f"a program of {self._agent} moves {self._agent} alone", call.at)
        for name, expected in api.skills[call.skill].args.items():
            wrong = misfit(expected, args[name], api)
            if wrong is not None:
                raise StepsError(f"{call.skill}'s '{name}': {wrong.message}", call.at)
        return args

    # Cases and recorded runs

    @classmethod
    def for_case(cls, entry: Entry[ProgramFile], around: NodeContext) -> WrittenProgram:
        """Its calls are recorded and not executed."""
        program = ProgramOnPaper(entry.name, around.runtime, around.scope, entry, around.args)
        so_far = around.given.get(SO_FAR) or ()
        program.so_far = tuple(map(str, so_far if isinstance(so_far, list | tuple) else (so_far,)))
        return program

    @classmethod
    def given_at(cls, node: WrittenProgram, history: History) -> Mapping[str, object]:
        """The steps that were done in earlier rounds.

        A tree's variables are not in the journal: its subtask is its agent's current one.
        """
        programs = (r.event for r in history.after if isinstance(r.event, Programmed))
        program = next((event for event in programs if event.node == node.path), None)
        agent = node.runtime.team.agent(program.agent) if program is not None else None
        if agent is None:
            return {}
        scope: Scope = node.scope
        while isinstance(scope, Frame):
            for name, cell in scope.cells.items():
                reference = f"${name}" in node.args.values()
                if reference and isinstance(cell, Cell) and cell.value is None:
                    cell.value = agent.current
            scope = scope.parent
        return {SO_FAR: _completed_before(history, agent.name)}


class ProgramOnPaper(WrittenProgram):
    """A program whose calls are written down and not done."""

    calls: tuple[str, ...] = ()
    so_far: Sequence[str] = ()

    def previous_steps(self) -> list[str]:
        """The steps that are told."""
        return list(self.so_far)

    def _go_on(self, steps: Iterable[SkillCall]) -> Status:
        found = []
        for call in steps:
            run = SkillRun(self.runtime, self.path, self._agent, call.skill, self.bind(call))
            given = (str(value) for name, value in run.args.items() if name != DOER)
            found.append(f"{run.skill}({', '.join(given)})")
        self.calls = tuple(found)
        return Status.SUCCESS

    def decision(self, records: Sequence[Record]) -> tuple[dict[str, Any] | None, str]:
        """The steps that the program comes to."""
        decision, by = super().decision(records)
        return ({"steps": list(self.calls)} if decision is not None and self.calls else None), by


def _completed_before(history: History, agent: str) -> list[str]:
    """The steps that a node's programs have done for what its agent is at, by the journal."""
    steps: list[str] = []
    work = subtask = step = ""
    for event in (e for record in history.before for e in flat(record.event)):
        match event:
            case SubtaskStarted() if event.agent == agent:
                subtask = event.subtask
            case Programmed() if event.node == history.path:
                if subtask != work:
                    work, steps = subtask, []
            case Step() if event.node == history.path:
                step = event.skill
            case SkillEnded(asked_again=False) if event.agent == agent and event.skill == step:
                if event.ok:
                    steps.append(_format_ended(history.view, event))
                step = ""
    return steps if subtask == work else []


def _format_ended(view: View, ended: SkillEnded) -> str:
    """A step that is done, as a program would write it."""
    skill = view.find("skill", ended.skill)
    order = [n for n in skill.model.args if n != DOER] if skill is not None else []
    given = (repr(ended.args[name]) for name in order if name in ended.args)
    return f"{ended.skill}({', '.join(given)})"


def _format_step(run: SkillRun) -> str:
    """A step that is done, as a program would write it: ``pick('crate')``."""
    given = (value for name, value in run.args.items() if name != DOER)
    return f"{run.skill}({', '.join(map(_literal, given))})"


def _literal(value: object) -> str:
    return str(value) if isinstance(value, int | float) else quote_text(str(value))
