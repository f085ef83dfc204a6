"""Runs steps: a generator that yields one skill call at a time, with its line.

Whoever runs it does what was yielded and comes back for the next; arguments are evaluated when
their step is reached, so `pick(item)` may ask for a place that `open(fridge)` revealed. It keeps
no state but where it is, and can be closed at any step.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass

from engine.program.places import Place, StepsError
from engine.program.steps import Arg, FunctionCall, Literal, NameRef, Steps
from engine.source.errors import Problem

MAX_STEPS = 1_000

Lookup = Callable[[str], object]
Call = Callable[[str, tuple[object, ...]], object]


@dataclass(frozen=True, slots=True)
class SkillCall:
    """A skill to be done now, with its arguments' values."""

    skill: str
    args: tuple[object, ...]
    kwargs: Mapping[str, object]
    at: Place

    @property
    def line(self) -> int:
        """The line of its step, from 1."""
        return self.at.line


def run_steps(
    steps: Steps, lookup: Lookup, call: Call, max_steps: int = MAX_STEPS
) -> Generator[SkillCall, None, None]:
    """Yield each step's skill call when it is asked for.

    `lookup` gives the value of a name and `call` that of a function; the `Problem` either raises
    becomes a `StepsError` where the name stands, as does a step beyond `max_steps`.
    """
    for number, step in enumerate(steps):
        if number >= max_steps:
            raise StepsError(f"this takes more than {max_steps:,} steps", step.at)
        args = tuple(_value(arg, lookup, call) for arg in step.args)
        kwargs = {name: _value(arg, lookup, call) for name, arg in step.kwargs}
        yield SkillCall(step.name, args, kwargs, step.at)


def _value(arg: Arg, lookup: Lookup, call: Call) -> object:
    try:
        match arg:
            case Literal():
                return arg.value
            case NameRef():
                return lookup(arg.name)
            case FunctionCall():
                return call(arg.name, tuple(_value(inner, lookup, call) for inner in arg.args))
    except Problem as problem:
        raise StepsError(problem.message, arg.at, problem.help) from problem
