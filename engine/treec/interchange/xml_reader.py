"""XML elements with their places, read by expat; document types and entities are refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

MAX_DEPTH = 200
"""How deep elements may be nested."""


@dataclass(slots=True)
class XmlElement:
    """An element; text between elements is left out. Lines and columns begin at 1.

    ``path`` is that of its file, where several are read.
    """

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[XmlElement] = field(default_factory=list)
    line: int = 1
    column: int = 1
    path: str = ""

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
    parser = expat.ParserCreate()
    root: list[XmlElement] = []
    opened: list[XmlElement] = []

    def bad(message: str) -> BadXml:
        return BadXml(message, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(opened) == MAX_DEPTH:
            raise bad(f"elements are nested more than {MAX_DEPTH} deep")
        place = parser.CurrentLineNumber, parser.CurrentColumnNumber + 1
        element = XmlElement(tag, attributes, [], *place)
        (opened[-1].children if opened else root).append(element)
        opened.append(element)

    def end(_: str) -> None:
        opened.pop()

    def refuse(*_: object) -> None:
        raise bad("a document type is not read here: entities may expand without end")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise BadXml(f"this is not XML: {reason}", error.lineno, error.offset + 1) from None
    return root[0]


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
