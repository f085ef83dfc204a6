"""Infers the types of values that contain references `$name.path`."""

from __future__ import annotations

from collections.abc import Sequence

from jinja2 import nodes

from treec.check.finding import Finding
from treec.check.names import TypeEnvironment
from treec.check.type_checker import TypeChecker, infer
from treec.files.types import Type, type_of
from treec.frozen import frozen
from treec.source.errors import LocatedError
from treec.source.expression import Expression
from treec.source.values import Reference, is_reference


@frozen(slots=False)
class ReferenceType:
    """The type of a reference's value, and the problems in it."""

    type: Type
    found: Sequence[Finding]


def resolve_reference(env: TypeEnvironment, reference: Reference) -> ReferenceType:
    """Follow a reference through names and fields; offsets count from its `$`."""
    lengths = {1: len(reference.name), **{at: len(name) for name, at in reference.fields}}
    typer = TypeChecker(env, lambda at: lengths.get(at, 1))
    type_ = typer.expression(nodes.Name(reference.name, "load", lineno=1))
    for name, at in reference.fields:
        type_ = typer.field(type_, name, at)
    return ReferenceType(type_, typer.found)


def value_type(env: TypeEnvironment, value: object) -> Type | None:
    """Return the type of a value; None if unknown."""
    if not isinstance(value, str) or not is_reference(value):
        return type_of(value)
    try:
        return infer(Expression.parse(value[1:]).ast[0], env)
    except LocatedError:
        return None


def lacks_dollar(env: TypeEnvironment, value: object) -> bool:
    """Whether a text is `name` or `name.field`, of a name that the place binds, without its `$`."""
    name, *fields = value.split(".") if isinstance(value, str) else ("",)
    return name in env.local and value not in env.things and all(f.isidentifier() for f in fields)
