"""Reference `$name.path` that does not exist.

In a value, a text of the exact form `$name.path` stands for a bound value: a port, a variable, the
item of a loop, a name of the world. `$$` at the start stands for a literal `$`. Any other text is
passed on as it is: `$acts.stop[0]` and `{{ agent }}`, which are an expression and a template, and
the name of a port, a variable or an argument without its `$`. In a text, which is a template,
`$name` is printed as it is written: there it is `{{ name }}`.

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
from treec.check.references import lacks_dollar, resolve_reference
from treec.check.texts import all_places
from treec.files.types import TEXT, without_none
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, Severity
from treec.source.values import is_reference, references

CODE = "TC210"
_EXPRESSION = re.compile(r"\$[A-Za-z]")
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_IN_TEMPLATE = re.compile(r"\$([A-Za-z_]\w*)(?:\.[A-Za-z_]\w*)*")
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
                yield from _literal(view, place, place.value, place.loc)
            elif place.kind == "text" and "$" in str(place.value):
                yield from _in_template(view, place)


def _references(view: View, place: FieldPlace) -> Iterator[Diagnostic]:
    env: TypeEnvironment | None = None
    for reference in references(place.value):
        env = env or environment(view, place)
        for finding in resolve_reference(env, reference).found:
            span = place.entry.span_in((*place.loc, *reference.loc), finding.offset, finding.length)
            yield Diagnostic(CODE, "error", span, finding.message, finding.help)


def _literal(view: View, place: FieldPlace, value: object, loc: Loc) -> Iterator[Diagnostic]:
    """Report texts that look like a reference or a template and are neither."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _literal(view, place, item, (*loc, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _literal(view, place, item, (*loc, index))
    elif isinstance(value, str) and not is_reference(value):
        if _EXPRESSION.match(value):
            help = "write $name.field; for more, put the expression into 'for' or a derived name"
            message = f"'{value}' is not a reference, and would be passed on as this text"
            yield Diagnostic(CODE, "error", place.entry.span(*loc), message, help)
        elif _NAME.fullmatch(value):
            yield from _without_dollar(view, place, value, loc)
        elif _TEMPLATE.search(value):
            help = "write $name.field"
            message = "a value is not a template: this would be passed on as it is written"
            yield Diagnostic(CODE, "error", place.entry.span(*loc), message, help)


def _without_dollar(view: View, place: FieldPlace, value: str, loc: Loc) -> Iterator[Diagnostic]:
    """Report the name of a port, a variable or an argument that is written as a text."""
    env = environment(view, place)
    if not lacks_dollar(env, value):
        return
    may_be_meant = without_none(env.local[value.partition(".")[0]]) == TEXT
    severity: Severity = "warning" if may_be_meant else "error"
    message = f"'{value}' is passed on as this text, not as what {value} stands for"
    yield Diagnostic(CODE, severity, place.entry.span(*loc), message, f"did you mean '${value}'?")


def _in_template(view: View, place: FieldPlace) -> Iterator[Diagnostic]:
    """Report `$name` in a text, which is a template."""
    env = environment(view, place)
    for match in _IN_TEMPLATE.finditer(str(place.value)):
        if match[1] in env.local:
            span = place.entry.span_in(place.loc, match.start(), len(match[0]))
            message = f"a text is a template: '{match[0]}' would be printed as it is written"
            yield Diagnostic(CODE, "error", span, message, f"write {{{{ {match[0][1:]} }}}}")
