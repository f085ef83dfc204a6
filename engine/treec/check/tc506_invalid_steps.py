"""Invalid steps of a task.

Each line of `steps` calls a skill with arguments: names (the task's arguments, things, state),
texts, numbers, and calls of facts and functions. The first argument `agent` may be omitted and
defaults to the agent that has the subtask.

Wrong, where `pick` takes (agent, item):

    task: get
    about: Fetch something.
    args: {item: Item}
    steps: |
      pik(item)
      pick(itme)

Right:

    task: get
    about: Fetch something.
    args: {item: Item}
    steps: |
      pick(item)
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.check.environments import world
from treec.check.names import TypeEnvironment
from treec.check.unreadable import unreadable_names
from treec.files.entry import AnyEntry
from treec.files.tasks import SkillFile, TaskFile
from treec.files.types import Named, Type, a, misfit, read_type, union, without_none
from treec.files.view import View
from treec.program.binding import ArgumentMismatch, bind, count, signature
from treec.program.places import StepsError, TextPlace
from treec.program.steps import Arg, FunctionCall, Literal, NameRef, StepCall, parse_steps
from treec.source.diagnostics import Diagnostic, suggestion

CODE = "TC506"


def check(view: View) -> Iterator[Diagnostic]:
    """Report everything in steps that would fail in a run."""
    given: dict[str, Type] = {}  # arguments of the programs that run steps
    for program in entries(view, "program"):
        for name, kind in program.model.args.items():
            given[name] = union(given.get(name), read_type(kind))
    given.setdefault("agent", Named("Agent"))
    broken = {name for kind, name in unreadable_names(view.library) if kind == "skill"}
    for entry in entries(view, "task"):
        task: TaskFile = entry.model
        if task.steps is None:
            continue
        own = {name: read_type(kind) for name, kind in task.args.items()}
        env = world(view).child({**given, **own})
        yield from _Steps(view, entry, env, broken).check(task.steps)


class _Steps:
    """Checks the steps of one task, with the names that are in scope there."""

    def __init__(self, view: View, entry: AnyEntry, env: TypeEnvironment, broken: set[str]) -> None:
        self.view = view
        self.entry = entry
        self.env = env
        self.broken = broken

    def check(self, text: str) -> Iterator[Diagnostic]:
        try:
            steps = parse_steps(text)
        except StepsError as error:
            yield self._problem(error.at, error.message, error.help)
            return
        skills = self.view.all("skill")
        for step in steps:
            skill = skills.get(step.name)
            if skill is not None:
                yield from self._call(step, skill.model, text)
            elif step.name not in self.broken:
                help = suggestion(step.name, skills, "skills")
                if step.name in self.env.facts or step.name in self.env.functions:
                    help = "a step calls a skill; facts and functions are used in its arguments"
                yield self._problem(step.at, f"unknown skill '{step.name}'", help)

    def _call(self, step: StepCall, skill: SkillFile, text: str) -> Iterator[Diagnostic]:
        for arg in (*step.args, *(value for _, value in step.kwargs)):
            yield from self._names(arg)
        keywords = [name for name, _ in step.kwargs]
        bound = bind(step.name, list(skill.args), len(step.args), keywords)
        if isinstance(bound, ArgumentMismatch):
            at = step.at
            if bound.index is not None and bound.index < len(step.args):
                at = step.args[bound.index].at
            elif bound.keyword is not None:
                at = _keyword_place(bound.keyword, step, text)
            help = f"it takes {signature(step.name, list(skill.args))}"
            yield self._problem(at, bound.message, help)
            return
        for name, arg in (*zip(bound, step.args, strict=True), *step.kwargs):
            yield from self._fit(arg, read_type(skill.args[name]), f"{step.name}'s '{name}' is")

    def _names(self, arg: Arg) -> Iterator[Diagnostic]:
        """Report unknown names and functions in an argument, recursively."""
        if isinstance(arg, NameRef):
            unknown = self.env.type_of(arg.name) is None
            if unknown and self.env.whole and self.env.things_whole:
                known = [name for name in self.env.usable() if name.isidentifier()]
                message = f"unknown name '{arg.name}' in these steps"
                yield self._problem(arg.at, message, self._alternative(arg.name, known))
        elif isinstance(arg, FunctionCall):
            for inner in arg.args:
                yield from self._names(inner)
            yield from self._function(arg)

    def _alternative(self, name: str, known: list[str]) -> str:
        spaced = name.replace("_", " ")
        if spaced in self.env.things:
            return f"write a name with spaces in quotes: '{spaced}'"
        if name in self.env.facts or name in self.env.functions:
            return f"write {name}(…)"
        return suggestion(name, known)

    def _function(self, call: FunctionCall) -> Iterator[Diagnostic]:
        fact = self.env.facts.get(call.name)
        given = len(call.args)
        if fact is not None:
            kinds = ", ".join(map(str, fact.args))
            if given != len(fact.args):
                takes = count(len(fact.args), "argument")
                message = f"the fact '{call.name}' takes {takes}, not {given}"
                yield self._problem(call.at, message, f"it takes ({kinds})")
                return
            for arg, kind in zip(call.args, fact.args, strict=True):
                yield from self._fit(arg, kind, f"the fact '{call.name}' takes")
            return
        info = self.env.functions.get(call.name)
        if info is None:
            if self.env.whole:
                known = (*self.env.facts, *self.env.functions)
                message = f"unknown fact or function '{call.name}'"
                help = suggestion(call.name, known)
                if call.name in self.view.all("skill"):
                    help = "a skill is a step of its own and returns no value"
                yield self._problem(call.at, message, help)
        elif not len(info.args) - info.optional <= given <= len(info.args):
            most = count(len(info.args), "argument")
            message = f"'{call.name}' takes {most}, not {given}"
            yield self._problem(call.at, message, f"it takes ({', '.join(info.args)})")

    def _fit(self, arg: Arg, expected: Type, whose: str) -> Iterator[Diagnostic]:
        if isinstance(arg, Literal):
            found = misfit(expected, arg.value, self.env)
            if found is not None and (self.env.things_whole or not isinstance(arg.value, str)):
                yield self._problem(arg.at, found.message, found.help)
            elif arg.value is None:
                yield self._problem(arg.at, "a skill's argument cannot be none", None)
            return
        given = self._type(arg)
        if given is None or self.env.types.could_be(given, expected):
            return
        shown = arg.name if isinstance(arg, NameRef) else f"{arg.name}(…)"
        message = f"'{shown}' is {a(without_none(given))}, but {whose} {a(expected)}"
        yield self._problem(arg.at, message, None)

    def _type(self, arg: NameRef | FunctionCall) -> Type | None:
        if isinstance(arg, NameRef):
            return self.env.type_of(arg.name)
        fact = self.env.facts.get(arg.name)
        if fact is not None:
            return fact.gives
        info = self.env.functions.get(arg.name)
        return info.returns if info is not None else None

    def _problem(self, at: TextPlace, message: str, help: str | None) -> Diagnostic:
        span = self.entry.span_in(("steps",), at.offset, at.length)
        return Diagnostic(CODE, "error", span, message, help)


def _keyword_place(keyword: str, step: StepCall, text: str) -> TextPlace:
    """Return the place of a keyword argument's name, before its value."""
    value = dict(step.kwargs)[keyword].at
    offset = text.rfind(keyword, step.at.offset, value.offset)
    line_start = text.rfind("\n", 0, offset) + 1
    line = text.count("\n", 0, offset) + 1
    return TextPlace(offset, line, offset - line_start + 1, len(keyword))
