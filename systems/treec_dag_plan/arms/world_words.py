"""Describe why a condition does not hold: what is required, and the current value."""

from __future__ import annotations

from collections.abc import Collection

from treec_dag_plan.arms.world_logic import (
    Choice,
    Constant,
    Either,
    Equal,
    LogicFact,
    LogicName,
    Names,
    Not,
    State,
    Term,
    format_term,
    reader,
)


def reason(term: Term, names: Names, state: State, changing: Collection[str]) -> str:
    """`opened(microwave_door) does not hold`, `holding(left) == knife, but holding(left) is none`.

    Nested facts are replaced by their current values; alternatives that can never hold are omitted.
    """
    written, term = term, resolve(term, names, state, changing)
    match term:
        case Equal(LogicFact() as fact, _, _):
            is_ = _is(fact, names, state)
            return f"{format_term(term, names)} is needed, and {format_term(fact, names)} is {is_}"
        case LogicFact():
            inner = [one for one in getattr(written, "args", ()) if isinstance(one, LogicFact)]
            if inner:  # for_cutting(at(carrot)): what is to be another is where the carrot is
                values = (f"{format_term(one, names)} is {_is(one, names, state)}" for one in inner)
                return f"{format_term(written, names)} is needed, and {', '.join(values)}"
            return f"{format_term(term, names)} is needed, and is not so"
        case Not(LogicFact() as fact):
            return f"{format_term(fact, names)} is so, and must not be"
    return f"{format_term(term, names)} is needed"


def unmet(term: Term, state: State, changing: Collection[str]) -> str:
    """A goal's condition that does not hold, tersely: `at(pot) is table, not stove`."""
    match resolve(term, {}, state, changing):
        case Equal(LogicFact() as fact, value, False):
            return (
                f"{format_term(fact, {})} is {_is(fact, {}, state)}, not {format_term(value, {})}"
            )
        case LogicFact() as fact:
            return f"{format_term(fact, {})} is not so"
        case Not(LogicFact() as fact):
            return f"{format_term(fact, {})} is so"
        case other:
            return f"not {format_term(other, {})}"


def _is(fact: LogicFact, names: Names, state: State) -> str:
    value = reader(fact, names)(state)
    return "none" if value is None else str(value)


def resolve(term: Term, names: Names, state: State, changing: Collection[str]) -> Term:
    """Replace nested facts by their values, and drop alternatives that can never hold."""
    match term:
        case LogicFact(name, args):
            inner = []
            for arg in args:
                value = reader(arg, names)(state)
                inner.append(Constant(value) if not isinstance(value, str) else LogicName(value))
            return LogicFact(name, tuple(inner))
        case Not(inner_term):
            return Not(resolve(inner_term, names, state, changing))
        case Equal(left, right, negated):
            left = resolve(left, names, state, changing)
            return Equal(left, resolve(right, names, state, changing), negated)
        case Either(left, right, True):
            holds = reader(left, names)(state)
            return resolve(right if holds else left, names, state, changing)
        case Either(left, right, _):
            if not _may_change(left, changing):
                return resolve(right, names, state, changing)
            if not _may_change(right, changing):
                return resolve(left, names, state, changing)
            left = resolve(left, names, state, changing)
            return Either(left, resolve(right, names, state, changing), False)
        case Choice(condition, then, other):
            holds = reader(condition, names)(state)
            return resolve(then if holds else other, names, state, changing)
    return term


def _may_change(term: Term, changing: Collection[str]) -> bool:
    """Whether a term's outermost facts are changed by some skill."""
    match term:
        case LogicFact(name, _):
            return name in changing
        case Not(inner):
            return _may_change(inner, changing)
        case Equal(left, right, _) | Either(left, right, _):
            return _may_change(left, changing) or _may_change(right, changing)
    return False
