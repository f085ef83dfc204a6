"""Unknown type.

A type is plain (text, number, integer, bool, any, mapping), built in (Agent, Subtask, …) or
declared in the domain, optionally with `list of` before it or `or` between two. An argument
without a type has the type of the same name. A text that a function takes as the name of a class is
a type of the domain, too.

Wrong:

    args: {item: Itm}

Right:

    args: {item: Item}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from treec.check.base import places
from treec.check.environments import world
from treec.check.names import TypeEnvironment
from treec.check.texts import diagnostics_of
from treec.check.unreadable import unreadable_kinds
from treec.files.entry import AnyEntry
from treec.files.types import parse_type, type_names
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, did_you_mean
from treec.source.text import Span
from treec.source.yaml import Scalar

CODE = "TC208"


def check(view: View) -> Iterator[Diagnostic]:
    """Check every type in a file, including those of ports and parents of types."""
    env = world(view)
    yield from diagnostics_of(view, CODE)
    for entry in view.own:
        for place in places(entry):
            if place.kind == "type" and isinstance(place.value, str):
                yield from _type(env, entry, place.loc, place.value)
        if entry.kind == "tree":
            for name, text in entry.model.ports.items():
                direction, _, kind = text.strip().partition(" ")
                if direction in ("in", "out", "inout") and kind.strip():
                    yield from _type(env, entry, ("ports", name), kind.strip())
        elif entry.kind == "domain":
            for name, spec in entry.model.types.items():
                if spec.is_ is not None:
                    yield from _type(env, entry, ("types", name, "is"), spec.is_)
        elif entry.kind == "agent":
            yield from _type(env, entry, ("is",), entry.model.is_)


def _type(
    env: TypeEnvironment, entry: AnyEntry, loc: tuple[str | int, ...], text: str
) -> Iterator[Diagnostic]:
    try:
        names = list(type_names(parse_type(text)))
    except ValueError as error:
        yield Diagnostic(CODE, "error", _span(entry, loc, text), *_split_help(str(error)))
        return
    if not env.whole and "domain" in unreadable_kinds(env.view.library):
        return
    for name in names:
        if not env.types.has(name):
            near = did_you_mean(name, env.view.types.names) or _plain(name)
            if near is None and not env.whole:
                continue  # a tree by itself: the domain that it is for may have the type
            help = f"did you mean '{near}'?" if near else "declare it under 'types' in the domain"
            message = f"unknown type '{name}'"
            yield Diagnostic(CODE, "error", _span(entry, loc, name), message, help)


def _span(entry: AnyEntry, loc: tuple[str | int, ...], text: str) -> Span:
    """Where a type is written; if it is omitted, the argument of the same name."""
    node = entry.at(*loc)
    if isinstance(node, Scalar) and (at := node.text.find(text)) >= 0:
        return node.at(at, len(text))
    if isinstance(node, Scalar) and node.value is None:
        return entry.span(*loc, key=True)
    items = getattr(node, "items", ())  # args: [item]
    named_like = (i for i in items if isinstance(i, Scalar) and i.text == loc[-1])
    return next(named_like, node).span


_PLAIN: Mapping[str, str] = {
    "str": "text",
    "string": "text",
    "int": "integer",
    "float": "number",
    "boolean": "bool",
    "dict": "mapping",
    "object": "any",
    "null": "none",
}


def _plain(name: str) -> str | None:
    return _PLAIN.get(name.lower())


def _split_help(message: str) -> tuple[str, str]:
    problem, _, help = message.partition(": ")
    return problem, help
