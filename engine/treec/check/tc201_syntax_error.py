"""Syntax error in an expression or template.

Expressions are bare Jinja expressions, texts are Jinja templates. Syntax errors are reported
before anything runs, at the exact character.

Wrong:

    - check: queue(agent

Right:

    - check: queue(agent)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from treec.check.base import entries
from treec.check.texts import ParsedText, parsed_texts
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC201"
_CODE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_ONE_BRACE = re.compile(
    r"(?<![{$])\{(?P<inner> *(?P<name>[A-Za-z_]\w*)?[^{}\n]*?)(?P<end>\}\}?)(?!\})"
)


def check(view: View) -> Iterator[Diagnostic]:
    """Report texts that do not parse, and loops that are not of the form `x in list`."""
    for text in parsed_texts(view):
        if text.error is not None:
            error = text.error
            yield text.place.problem(
                CODE, error.message, error.help, offset=error.offset, length=error.length
            )
        elif text.place.kind == "text" and "}" in str(text.place.value):
            yield from _single_braces(text)
    for entry in entries(view, "action"):
        for key in ("always", "offline"):
            for number, rule in enumerate(getattr(entry.model, key)):
                if rule.for_ is not None and not rule.for_.is_valid:
                    span = entry.span(key, number, "for")
                    message = f"'{rule.for_}' is not a loop"
                    help = "write a name, 'in' and a list: p in acts.accept.proposals"
                    yield Diagnostic(CODE, "error", span, message, help)


def _single_braces(text: ParsedText) -> Iterator[Diagnostic]:
    """Report what stands in one brace where two are meant: `{ item }}`, or a name: `{item}`."""
    plain = _CODE.sub(lambda code: "\0" * len(code[0]), str(text.place.value))
    for found in _ONE_BRACE.finditer(plain):
        name = found["name"]
        closes_two = found["end"] == "}}" and not _depth(plain[: found.start()])
        if closes_two or (found["end"] == "}" and name is not None and name in text.env.local):
            message = f"'{found['inner'].strip()}' stands in one brace, and is text here"
            help = f"write {{{{ {found['inner'].strip()} }}}}"
            at, length = found.start(), len(found[0])
            problem = text.place.problem(CODE, message, help, offset=at, length=length)
            yield problem if closes_two else replace(problem, severity="warning")


def _depth(text: str) -> int:
    """How many braces are open at the end of a text."""
    depth = 0
    for brace in re.findall(r"[{}]", text):
        depth = depth + 1 if brace == "{" else max(depth - 1, 0)
    return depth
