"""XML elements with their places, read by expat; document types and entities are refused.

As in BehaviorTree.CPP, an attribute may have ``<`` and ``&`` as they are: ``_skipIf="a && b < 3"``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

MAX_DEPTH = 200
"""How deep elements may be nested."""


@dataclass(slots=True)
class XmlElement:
    """An element; text between elements is left out. Lines and columns begin at 1.

    ``path`` is that of its file, where several are read. ``comments`` are those before it, and
    those at the end of what is inside.
    """

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[XmlElement] = field(default_factory=list)
    line: int = 1
    column: int = 1
    path: str = ""
    comments: list[str] = field(default_factory=list)

    def walk(self) -> Iterator[XmlElement]:
        """Yield this element and all below it, in the order of the file."""
        yield self
        for child in self.children:
            yield from child.walk()


class BadXml(Exception):
    """The text is no XML that is accepted here; ``line`` and ``column`` begin at 1."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.line, self.column = line, column


def read_xml(data: bytes) -> XmlElement:
    """Return the root element of a document. Raises BadXml."""
    text = _Escaped(data)
    parser = expat.ParserCreate()
    root: list[XmlElement] = []
    opened: list[XmlElement] = []
    comments: list[str] = []

    def bad(message: str) -> BadXml:
        return BadXml(message, *text.place(parser.CurrentByteIndex))

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(opened) == MAX_DEPTH:
            raise bad(f"elements are nested more than {MAX_DEPTH} deep")
        place = text.place(parser.CurrentByteIndex)
        element = XmlElement(tag, attributes, [], *place, comments=comments.copy())
        comments.clear()
        (opened[-1].children if opened else root).append(element)
        opened.append(element)

    def end(_: str) -> None:
        opened.pop().comments.extend(comments)
        comments.clear()

    def comment(words: str) -> None:
        if opened and words.strip():
            comments.append(words.strip())

    def refuse(*_: object) -> None:
        raise bad("a document type is not read here: entities may expand without end")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CommentHandler = comment
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(text.data, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        place = text.place(parser.ErrorByteIndex)
        raise BadXml(f"this is not XML: {reason}", *place) from None
    return root[0]


_OPENS = re.compile(rb"<(?:!--|!\[CDATA\[|\?|[A-Za-z_])")
_CLOSES = {b"<!--": b"-->", b"<![CDATA[": b"]]>", b"<?": b"?>"}
_QUOTE = re.compile(rb"[>\"']")
_BARE = re.compile(rb"<|&(?!(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9A-Fa-f]+);)")


class _Escaped:
    """A document in which ``<`` and ``&`` in attributes are escaped, and places of the original."""

    def __init__(self, data: bytes) -> None:
        self._lines = [0, *(match.end() for match in re.finditer(rb"\n", data))]
        self._original = data
        self._ends: list[int] = []
        """After each escape: its end, in ``data``."""
        self._added: list[int] = [0]
        """How many bytes were added until then."""
        parts: list[bytes] = []
        copied = 0
        for match in _bare(data):
            parts += data[copied:match], b"&lt;" if data[match : match + 1] == b"<" else b"&amp;"
            copied = match + 1
            self._added.append(self._added[-1] + len(parts[-1]) - 1)
            self._ends.append(copied + self._added[-1])
        self.data = b"".join([*parts, data[copied:]])

    def place(self, index: int) -> tuple[int, int]:
        """Line and column in the original of a byte of ``data``; both begin at 1."""
        index -= self._added[bisect_right(self._ends, index)]
        line = bisect_right(self._lines, index)
        before = self._original[self._lines[line - 1] : index]
        return line, len(before.decode("utf-8", "replace")) + 1


def _bare(data: bytes) -> Iterator[int]:
    """Where ``<`` and ``&`` stand as they are in attributes."""
    at = 0
    while opening := _OPENS.search(data, at):
        close = _CLOSES.get(opening[0])
        if close is not None:
            at = data.find(close, opening.end())
        else:
            at = opening.end()
            while (quote := _QUOTE.search(data, at)) and quote[0] != b">":
                at = data.find(quote[0], quote.end()) + 1
                if not at:
                    return
                for match in _BARE.finditer(data, quote.end(), at):
                    yield match.start()
            at = -1 if quote is None else quote.end()
        if at < 0:
            return


def write_xml(root: XmlElement) -> str:
    """Return a document, an element a line."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    _write(root, "", lines)
    return "\n".join(lines) + "\n"


def _write(element: XmlElement, indent: str, lines: list[str]) -> None:
    given = "".join(f" {key}={quoteattr(value)}" for key, value in element.attributes.items())
    if not element.children:
        lines.append(f"{indent}<{element.tag}{given}/>")
        return
    lines.append(f"{indent}<{element.tag}{given}>")
    for child in element.children:
        _write(child, indent + "  ", lines)
    lines.append(f"{indent}</{element.tag}>")
