"""Infers the types of values that contain references `$name.path` and expressions `= …`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from jinja2 import nodes

from treec.check.example_data import data_misfits
from treec.check.finding import Finding
from treec.check.names import TypeEnvironment
from treec.check.type_checker import TypeChecker, infer
from treec.files.types import ANY, ListOf, Misfit, Type, a, type_of
from treec.frozen import frozen
from treec.source.errors import LocatedError
from treec.source.expression import Expression
from treec.source.values import Reference, is_bound, is_literal, literal_text


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
    if not isinstance(value, str) or not is_bound(value):
        return type_of(value) if is_literal(value) else None
    try:
        return infer(Expression.parse(value[1:].lstrip()).ast[0], env)
    except LocatedError:
        return None


def bound_misfits(
    env: TypeEnvironment, kind: Type, value: object, loc: tuple[str | int, ...] = ()
) -> Iterator[Misfit]:
    """Yield what in a value is not of a type; references and expressions are inferred."""
    if isinstance(value, str) and is_bound(value):
        text = literal_text(value)
        if text is not None:  # a text that is quoted, since it begins with `$` for instance
            yield from data_misfits(env, kind, text, loc)
            return
        given = value_type(env, value)
        if given is not None and not env.types.could_be(given, kind):
            yield Misfit(f"{value} is {a(given)}, but {a(kind)} is needed here", None, loc)
    elif isinstance(kind, ListOf) and isinstance(value, list):
        for index, item in enumerate(value):
            yield from bound_misfits(env, kind.item, item, (*loc, index))
    elif is_literal(value) and not _looks_bound(env, value):
        for misfit in data_misfits(env, kind, value, loc):
            given = value_type(env, f"= {value}") if isinstance(value, str) else None
            if given not in (None, ANY) and env.types.could_be(given, kind):
                misfit = replace(misfit, help=f"an expression begins with '=': '= {value}'")
            yield misfit


def _looks_bound(env: TypeEnvironment, value: object) -> bool:
    """Whether a text is a template, or a name without its `$`; TC210 reports both."""
    return isinstance(value, str) and ("{" in value or lacks_dollar(env, value))


def lacks_dollar(env: TypeEnvironment, value: object) -> bool:
    """Whether a text is `name` or `name.field`, of a name that the place binds, without its `$`."""
    name, *fields = value.split(".") if isinstance(value, str) else ("",)
    return name in env.local and value not in env.things and all(f.isidentifier() for f in fields)
