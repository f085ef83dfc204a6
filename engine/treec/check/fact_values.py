"""Checks the facts that a scene sets for an object, or an agent's file for its start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from treec.check.base import Loc
from treec.check.environments import world
from treec.files.entry import AnyEntry
from treec.files.types import BOOL, Named, a, misfit, parse_type
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion


def fact_misfits(
    code: str,
    view: View,
    entry: AnyEntry,
    loc: Loc,
    given: Mapping[str, object],
    type_name: str,
    keys: tuple[str, ...] = (),
) -> Iterator[Diagnostic]:
    """Report invalid facts of a thing of a type; ``keys`` are allowed beside them."""
    for name, value in given.items():
        here = (*loc, name)
        fact = view.facts.get(name)
        if fact is None:
            help = suggestion(name, (*view.facts, *keys), "facts")
            message = f"unknown fact '{name}'"
            yield Diagnostic(code, "error", entry.span(*here, key=True), message, help)
            continue
        if len(fact.args) != 1:
            message = f"'{name}' is a fact about {len(fact.args)} things and cannot be set here"
            help = f"it takes ({', '.join(fact.args)})"
            yield Diagnostic(code, "error", entry.span(*here, key=True), message, help)
            continue
        try:
            about = parse_type(fact.args[0])
            kind = parse_type(fact.value) if fact.value is not None else BOOL
        except ValueError:  # reported where the fact is declared
            continue
        if not world(view).types.could_be(Named(type_name), about):
            message = f"'{name}' is a fact about {a(about)}, but this is {a(Named(type_name))}"
            yield Diagnostic(code, "error", entry.span(*here, key=True), message)
            continue
        if value is None and fact.value is not None:  # it has no value yet
            continue
        wrong = misfit(kind, value, world(view))
        if wrong is not None:
            span = entry.span(*here)
            yield Diagnostic(code, "error", span, wrong.message, wrong.help)
        elif fact.values and str(value) not in fact.values:
            message = f"'{name}' is never '{value}'"
            help = suggestion(str(value), fact.values, "it is one of")
            yield Diagnostic(code, "error", entry.span(*here), message, help)
