"""Values: plain data in which a text that is exactly `$name.field` stands for a bound value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from treec.frozen import frozen
from treec.source.errors import EvaluationError, EvaluationProblem
from treec.source.objects import attribute
from treec.source.scope import Scope

_REFERENCE = re.compile(r"\$([A-Za-z]\w*(?:\.[A-Za-z]\w*)*)\Z")


@frozen
class Reference:
    """A `$name.field` in plain data: its path there, and the name and fields it reads."""

    loc: tuple[str | int, ...]
    name: str
    fields: tuple[tuple[str, int], ...]
    """Each field with its offset in the text of the value."""


def references(value: object) -> Iterator[Reference]:
    """Yield every reference in plain data, in order."""
    yield from _references(value, ())


def _references(value: object, loc: tuple[str | int, ...]) -> Iterator[Reference]:
    if isinstance(value, str):
        parts = _parts(value)
        if parts is not None:
            (name, _), *fields = parts
            yield Reference(loc, name, tuple(fields))
    elif isinstance(value, Mapping):
        for key, entry in value.items():
            yield from _references(entry, (*loc, key))
    elif isinstance(value, (list, tuple)):
        for index, entry in enumerate(value):
            yield from _references(entry, (*loc, index))


def is_reference(value: object) -> bool:
    """Whether a value is a reference."""
    return isinstance(value, str) and _REFERENCE.match(value) is not None


def resolve(value: object, scope: Scope) -> object:
    """Return a copy of plain data with every reference replaced by its value.

    `$$` at the start of a text stands for one `$`. Raises `EvaluationError` with the offset in
    the text of the value that holds the reference.
    """
    if isinstance(value, str):
        if value.startswith("$$"):
            return value[1:]
        parts = _parts(value)
        return value if parts is None else _read(parts, scope)
    if isinstance(value, Mapping):
        return {key: resolve(entry, scope) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [resolve(entry, scope) for entry in value]
    return value


def _parts(text: str) -> list[tuple[str, int]] | None:
    """Return name and fields with their offsets, or None for an ordinary text."""
    match = _REFERENCE.match(text)
    if match is None:
        return None
    parts, at = [], 1
    for name in match[1].split("."):
        parts.append((name, at))
        at += len(name) + 1
    return parts


def _read(parts: list[tuple[str, int]], scope: Scope) -> object:
    (name, at), *fields = parts
    try:
        value = scope.lookup(name)
        for field in fields:
            name, at = field
            value = attribute(value, name)
    except EvaluationProblem as problem:
        raise EvaluationError(problem.message, at, len(name), problem.help) from problem
    return value
