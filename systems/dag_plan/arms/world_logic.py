"""Conditions and effects of arms' skills as terms that can be shown and written as PDDL.

They are the engine's own expressions, of which this reads the part that both can say: facts,
things, arguments, `none`, `true` and `false`, `==`, `!=`, `and`, `or`, `not`, and `a if c else b`.
They are evaluated as every expression is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from jinja2 import nodes

from treec.source.errors import LocatedError
from treec.source.evaluate import ExpressionCompiler
from treec.source.expression import Expression
from treec.source.frame import ClosureFrame
from treec.source.scope import MappingScope

Key = tuple[str, ...]
"""A fact of things: its name, then theirs."""
FactValue = str | bool | int | float | None
State = Mapping[Key, FactValue]
"""What is so; a fact that is not there is none, or false."""
Names = Mapping[str, str]
"""What arguments stand for."""


class LogicError(LocatedError):
    """An expression that says more than terms can."""


@dataclass(frozen=True, slots=True)
class Constant:
    """none, true, false, a number or a text."""

    value: FactValue


@dataclass(frozen=True, slots=True)
class LogicName:
    """An argument, or a thing by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class LogicFact:
    """A fact of things."""

    name: str
    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Equal:
    """Two terms with the same value, or not."""

    left: Term
    right: Term
    negated: bool


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite."""

    term: Term


@dataclass(frozen=True, slots=True)
class Either:
    """`and` of terms, or `or`."""

    left: Term
    right: Term
    all: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """`then if condition else other`."""

    condition: Term
    then: Term
    other: Term


Term = Constant | LogicName | LogicFact | Equal | Not | Either | Choice


@lru_cache(maxsize=4096)
def read_term(text: str) -> Term:
    """An expression as a term. Raises LogicError, and SourceError for what is no expression."""
    return _term(Expression.parse(text).ast[0])


def _term(node: nodes.Node) -> Term:
    match node:
        case nodes.Const(value=value):
            return Constant(value)
        case nodes.Name(name=name):
            return LogicName(name)
        case nodes.Not(node=inner):
            return Not(_term(inner))
        case nodes.And(left=left, right=right):
            return Either(_term(left), _term(right), True)
        case nodes.Or(left=left, right=right):
            return Either(_term(left), _term(right), False)
        case nodes.CondExpr(test=test, expr1=then, expr2=other) if other is not None:
            return Choice(_term(test), _term(then), _term(other))
        case nodes.Compare(expr=left, ops=[nodes.Operand(op="eq" | "ne" as op, expr=right)]):
            return Equal(_term(left), _term(right), op == "ne")
        case nodes.Call(node=nodes.Name(name=name), args=args, kwargs=[], dyn_args=None):
            return LogicFact(name, tuple(map(_term, args)))
    help = "write facts, things, none, ==, !=, and, or, not, or 'a if c else b'"
    raise LogicError("plans of arms cannot be judged by this expression", node.lineno, 1, help)


Reader = Callable[[State], FactValue]
"""Gives a term's value in a state; a fact that is not there is none (which is also not true)."""


def reader(term: Term, names: Names) -> Reader:
    """A term with its arguments replaced, evaluated as every expression is."""
    value = ExpressionCompiler().expression(_expression(term))
    return lambda state: cast(FactValue, value(ClosureFrame(_StateScope(names, state))))


class _StateScope(MappingScope):
    """A state as a scope: facts, and names that stand for things."""

    __slots__ = ("names", "state")

    def __init__(self, names: Names, state: State) -> None:
        self.names = names
        self.state = state

    def lookup(self, name: str) -> object:
        """What an argument stands for; else a thing by its name."""
        return self.names.get(name, name)

    def call(self, name: str, args: tuple[object, ...], kwargs: Mapping[str, object]) -> object:
        """A fact's value."""
        return self.state.get((name, *map(str, args)))

    def special(self, name: str) -> None:
        """Nothing looks at a fact itself."""


def _expression(term: Term) -> nodes.Expr:
    """A term as syntax: what `_term` reads."""
    match term:
        case Constant(value):
            return nodes.Const(value, lineno=0)
        case LogicName(name):
            return nodes.Name(name, "load", lineno=0)
        case LogicFact(name, args):
            given = [_expression(arg) for arg in args]
            return nodes.Call(nodes.Name(name, "load", lineno=0), given, [], None, None, lineno=0)
        case Equal(left, right, negated):
            other = nodes.Operand("ne" if negated else "eq", _expression(right), lineno=0)
            return nodes.Compare(_expression(left), [other], lineno=0)
        case Not(inner):
            return nodes.Not(_expression(inner), lineno=0)
        case Either(left, right, both):
            kind = nodes.And if both else nodes.Or
            return kind(_expression(left), _expression(right), lineno=0)
        case Choice(condition, then, other_term):
            parts = (_expression(part) for part in (condition, then, other_term))
            return nodes.CondExpr(*parts, lineno=0)


def facts_in(term: Term) -> tuple[LogicFact, ...]:
    """The facts that a term asks for, outer ones first."""
    match term:
        case LogicFact(_, args):
            return (term, *(fact for arg in args for fact in facts_in(arg)))
        case Equal(left, right, _) | Either(left, right, _):
            return (*facts_in(left), *facts_in(right))
        case Not(inner):
            return facts_in(inner)
        case Choice(condition, then, other):
            return (*facts_in(condition), *facts_in(then), *facts_in(other))
    return ()


def written(term: Term, names: Names) -> str:
    """A term in words of the files, with its arguments replaced: `at(bowl) == table`."""
    match term:
        case Constant(value):
            return "none" if value is None else str(value).lower() if value is True else repr(value)
        case LogicName(name):
            return names.get(name, name)
        case LogicFact(name, args):
            return f"{name}({', '.join(written(arg, names) for arg in args)})"
        case Equal(left, right, negated):
            sign = "!=" if negated else "=="
            return f"{written(left, names)} {sign} {written(right, names)}"
        case Not(inner):
            return f"not {written(inner, names)}"
        case Either(left, right, both):
            word = "and" if both else "or"
            return f"{written(left, names)} {word} {written(right, names)}"
        case Choice(condition, then, other):
            return (
                f"{written(then, names)} if {written(condition, names)} "
                f"else {written(other, names)}"
            )
