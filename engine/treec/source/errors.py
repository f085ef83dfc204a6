"""Errors of parsing and evaluating expressions and templates, and the base of the API's errors.

Code that knows no position raises `EvaluationProblem`; the node that called it converts that to an
`EvaluationError` at its own offset. Offsets count characters of the parsed text; the caller maps
them into the file (`Scalar.at`).
"""

from __future__ import annotations

from collections.abc import Iterable


class TreecError(Exception):
    """Base class of the exceptions of the Python API."""


def suggest(name: str, known: Iterable[str]) -> str | None:
    """Return "did you mean …?" for the nearest known name, or None when none is near."""
    from treec.source.diagnostics import did_you_mean  # difflib is slow to import

    nearest = did_you_mean(name, sorted(known))
    return f"did you mean '{nearest}'?" if nearest else None


class EvaluationProblem(Exception):
    """Something that cannot be evaluated, without a position."""

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.help = help


class Missing(EvaluationProblem):
    """A name, field, key or item that does not exist (`x.y is defined` is then false)."""


class Unknown(EvaluationProblem):
    """A name, fact or function whose value a scope does not know (`Expression.judge`)."""


class UndefinedName(Missing):
    """A name or a function that the scope does not have."""

    def __init__(self, name: str, known: Iterable[str] = ()) -> None:
        super().__init__(f"unknown name '{name}'", suggest(name, known))
        self.name = name


class LocatedError(Exception):
    """A problem at a place in the text: `length` characters from `offset`."""

    def __init__(self, message: str, offset: int, length: int = 1, help: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset
        self.length = length
        self.help = help


class SourceError(LocatedError):
    """The text is not a valid expression or template."""


class EvaluationError(LocatedError):
    """The text is valid, but cannot be evaluated with these values."""
