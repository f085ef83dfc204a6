"""Whether a value, or one of a type, can stand where another type is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from treec.files.types import ANY, NONE, TEXT, ListOf, Named, Type
from treec.program.api import Api, options, without_none
from treec.source.errors import suggest

SHOWN = 8
"""How many names a help line lists."""


class Misfit(NamedTuple):
    """Why a value does not fit, and what would."""

    message: str
    help: str | None = None


def listed(names: Iterable[str], empty: str = "none") -> str:
    """Names for a help line, the first few of them."""
    found = list(names)
    return ", ".join(found[:SHOWN]) + (", …" if len(found) > SHOWN else "") or empty


def could_be(api: Api, given: Type, wanted: Type) -> bool:
    """Whether a value of one type can be of another: false only where that is certain."""
    return any(
        _could(api, one, other)
        for one in options(without_none(given))
        for other in options(without_none(wanted))
    )


def _could(api: Api, given: Type, wanted: Type) -> bool:
    if ANY in (given, wanted):
        return True
    if isinstance(given, ListOf) or isinstance(wanted, ListOf):
        return (
            isinstance(given, ListOf)
            and isinstance(wanted, ListOf)
            and could_be(api, given.item, wanted.item)
        )
    if (given == TEXT and is_thing(api, wanted)) or (wanted == TEXT and is_thing(api, given)):
        return True  # it may be a thing's name
    return api.types.fits(given, wanted) or api.types.fits(wanted, given)


def is_thing(api: Api, kind: Type) -> bool:
    """Whether values of a type are things or agents, called by their names."""
    return isinstance(kind, Named) and kind.name not in _PLAIN and api.types.known(kind.name)


_PLAIN = frozenset(
    {
        "text",
        "number",
        "integer",
        "bool",
        "any",
        "mapping",
        "none",
        "Subtask",
        "Proposal",
        "Task",
        "Recipe",
        "Act",
        "Utterance",
    }
)


def misfit(api: Api, wanted: Type, value: object) -> Misfit | None:
    """Why a literal, or a value that a step has got, is not of a type; None where it is."""
    if value is None:
        return Misfit(f"none is no {wanted}")
    kinds = options(wanted)
    if any(_is(api, value, kind) for kind in kinds):
        return None
    if isinstance(value, str) and any(is_thing(api, kind) for kind in kinds):
        own = api.things.get(value)
        shown = without_none(wanted)
        if own is not None:
            return Misfit(f"'{value}' is of the type {own}, and {shown} is asked for here")
        if not api.whole:
            return None
        fitting = [n for n, kind in api.things.items() if api.types.fits(kind, shown)]
        help = suggest(value, fitting) or f"there are: {listed(fitting)}"
        return Misfit(f"there is no {shown} '{value}'", help)
    return Misfit(f"{_described(value)} is no {without_none(wanted)}")


def _is(api: Api, value: object, kind: Type) -> bool:
    if kind == ANY:
        return True
    if isinstance(kind, ListOf):
        return isinstance(value, list | tuple) and all(_is(api, item, kind.item) for item in value)
    if kind == NONE or not isinstance(kind, Named):
        return False
    match kind.name:
        case "text":
            return isinstance(value, str)
        case "bool":
            return isinstance(value, bool)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
    name = getattr(value, "__treec_name__", value)
    own = api.things.get(name) if isinstance(name, str) else None
    if own is None:
        return not is_thing(api, kind) and isinstance(name, str)
    return api.types.fits(own, kind)


def _described(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"'{value}'" if isinstance(value, str) else str(value)
