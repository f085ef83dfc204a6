"""Values: plain data in which `$name.field` stands for a bound value, and `= …` for a computed one.

A text that begins with `$` or `=` is never itself: `= '$5'` is the text `$5`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from math import isfinite

from treec.frozen import frozen
from treec.source.errors import EvaluationError, EvaluationProblem, LocatedError, SourceError
from treec.source.expression import Expression
from treec.source.objects import attribute
from treec.source.scope import Scope

NO_REFERENCE = "write $name.field, or an expression: '= …'"
_REFERENCE = re.compile(r"\$([A-Za-z]\w*(?:\.[A-Za-z]\w*)*)\Z")


@frozen
class Computed:
    """A `= …` in plain data: its path there, the expression, and its offset in the text."""

    loc: tuple[str | int, ...]
    text: str
    offset: int


@frozen
class Reference:
    """A `$name.field` in plain data: its path there, and the name and fields it reads."""

    loc: tuple[str | int, ...]
    name: str
    fields: tuple[tuple[str, int], ...]
    """Each field with its offset in the text of the value."""


def references(value: object) -> Iterator[Reference]:
    """Yield every reference in plain data, in order."""
    for loc, text in texts(value):
        parts = _parts(text)
        if parts is not None:
            (name, _), *fields = parts
            yield Reference(loc, name, tuple(fields))


def computed(value: object) -> Iterator[Computed]:
    """Yield every expression in plain data, in order."""
    for loc, text in texts(value):
        if is_computed(text):
            inner = text[1:].lstrip()
            yield Computed(loc, inner, len(text) - len(inner))


def texts(
    value: object, loc: tuple[str | int, ...] = ()
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield every text in plain data with its path, in order."""
    if isinstance(value, str):
        yield loc, value
    elif isinstance(value, Mapping):
        for key, entry in value.items():
            yield from texts(entry, (*loc, key))
    elif isinstance(value, (list, tuple)):
        for index, entry in enumerate(value):
            yield from texts(entry, (*loc, index))


def is_reference(value: object) -> bool:
    """Whether a value is a reference."""
    return isinstance(value, str) and _REFERENCE.match(value) is not None


def is_computed(value: object) -> bool:
    """Whether a value is an expression."""
    return isinstance(value, str) and value.startswith("=")


def is_bound(value: object) -> bool:
    """Whether a value is a reference or an expression."""
    return is_computed(value) or is_reference(value)


def is_literal(value: object) -> bool:
    """Whether plain data is nothing but itself, also within."""
    return not any(text.startswith(("$", "=")) for _, text in texts(value))


def literal(text: str) -> str:
    """The value that stands for a text; :func:`literal_text` gives it back."""
    if not text.startswith(("$", "=")):
        return text
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"= '{escaped}'"


def literal_text(value: str) -> str | None:
    """The text that a value stands for; None if it is not known from the value."""
    if not is_computed(value):
        return None if value.startswith("$") else value
    try:
        found = Expression.parse(value[1:].lstrip())
        text = found.constant_value() if found.is_constant else None
    except LocatedError:
        return None
    return text if isinstance(text, str) else None


@cache
def number_in(text: str) -> float | None:
    """The number that a text is; None if it is none."""
    try:
        found = float(text)
    except ValueError:
        return None
    return found if isfinite(found) and "_" not in text else None


def resolve(value: object, scope: Scope) -> object:
    """Return a copy of plain data with every reference and expression replaced by its value.

    Raises `EvaluationError` with the offset in the text of the value that holds it.
    """
    if isinstance(value, str):
        first = value[:1]
        if first == "$":
            return _read(value, scope)
        return _compute(value, scope) if first == "=" else value
    if isinstance(value, Mapping):
        return {key: resolve(entry, scope) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [resolve(entry, scope) for entry in value]
    return value


@lru_cache(maxsize=4096)
def _parts(text: str) -> tuple[tuple[str, int], ...] | None:
    """Return name and fields with their offsets, or None for an ordinary text."""
    match = _REFERENCE.match(text)
    if match is None:
        return None
    parts, at = [], 1
    for name in match[1].split("."):
        parts.append((name, at))
        at += len(name) + 1
    return tuple(parts)


def _compute(text: str, scope: Scope) -> object:
    inner = text[1:].lstrip()
    try:
        return Expression.parse(inner).evaluate(scope)
    except (EvaluationError, SourceError) as error:
        offset = error.offset + len(text) - len(inner)
        raise EvaluationError(error.message, offset, error.length, error.help) from error


def _read(text: str, scope: Scope) -> object:
    parts = _parts(text)
    if parts is None:
        raise EvaluationError(f"'{text}' is not a reference", 0, len(text), NO_REFERENCE)
    (name, at), *fields = parts
    try:
        value = scope.lookup(name)
        for field in fields:
            name, at = field
            value = attribute(value, name)
    except EvaluationProblem as problem:
        raise EvaluationError(problem.message, at, len(name), problem.help) from problem
    return value
