"""Reference `$name.path` that does not exist.

In a value, a text of the form `$name.path` stands for a bound value: a port, a variable, the item
of a loop, a name of the world. One that begins with `=` is an expression: `= n + 1`. Any other text
that begins with `$` is an error; the text `$5` itself is `= '$5'`. All else is passed on as it is:
`{{ agent }}`, which is a template, and the name of a port, a variable or an argument without its
`$`. In a text, which is a template, `$name` is printed as it is written: there it is `{{ name }}`.

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
from collections.abc import Iterator

from treec.check.base import FieldPlace, Loc, has_values, is_resolved
from treec.check.environments import environment
from treec.check.names import TypeEnvironment
from treec.check.references import lacks_dollar, resolve_reference
from treec.check.texts import all_places
from treec.files.types import TEXT, without_none
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, Severity
from treec.source.errors import SourceError
from treec.source.expression import Expression
from treec.source.values import is_bound, literal, references, texts

CODE = "TC210"
_EXPRESSION = re.compile(r"\$\$?\{?([A-Za-z(].*?)\}?")
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_IN_TEMPLATE = re.compile(r"\$(\{)?([A-Za-z_]\w*)(?:\.[A-Za-z_]\w*)*(?(1)\})")
_TEMPLATE = re.compile(r"\{\{|\{%")


def check(view: View) -> Iterator[Diagnostic]:
    """Check references in the values of trees and of actions' rules."""
    for entry in view.own:
        if not has_values(entry):
            continue
        for place in all_places(entry):
            if is_resolved(place):
                yield from _references(view, place)
                for loc, text in texts(place.value, place.loc):
                    if not is_bound(text):
                        yield from _literal(view, place, text, loc)
            elif place.kind == "text" and "$" in str(place.value):
                yield from _in_template(view, place)


def _references(view: View, place: FieldPlace) -> Iterator[Diagnostic]:
    env: TypeEnvironment | None = None
    for reference in references(place.value):
        env = env or environment(view, place)
        for finding in resolve_reference(env, reference).found:
            span = place.entry.span_in((*place.loc, *reference.loc), finding.offset, finding.length)
            yield Diagnostic(CODE, "error", span, finding.message, finding.help)


def _literal(view: View, place: FieldPlace, value: str, loc: Loc) -> Iterator[Diagnostic]:
    """Report texts that look like a reference or a template and are neither."""
    if value.startswith("$"):
        message = f"'{value}' is not a reference"
        yield Diagnostic(CODE, "error", place.entry.span(*loc), message, _instead(value))
    elif _NAME.fullmatch(value):
        yield from _without_dollar(view, place, value, loc)
    elif _TEMPLATE.search(value):
        help = "write $name.field, or an expression: '= …'"
        message = "a value is not a template: this would be passed on as it is written"
        yield Diagnostic(CODE, "error", place.entry.span(*loc), message, help)


def _instead(value: str) -> str:
    """What was meant by a text that begins with `$`: an expression, or the text itself."""
    inner = _EXPRESSION.fullmatch(value)
    if inner is not None and not value.startswith("$$"):
        try:
            return f"write an expression: '= {Expression.parse(inner[1]).text}'"
        except SourceError:
            pass
    text = value[1:] if value.startswith("$$") else value  # `$$` has stood for `$`
    return f"write $name.field, or the text itself as an expression: {literal(text)}"


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
    """Report `$name` of a name that is bound there, and `${name}`, in a text: a template."""
    env = environment(view, place)
    for match in _IN_TEMPLATE.finditer(str(place.value)):
        if match[2] in env.local or (match[1] and env.type_of(match[2]) is not None):
            span = place.entry.span_in(place.loc, match.start(), len(match[0]))
            name = match[0].strip("${}")
            message = f"a text is a template: '{match[0]}' would be printed as it is written"
            yield Diagnostic(CODE, "error", span, message, f"write {{{{ {name} }}}}")
