"""Compiles a tree's expressions to functions without arguments.

An expression that cannot be evaluated (a field of none, a function's wrong argument) never stops
the run: the failure is recorded in the journal with its place in the file, and the value is a safe
default: `while` and `fail_if` end their node with FAILURE, `skip_if` does not skip, `if` goes to
`else`, `switch` to `default`, `for_each` fails.
"""

from __future__ import annotations

from collections.abc import Callable

from treec.nodes.place import BuildPlace, CompileError
from treec.nodes.runtime import Runtime
from treec.source.errors import LocatedError
from treec.source.expression import Expression


def expression(text: str, place: BuildPlace) -> Expression:
    """A parsed expression. Raises CompileError."""
    try:
        return Expression.parse(text)
    except LocatedError as error:
        raise CompileError(_format_error(place, error)) from error


def value(
    runtime: Runtime, text: str, place: BuildPlace, path: str, otherwise: object
) -> Callable[[], object]:
    """An expression's value now, of the node with this path; ``otherwise`` if it has none."""
    parsed, frame = expression(text, place), place.frame

    def evaluate() -> object:
        try:
            return parsed.evaluate(frame)
        except LocatedError as error:
            runtime.record_node_failure(path, _format_error(place, error), __name__)
            return otherwise

    return evaluate


def condition(
    runtime: Runtime, text: str, place: BuildPlace, path: str, otherwise: bool = False
) -> Callable[[], bool]:
    """An expression as a condition; ``otherwise`` when it cannot be evaluated."""
    look = value(runtime, text, place, path, otherwise)
    return lambda: bool(look())


def _format_error(place: BuildPlace, error: LocatedError) -> str:
    span = place.entry.span_in(place.loc, error.offset, error.length)
    return f"{span.path}:{span.line}:{span.column}: {error.message}"
