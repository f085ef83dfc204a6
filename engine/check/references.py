"""Infers the type of a value that may be a reference `$name.path`."""

from __future__ import annotations

from treec.check.names import TypeEnvironment
from treec.check.type_checker import infer
from treec.files.types import Type, type_of
from treec.source.errors import LocatedError
from treec.source.expression import Expression
from treec.source.values import references


def is_reference(value: object) -> bool:
    """Whether a value is a reference."""
    return isinstance(value, str) and any(found.loc == () for found in references(value))


def value_type(env: TypeEnvironment, value: object) -> Type | None:
    """Return the type of a value; None if unknown."""
    if not isinstance(value, str) or not is_reference(value):
        return type_of(value)
    try:
        return infer(Expression.parse(value[1:]).ast[0], env)
    except LocatedError:
        return None
