"""Preconditions and effects as terms that can be evaluated, printed and exported to PDDL.

Terms are the subset of the engine's expressions that PDDL can represent: facts, objects,
arguments, `none`, `true`, `false`, `==`, `!=`, `and`, `or`, `not`, and `a if c else b`. Their
values are those of every other expression, of plain data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from jinja2 import nodes

from treec.frozen import frozen
from treec.source.errors import LocatedError
from treec.source.expression import Expression

Key = tuple[str, ...]
"""A fact's name followed by its arguments."""
FactValue = str | bool | int | float | None
State = Mapping[Key, FactValue]
"""The true facts; a missing fact is None or False."""
Names = Mapping[str, str]
"""Argument → object."""


class LogicError(LocatedError):
    """An expression cannot be represented as a term."""


@frozen
class Constant:
    """none, true, false, a number or a text."""

    value: FactValue


@frozen
class LogicName:
    """An argument, or an object's name."""

    name: str


@frozen
class LogicFact:
    """A fact with its arguments."""

    name: str
    args: tuple[Term, ...]


@frozen
class Equal:
    """Equality of two terms, or its negation."""

    left: Term
    right: Term
    negated: bool


@frozen
class Not:
    """Negation."""

    term: Term


@frozen
class Either:
    """Conjunction (`all`) or disjunction of two terms."""

    left: Term
    right: Term
    all: bool


@frozen
class Choice:
    """`then if condition else other`."""

    condition: Term
    then: Term
    other: Term


Term = Constant | LogicName | LogicFact | Equal | Not | Either | Choice


@lru_cache(maxsize=4096)
def read_term(text: str) -> Term:
    """Parse an expression as a term. Raises LogicError, and LocatedError for syntax errors."""
    return _term(Expression.parse(text).ast[0])


def _term(node: nodes.Node) -> Term:
    match node:
        case nodes.Const(value=str(name)) if " " in name:
            return LogicName(name)  # a thing whose name has several words
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
"""Evaluates a term in a state; a missing fact is None."""


def reader(term: Term, names: Names) -> Reader:
    """Compile a term with its arguments bound."""
    match term:
        case Constant(value):
            return lambda state: value
        case LogicName(name):
            thing = names.get(name, name)
            return lambda state: thing
        case LogicFact(name, args):
            parts = [reader(arg, names) for arg in args]
            if all(isinstance(arg, Constant | LogicName) for arg in args):
                key = (name, *(str(part({})) for part in parts))
                return lambda state: state.get(key)
            return lambda state: state.get((name, *(str(part(state)) for part in parts)))
        case Equal(left, right, negated):
            one, other = reader(left, names), reader(right, names)
            if negated:
                return lambda state: one(state) != other(state)
            return lambda state: one(state) == other(state)
        case Not(inner):
            holds = reader(inner, names)
            return lambda state: not holds(state)
        case Either(left, right, both):
            one, other = reader(left, names), reader(right, names)
            if both:
                return lambda state: one(state) and other(state)
            return lambda state: one(state) or other(state)
        case Choice(condition, then, otherwise):
            test, one, other = (reader(part, names) for part in (condition, then, otherwise))
            return lambda state: one(state) if test(state) else other(state)


def facts_in(term: Term) -> tuple[LogicFact, ...]:
    """Return the facts of a term, outer ones first."""
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


def names_in(term: Term) -> frozenset[str]:
    """Return the arguments and objects that a term names."""
    match term:
        case LogicName(name):
            return frozenset((name,))
        case LogicFact(_, args):
            return frozenset(name for arg in args for name in names_in(arg))
        case Equal(left, right, _) | Either(left, right, _):
            return names_in(left) | names_in(right)
        case Not(inner):
            return names_in(inner)
        case Choice(condition, then, other):
            return names_in(condition) | names_in(then) | names_in(other)
    return frozenset()


def format_term(term: Term, names: Names) -> str:
    """Format a term as in the files, with its arguments bound: `at(bowl) == table`."""
    match term:
        case Constant(value):
            return "none" if value is None else str(value).lower() if value is True else repr(value)
        case LogicName(name):
            name = names.get(name, name)
            return f'"{name}"' if " " in name else name
        case LogicFact(name, args):
            return f"{name}({', '.join(format_term(arg, names) for arg in args)})"
        case Equal(left, right, negated):
            sign = "!=" if negated else "=="
            return f"{format_term(left, names)} {sign} {format_term(right, names)}"
        case Not(inner):
            return f"not {format_term(inner, names)}"
        case Either(left, right, both):
            word = "and" if both else "or"
            return f"{format_term(left, names)} {word} {format_term(right, names)}"
        case Choice(condition, then, other):
            return (
                f"{format_term(then, names)} if {format_term(condition, names)} "
                f"else {format_term(other, names)}"
            )
