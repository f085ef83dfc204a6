"""Runs programs: a generator that yields one skill call at a time, as that of steps does.

The state is the current position and the program's variables.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from treec.program.places import StepsError, TextPlace
from treec.program.steps import Literal, NameRef
from treec.source.budget import Budget
from treec.source.errors import EvaluationProblem
from treec.source.operators import COMPARE
from treec_asking.interpreter import MAX_STEPS, Function, Lookup, SkillCall
from treec_program.checker import MAX_ROUNDS, RANGE
from treec_program.statements import (
    Assign,
    BooleanOperation,
    Comparison,
    Do,
    FieldRef,
    For,
    IfStatement,
    Items,
    Negation,
    Program,
    ProgramCall,
    Value,
)

MAX_WORK = 10_000
"""The maximum number of statements and values that a program evaluates."""


@dataclass(slots=True, eq=False)
class DescribedThing:
    """A thing that a constructor describes: by which arguments, and once it is used, its name."""

    constructor: str
    args: Mapping[str, object]
    at: TextPlace
    thing: str | None = None


def run_program(
    program: Program,
    constructors: Collection[str],
    lookup: Lookup,
    call: Function,
    max_steps: int = MAX_STEPS,
    described: Mapping[str, Sequence[str]] = MappingProxyType({}),
    readable: Collection[str] = (),
    lists: Collection[str] = (),
) -> Generator[SkillCall, None, None]:
    """Yield each skill call of a program that :func:`treec_program.checker.check_program` let pass.

    `constructors` return their argument; those in `described` (with the names of their arguments)
    give a `DescribedThing`, which the caller turns into a thing when it is used; fields that are
    `readable` give its arguments, those of `lists` an empty list without one. For the rest see
    ``treec_asking.interpreter.run_steps``.
    Exceeding ``MAX_ROUNDS``, ``MAX_WORK`` or `max_steps` raises a `StepsError`.
    """
    run = _Run(frozenset(constructors), lookup, call, max_steps, described, readable, lists)
    return run.block(program)


class _Run:
    """One run of a program: its variables and its use of the limits."""

    def __init__(
        self,
        constructors: frozenset[str],
        lookup: Lookup,
        call: Function,
        max_steps: int,
        described: Mapping[str, Sequence[str]],
        readable: Collection[str],
        lists: Collection[str],
    ) -> None:
        self._described = described
        self._readable = readable
        self._lists = lists
        self._constructors = constructors
        self._lookup = lookup
        self._function = call
        self._max_steps = max_steps
        self._names: dict[str, object] = {}
        self._work = 0
        self._steps = 0
        self._budget = Budget()

    def block(self, program: Program) -> Generator[SkillCall, None, None]:
        for statement in program:
            self._charge(statement.at)
            match statement:
                case Do(call=call):
                    yield self._step(call)
                case Assign():
                    self._names[statement.name] = self._value(statement.value)
                case For():
                    yield from self._loop(statement)
                case IfStatement():
                    yield from self.block(self._branch(statement))

    def _loop(self, loop: For) -> Generator[SkillCall, None, None]:
        for item in self._items(loop.items):
            self._charge(loop.at)
            self._names[loop.name] = item
            yield from self.block(loop.body)

    def _branch(self, statement: IfStatement) -> Program:
        for condition, body in statement.branches:
            if self._value(condition):
                return body
        return statement.otherwise

    def _items(self, items: Value) -> Sequence[object]:
        if isinstance(items, ProgramCall) and items.name == RANGE:
            (limit,) = (self._value(arg) for arg in items.args)
            if isinstance(limit, bool) or not isinstance(limit, int):
                raise StepsError("range takes a whole number", items.at)
            rounds: Sequence[object] = range(max(0, limit))
        else:
            found = self._value(items)
            if not isinstance(found, list | tuple):
                raise StepsError("this is not a list", items.at)
            rounds = tuple(found)
        if len(rounds) > MAX_ROUNDS:
            raise StepsError(f"a loop goes round at most {MAX_ROUNDS} times", items.at)
        return rounds

    def _step(self, call: ProgramCall) -> SkillCall:
        self._steps += 1
        if self._steps > self._max_steps:
            raise StepsError(f"this takes more than {self._max_steps:,} steps", call.at)
        given = (*(() if call.on is None else (call.on,)), *call.args)
        args = tuple(self._value(arg) for arg in given)
        kwargs = {keyword.name: self._value(keyword.value) for keyword in call.kwargs}
        return SkillCall(call.name, args, kwargs, call.at)

    def _value(self, value: Value) -> object:
        self._charge(value.at)
        try:
            match value:
                case Literal():
                    return value.value
                case NameRef(name=name):
                    return self._names[name] if name in self._names else self._lookup(name)
                case Items(items=items):
                    return [self._value(item) for item in items]
                case Negation(value=inner):
                    return not self._value(inner)
                case BooleanOperation(every=every, parts=parts):
                    judged = (bool(self._value(part)) for part in parts)
                    return all(judged) if every else any(judged)
                case Comparison(operator=operator, left=left, right=right):
                    compare = COMPARE[operator]
                    return compare(self._value(left), self._value(right), self._budget)
                case FieldRef(on=on, name=field):
                    found = self._value(on)
                    if field in self._readable and isinstance(found, DescribedThing):
                        return found.args.get(field) or ([] if field in self._lists else None)
                    return found
                case ProgramCall(name=name) if name in self._described:
                    return self._describe(value)
                case ProgramCall(name=name, args=args, on=on):
                    given = args if on is None else (on, *args)
                    found = tuple(self._value(arg) for arg in given)
                    return found[0] if name in self._constructors else self._function(name, found)
        except EvaluationProblem as problem:
            raise StepsError(problem.message, value.at, problem.help) from problem

    def _describe(self, call: ProgramCall) -> DescribedThing:
        names = self._described[call.name]
        args = {name: self._value(arg) for name, arg in zip(names, call.args, strict=False)}
        args.update({keyword.name: self._value(keyword.value) for keyword in call.kwargs})
        return DescribedThing(call.name, args, call.at)

    def _charge(self, at: TextPlace) -> None:
        self._work += 1
        if self._work > MAX_WORK:
            raise StepsError(f"this program does more than {MAX_WORK:,} things", at)
