"""Syntax error in an expression or template.

Expressions are bare Jinja expressions, texts are Jinja templates. Syntax errors are reported
before anything runs, at the exact character.

Wrong:

    - check: queue(agent

Right:

    - check: queue(agent)
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.check.texts import parsed_texts
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC201"


def check(view: View) -> Iterator[Diagnostic]:
    """Report texts that do not parse, and loops that are not of the form `x in list`."""
    for text in parsed_texts(view):
        if text.error is not None:
            error = text.error
            yield text.place.problem(
                CODE, error.message, error.help, offset=error.offset, length=error.length
            )
    for entry in entries(view, "action"):
        for key in ("always", "offline"):
            for number, rule in enumerate(getattr(entry.model, key)):
                if rule.for_ is not None and not rule.for_.is_valid:
                    span = entry.span(key, number, "for")
                    message = f"'{rule.for_}' is not a loop"
                    help = "write a name, 'in' and a list: p in acts.accept.proposals"
                    yield Diagnostic(CODE, "error", span, message, help)
