"""Reference `$name.path` that does not exist.

In a value, a text of the exact form `$name.path` stands for a bound value: a port, a variable, the
item of a loop, a name of the world. `$$` at the start stands for a literal `$`. A value is no
expression and no template: `$acts.stop[0]` and `{{ agent }}` would be passed on as these texts.

Wrong:

    - for: p in acts.accept.proposals
      do:
        - assign: {agent: $p.agnt, subtasks: [$p.subtask]}

Right:

    - for: p in acts.accept.proposals
      do:
        - assign: {agent: $p.agent, subtasks: [$p.subtask]}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from treec.check.base import FieldPlace, Loc, entries_to_check
from treec.check.environments import environment
from treec.check.names import TypeEnvironment
from treec.check.references import resolve_reference
from treec.check.texts import all_places
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.values import is_reference, references

CODE = "TC210"
_EXPRESSION = re.compile(r"\$[A-Za-z]")
_TEMPLATE = re.compile(r"\{\{|\{%")
_BOUND = frozenset({"tree", "action", "decision"})
"""Kinds of files whose values are resolved in a scope."""


def check(view: View) -> Iterator[Diagnostic]:
    """Check references in the values of trees and of actions' rules."""
    for entry in entries_to_check(view):
        if entry.kind not in _BOUND:
            continue
        for place in all_places(entry):
            if place.kind == "value" and place.loc[0] not in ("examples", "offer"):
                yield from _references(view, place)
                yield from _literal(place, place.value, place.loc)


def _references(view: View, place: FieldPlace) -> Iterator[Diagnostic]:
    env: TypeEnvironment | None = None
    for reference in references(place.value):
        env = env or environment(view, place)
        for finding in resolve_reference(env, reference).found:
            span = place.entry.span_in((*place.loc, *reference.loc), finding.offset, finding.length)
            message = finding.message.replace("this expression", "this value")
            yield Diagnostic(CODE, "error", span, message, finding.help)


def _literal(place: FieldPlace, value: object, loc: Loc) -> Iterator[Diagnostic]:
    """Report texts that look like a reference or a template and are neither."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _literal(place, item, (*loc, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _literal(place, item, (*loc, index))
    elif isinstance(value, str) and not is_reference(value):
        if _EXPRESSION.match(value):
            help = "write $name.field; for more, put the expression into 'for' or a derived name"
            message = f"'{value}' is not a reference, and would be passed on as this text"
            yield Diagnostic(CODE, "error", place.entry.span(*loc), message, help)
        elif _TEMPLATE.search(value):
            help = "write $name.field"
            message = "a value is not a template: this would be passed on as it is written"
            yield Diagnostic(CODE, "error", place.entry.span(*loc), message, help)
