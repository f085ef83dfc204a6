"""Something in an expression or template that cannot be right, by its offset in the text."""

from __future__ import annotations

from dataclasses import dataclass

from treec.files.types import ListOf, Named, OneOf, Type


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule's code, where in the text, and what is said."""

    code: str
    offset: int
    length: int
    message: str
    help: str | None = None


def a(type_: Type) -> str:
    """A type as words speak of its values: ``an Agent``, ``a list of Subtask``, ``none``."""
    if isinstance(type_, OneOf):
        return " or ".join(map(a, type_.options))
    text = str(type_)
    if isinstance(type_, Named):
        special = {"none": "none", "any": "anything", "bool": "true or false", "Acts": "acts"}
        if type_.name in special:
            return special[type_.name]
    if isinstance(type_, ListOf):
        return f"a {text}"
    return f"an {text}" if text[:1].lower() in "aeiou" else f"a {text}"
