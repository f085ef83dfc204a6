"""Positions in a program's text, and errors with positions."""

from __future__ import annotations

from bisect import bisect_right

from treec.frozen import frozen
from treec.source.errors import LocatedError


@frozen
class TextPlace:
    """A range of `length` characters; line and column are 1-based, in code points."""

    offset: int
    line: int
    column: int
    length: int


class StepsError(LocatedError):
    """An error in a program or its evaluation, with its position."""

    def __init__(self, message: str, at: TextPlace, help: str | None = None) -> None:
        super().__init__(message, at.offset, at.length, help)
        self.at = at
        self.line = at.line
        self.column = at.column


class LinePlaces:
    """Converts offsets and Python's byte columns to places in a text."""

    __slots__ = ("_starts", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0]
        for offset, character in enumerate(text):
            if character == "\n":
                self._starts.append(offset + 1)

    def place(self, offset: int, length: int = 1) -> TextPlace:
        """Return the place of `length` characters from `offset` on."""
        line = bisect_right(self._starts, offset)
        return TextPlace(offset, line, offset - self._starts[line - 1] + 1, max(1, length))

    def offset(self, line: int, byte: int) -> int:
        """Return the offset of a byte of a line's UTF-8, as Python's syntax tree counts."""
        start = self._starts[min(line, len(self._starts)) - 1]
        end = self._text.find("\n", start)
        text = self._text[start : len(self._text) if end < 0 else end]
        return start + (
            byte if text.isascii() else len(text.encode()[:byte].decode(errors="ignore"))
        )

    def error(
        self, message: str, offset: int, length: int = 1, help: str | None = None
    ) -> StepsError:
        """Make an error about this part of the text."""
        return StepsError(message, self.place(offset, length), help)
