"""Runs steps: a generator that yields one skill call at a time.

The caller executes each call before it requests the next. Arguments and conditions are evaluated
when they are reached, so `pick(item)` may use a place that `open(locker)` revealed. The generator
can be closed at any step.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping

from treec.frozen import frozen
from treec.program.places import StepsError, TextPlace
from treec.program.steps import Arg, FunctionCall, Literal, NameRef, Steps
from treec.source.errors import EvaluationProblem

MAX_STEPS = 1_000

Lookup = Callable[[str], object]
Function = Callable[[str, tuple[object, ...]], object]


@frozen
class SkillCall:
    """A skill to execute now, with the values of its arguments."""

    skill: str
    args: tuple[object, ...]
    kwargs: Mapping[str, object]
    at: TextPlace

    @property
    def line(self) -> int:
        """The line of its step, from 1."""
        return self.at.line


def run_steps(
    steps: Steps, lookup: Lookup, call: Function, max_steps: int = MAX_STEPS
) -> Generator[SkillCall, None, None]:
    """Yield each step's skill call.

    `lookup` gives the value of a name and `call` that of a function; the `Problem` either raises
    becomes a `StepsError` where the name stands, as does a step beyond `max_steps`.
    """
    for number, step in enumerate(steps):
        if number >= max_steps:
            raise StepsError(f"this takes more than {max_steps:,} steps", step.at)
        args = tuple(_value(arg, lookup, call) for arg in step.args)
        kwargs = {name: _value(arg, lookup, call) for name, arg in step.kwargs}
        yield SkillCall(step.name, args, kwargs, step.at)


def _value(arg: Arg, lookup: Lookup, call: Function) -> object:
    try:
        match arg:
            case Literal():
                return arg.value
            case NameRef():
                return lookup(arg.name)
            case FunctionCall():
                return call(arg.name, tuple(_value(inner, lookup, call) for inner in arg.args))
    except EvaluationProblem as problem:
        raise StepsError(problem.message, arg.at, problem.help) from problem
