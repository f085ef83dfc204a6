"""The parts of expressions and templates, for an editor's colours: what YAML takes for text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from treec.check.texts import all_places
from treec.files.library import Library
from treec.source.jinja import KEYWORDS
from treec.source.text import Span
from treec.source.yaml import Scalar

TYPES = ("variable", "property", "function", "keyword", "string", "number", "operator")
"""Types of tokens, in the order of the legend."""
_TOKEN = re.compile(
    r"(?P<string>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
    r"|(?P<number>\d+(?:\.\d+)?)"
    r"|(?P<word>[^\W\d]\w*)"
    r"|(?P<operator>[=!<>]=|//|\*\*|[-+*/%<>=|~])"
)
_BLOCK = re.compile(r"\{\{-?(.*?)-?\}\}|\{%-?(.*?)-?%\}", re.DOTALL)
_STATEMENTS = KEYWORDS | {
    "for",
    "endfor",
    "endif",
    "elif",
    "set",
    "endset",
    "true",
    "false",
    "none",
}


def tokens(library: Library, path: str) -> list[tuple[Span, str]]:
    """Return the tokens of a file's expressions and templates with their types, in order."""
    found: dict[tuple[int, int], tuple[Span, str]] = {}
    for entry in library.entries:
        if entry.path != path:
            continue
        for place in all_places(entry):
            node = entry.at(*place.loc, key=place.key)
            if place.kind not in ("expression", "text") or not isinstance(node, Scalar):
                continue
            text = str(place.value)
            for begin, end in code(text, is_template=place.kind == "text"):
                for start, length, kind in _tokens_in(text, begin, end):
                    span = node.at(place.shift + start, length)
                    if span.line == span.end_line:
                        found.setdefault((span.line, span.column), (span, kind))
    return [found[at] for at in sorted(found)]


def code(text: str, *, is_template: bool) -> Iterator[tuple[int, int]]:
    """Yield the stretches of a text that are expressions or statements."""
    if not is_template:
        yield 0, len(text)
        return
    for match in _BLOCK.finditer(text):
        yield match.span(1 if match[1] is not None else 2)


def _tokens_in(text: str, begin: int, end: int) -> Iterator[tuple[int, int, str]]:
    for match in _TOKEN.finditer(text, begin, end):
        kind = str(match.lastgroup)
        if kind == "word":
            before = text[begin : match.start()].rstrip()
            if match[0] in _STATEMENTS:
                kind = "keyword"
            elif before.endswith("."):
                kind = "property"
            elif text[match.end() : end].startswith("(") or before.endswith("|"):
                kind = "function"
            else:
                kind = "variable"
        yield match.start(), match.end() - match.start(), kind
