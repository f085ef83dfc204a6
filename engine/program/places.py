"""Where something stands in a program's text, and what is wrong there."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from treec.source.errors import LocatedError


@dataclass(frozen=True, slots=True)
class TextPlace:
    """`length` characters from `offset` on; line and column count from 1, in code points."""

    offset: int
    line: int
    column: int
    length: int


class StepsError(LocatedError):
    """A program that cannot be read, or a step that cannot be evaluated, and where."""

    def __init__(self, message: str, at: TextPlace, help: str | None = None) -> None:
        super().__init__(message, at.offset, at.length, help)
        self.at = at
        self.line = at.line
        self.column = at.column


class LinePlaces:
    """The lines of a text: offsets and Python's byte columns as places."""

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
        """Return the error that says `message` of this part of the text."""
        return StepsError(message, self.place(offset, length), help)
