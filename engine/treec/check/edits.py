"""Changes of texts at spans; everything else of a file stays as it is, to the byte."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from treec.source.text import BOM, SourceFile, Span

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$")


@dataclass(frozen=True, slots=True)
class Edit:
    """A stretch of a file and the text that takes its place."""

    span: Span
    text: str


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return a file's text with edits that do not overlap; later ones that would are left out.

    Spans count lines and columns as a SourceFile does. A byte order mark and the line breaks of the
    text are kept.
    """
    lines = _lines(text)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    marked = len(BOM) if text.startswith(BOM) else 0

    def offset(line: int, column: int) -> int:
        if line > len(lines):
            return len(text)
        return starts[line - 1] + column - 1 + (marked if line == 1 else 0)

    made: list[tuple[int, int, str]] = []
    for edit in edits:
        span = edit.span
        start, end = offset(span.line, span.column), offset(span.end_line, span.end_column)
        if all(end <= first or start >= last for first, last, _ in made):
            made.append((start, end, edit.text))
    for start, end, new in sorted(made, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _lines(text: str) -> list[str]:
    """Return the lines with their breaks: \\n, \\r\\n or \\r."""
    return _LINE.findall(text)


def text_of(file: SourceFile, span: Span) -> str:
    """Return the text of a span."""
    start = file.offset(span.line, span.column)
    return file.text[start : file.offset(span.end_line, span.end_column)]
