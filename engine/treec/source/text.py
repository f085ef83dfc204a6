"""A file's text, and positions in it.

Lines and columns count from 1, and a column is a Unicode code point, so that an emoji is one column
wide.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping

from treec.frozen import frozen

BOM = "\ufeff"


def shorten(text: str, width: int = 60) -> str:
    """Return a text on one line of at most so many characters."""
    text = " ".join(text.split())
    return text if len(text) <= width else f"{text[: width - 1]}…"


def html_table(rows: Mapping[str, object]) -> str:
    """A table of two columns for notebooks; rows of nothing are left out."""
    from html import escape

    cells = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(shorten(str(value), 400))}</td></tr>"
        for name, value in rows.items()
        if value or value == 0
    )
    return f"<table>{cells}</table>"


@frozen
class Span:
    """A stretch of a file: 1-based lines and columns in code points; the end is exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


class SourceFile:
    """The text of one file, with line breaks normalized to ``\\n`` and without a byte order mark.

    ``path`` is a posix path as it is shown to the user. Offsets count code points of ``text``.
    """

    __slots__ = ("_starts", "path", "text")

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.text = text.removeprefix(BOM)
        self._starts: list[int] | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SourceFile):
            return NotImplemented
        return self.text == other.text and self.path == other.path

    def __hash__(self) -> int:
        return hash((self.path, self.text))

    def __repr__(self) -> str:
        return f"SourceFile({self.path!r}, {len(self.text)} characters)"

    def line(self, number: int) -> str:
        """Return a line without its line break, or an empty text past the end."""
        starts = self._line_starts()
        if not 1 <= number <= len(starts):
            return ""
        end = starts[number] - 1 if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end]

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and column of an offset; beyond the text, those of its end."""
        offset = min(max(offset, 0), len(self.text))
        starts = self._line_starts()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line and column; beyond a line or the text, that of its end."""
        starts = self._line_starts()
        if line < 1:
            return 0
        if line > len(starts):
            return len(self.text)
        return starts[line - 1] + min(max(column - 1, 0), len(self.line(line)))

    def span(self, offset: int, length: int = 1) -> Span:
        """Return the span of ``length`` code points from ``offset``."""
        line, column = self.position(offset)
        return Span(self.path, line, column, *self.position(offset + max(length, 0)))

    def _line_starts(self) -> list[int]:
        if self._starts is None:  # only files with diagnostics need them
            starts = [0]
            for line in self.text.split("\n"):
                starts.append(starts[-1] + len(line) + 1)
            starts.pop()
            self._starts = starts
        return self._starts
