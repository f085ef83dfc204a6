"""Marks untrusted text in prompts as data, between delimiters that the text cannot forge.

A value is shown on one line, without the characters of marks and markup, so that it can neither
close the marks around it nor look like a line of the prompt. Every character is replaced by one
character, so that a quote of the shown text has the same offset in the original.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import cast

from jinja2 import nodes

from treec.source.names import uses
from treec.source.statements import OWN
from treec.source.template import TextTemplate

OPEN, CLOSE = "<data>", "</data>"

_BREAKS = "\t\v\f\r\x1c\x1d\x1e\x85\u2028\u2029"
_HIDDEN = [
    *(chr(code) for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in _BREAKS + "\n"),
    *map(chr, range(0x202A, 0x202F)),  # these change the direction of the text around them
    *map(chr, range(0x2066, 0x206A)),
    *"\u200b\u2060\ufeff",
    *map(chr, range(0xE0000, 0xE0080)),  # letters that only a model can read
]
_LINES = str.maketrans(
    {
        **dict.fromkeys("<\uff1c\ufe64", "‹"),
        **dict.fromkeys(">\uff1e\ufe65", "›"),
        **dict.fromkeys(_BREAKS, " "),
        **dict.fromkeys(_HIDDEN, "\ufffd"),
    }
)
_LINE = {**_LINES, ord("\n"): " "}
_MARK = re.compile(r"<(?=\s*/?\s*data\b)", re.IGNORECASE)


def escape_text(text: str) -> str:
    """Return a value as shown between marks: on one line, without markup, of the same length."""
    return text.translate(_LINE)


def escape_lines(text: str) -> str:
    """Return the same for a value whose line breaks matter."""
    return text.translate(_LINES)


def find_quote(quote: str, text: str) -> str:
    """Return the words of the original text that a quote of the shown text covers, or ''.

    Where they do not stand there, they may in another case, or without marks around them, as whole
    words.
    """
    shown, words = escape_text(text), escape_text(quote)
    found = re.search(re.escape(words), shown)
    bare = words.strip(" .…\"'“”‘’")
    found = found or re.search(rf"(?<!\w){re.escape(bare)}(?!\w)", shown, re.IGNORECASE)
    return text[slice(*found.span())] if found else ""


def remove_marks(text: str) -> str:
    """Return a text with its marks replaced, of the same length."""
    return _MARK.sub("‹", text)


def mark_text(text: str) -> str:
    """Return a text between marks, on lines of its own; its values must be escaped already."""
    return f"{OPEN}\n{text}\n{CLOSE}"


def unmark_text(text: str) -> str:
    """Return what `mark_text` put between marks; a text without marks as it is."""
    return text.removeprefix(OPEN).removesuffix(CLOSE).strip()


Show = Callable[[str], str]


@lru_cache(maxsize=1024)
def mark_template(text: str, names: frozenset[str]) -> TextTemplate:
    """Return a template in which everything that prints one of these names is between marks.

    A loop over such a name is marked as a whole. Everything else is the author's own text, which
    `show` does not change.
    """
    template = TextTemplate.parse(text)
    return template.with_body(_Marker(names).block(template.ast))


class _Marker:
    """Puts marks into a copy of a syntax tree."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = set(names)

    def block(self, body: Sequence[nodes.Node]) -> list[nodes.Node]:
        return [made for node in body for made in self._mark(node)]

    def _mark(self, node: nodes.Node) -> list[nodes.Node]:
        if isinstance(node, nodes.Output):
            return [self._output(node)]
        if isinstance(node, nodes.Assign | nodes.AssignBlock):
            if self._tells(node):
                self._names |= {name.name for name in node.target.find_all(nodes.Name)}
                if isinstance(node.target, nodes.Name):
                    self._names.add(node.target.name)
            return [node]
        if isinstance(node, nodes.For) and self._tells(node.iter):
            mark = "\n" if _ends_line(node.body) else ""
            return [_text(OPEN + mark, node), node, _text(CLOSE + mark, node)]
        if isinstance(node, nodes.For | nodes.If | nodes.With):
            made = copy.copy(node)
            made.body = self.block(node.body)
            if not isinstance(made, nodes.With):
                made.else_ = self.block(made.else_)
            if isinstance(made, nodes.If):
                made.elif_ = [cast(nodes.If, self._mark(branch)[0]) for branch in made.elif_]
            return [made]
        if isinstance(node, nodes.FilterBlock) and self._tells(node):
            return [_text(OPEN, node), node, _text(CLOSE, node)]
        return [node]

    def _output(self, node: nodes.Output) -> nodes.Output:
        parts: list[nodes.Expr] = []
        for part in node.nodes:
            if not isinstance(part, nodes.TemplateData) and self._tells(part):
                parts += [_data(OPEN, part), part, _data(CLOSE, part)]
            else:
                parts.append(_own(part))
        made = copy.copy(node)
        made.nodes = parts
        return made

    def _tells(self, node: nodes.Node) -> bool:
        return any(name.name in self._names for name in uses((node,), {}).names)


def _own(part: nodes.Expr) -> nodes.Expr:
    made = copy.copy(part)
    setattr(made, OWN, True)
    return made


def _ends_line(body: Sequence[nodes.Node]) -> bool:
    """Whether an iteration of a loop ends with a line break."""
    last = body[-1] if body else None
    if isinstance(last, nodes.Output) and last.nodes:
        end = last.nodes[-1]
        return isinstance(end, nodes.TemplateData) and end.data.endswith("\n")
    return False


def _data(text: str, at: nodes.Node) -> nodes.TemplateData:
    return nodes.TemplateData(text, lineno=at.lineno)


def _text(text: str, at: nodes.Node) -> nodes.Output:
    return nodes.Output([_data(text, at)], lineno=at.lineno)
