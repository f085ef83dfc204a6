"""The outline of a file: its definitions, and what each declares."""

from __future__ import annotations

from dataclasses import dataclass

from treec.files.library import Library
from treec.source.text import Span
from treec_editor.declarations import declarations


@dataclass(frozen=True)
class Heading:
    """A definition or a name in it, its whole text and the span of its name."""

    name: str
    what: str
    span: Span
    name_span: Span
    below: tuple[Heading, ...] = ()


def outline(library: Library, path: str) -> list[Heading]:
    """Return the definitions of a file with the names that they declare."""
    found = []
    for entry in library.entries:
        if entry.path == path:
            own, *names = declarations(entry)
            below = tuple(Heading(one.name, one.what, one.span, one.span) for one in names)
            found.append(Heading(own.name, own.what, entry.node.span, own.span, below))
    return found
