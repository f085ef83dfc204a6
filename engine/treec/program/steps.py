"""Steps: skill calls, one per line, parsed and never executed by Python.

    go_to(place_of(item))
    pick(item)
    place(item, 'steel bin', gently=true)

Only calls of plain names are allowed. A step's arguments are literals (text, numbers, true, false,
none), names, and calls of functions. :mod:`treec.program.scan` checks every token before Python's
parser makes the tree.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from treec.frozen import frozen
from treec.program.grammar import STEPS
from treec.program.parser import WORDS, SourceReader, read_tree
from treec.program.places import TextPlace


class PlacedNode:
    """A node with its position in the text."""

    __slots__ = ()
    at: TextPlace

    @property
    def line(self) -> int:
        """Its line, from 1."""
        return self.at.line

    @property
    def column(self) -> int:
        """Its column, from 1, in code points."""
        return self.at.column


@frozen
class Literal(PlacedNode):
    """A text, a number, true, false or none."""

    value: str | int | float | bool | None
    at: TextPlace


@frozen
class NameRef(PlacedNode):
    """A name, looked up when its step is reached."""

    name: str
    at: TextPlace


@frozen
class FunctionCall(PlacedNode):
    """A function's call inside a step; `at` is where its name stands."""

    name: str
    args: tuple[Arg, ...]
    at: TextPlace


Arg = Literal | NameRef | FunctionCall


@frozen
class StepCall(PlacedNode):
    """A skill's call; `at` is where its name stands."""

    name: str
    args: tuple[Arg, ...]
    kwargs: tuple[tuple[str, Arg], ...]
    at: TextPlace


Steps = tuple[StepCall, ...]


@lru_cache(maxsize=1024)
def parse_steps(text: str) -> Steps:
    """Parse steps. Raises `StepsError` at the first thing that is not a step."""
    tree, lines = read_tree(text, STEPS)
    reader = _StepReader(lines)
    return tuple(reader.step(statement) for statement in tree.body)


def arguments(step: StepCall | FunctionCall) -> Iterator[Arg]:
    """Yield every argument of a call, with nested ones, in order of evaluation."""
    yield from _with_parts(step.args)
    if isinstance(step, StepCall):
        yield from _with_parts(tuple(value for _, value in step.kwargs))


def _with_parts(args: tuple[Arg, ...]) -> Iterator[Arg]:
    for arg in args:
        if isinstance(arg, FunctionCall):
            yield from arguments(arg)
        yield arg


def plain_value(node: ast.expr, at: TextPlace) -> Literal | NameRef | None:
    """A text, a number, a word such as none, or a name; None if it is anything else."""
    match node:
        case ast.Constant(value=bool() | None | str() | int() | float() as value):
            return Literal(value, at)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return Literal(-value, at)
        case ast.Name(id=name):
            return Literal(WORDS[name], at) if name in WORDS else NameRef(name, at)
    return None


class _StepReader(SourceReader):
    """Turns Python's nodes into steps; others are errors."""

    def step(self, statement: ast.stmt) -> StepCall:
        if not isinstance(statement, ast.Expr):
            raise self.error(statement, "this is not a step")
        call = statement.value
        if isinstance(call, ast.Name):
            raise self.error(call, f"'{call.id}' is not called here", f"write {call.id}()")
        if not isinstance(call, ast.Call):
            raise self.error(call, "this is not a step", "a step is a call: place(item, table)")
        name, at = self._callee(call)
        kwargs: dict[str, Arg] = {}
        for item in call.keywords:
            if item.arg is None:
                raise self.error(item, "'**' cannot be used in steps")
            if item.arg in kwargs:
                raise self.error(item, f"'{item.arg}' is given twice")
            kwargs[item.arg] = self._arg(item.value)
        return StepCall(name, self._args(call), tuple(kwargs.items()), at)

    def _callee(self, call: ast.Call) -> tuple[str, TextPlace]:
        if not isinstance(call.func, ast.Name) or call.func.id in WORDS:
            raise self.error(call.func, "only a name can be called")
        return call.func.id, self.place(call.func)

    def _args(self, call: ast.Call) -> tuple[Arg, ...]:
        return tuple(self._arg(arg) for arg in call.args)

    def _arg(self, node: ast.expr) -> Arg:
        at = self.place(node)
        if (plain := plain_value(node, at)) is not None:
            return plain
        if isinstance(node, ast.Call):
            if node.keywords:
                raise self.error(node.keywords[0], "a function takes no named arguments")
            name, at = self._callee(node)
            return FunctionCall(name, self._args(node), at)
        help = "write text, a number, a name, or a function's call"
        raise self.error(node, "this is not an argument that a step can have", help)
