"""Checks the lines of a program: their indentation, nesting and number.

Python's parser has no limit on nesting, and its messages about indentation differ between versions.
It gets only text with few lines and levels and with correct indentation.
"""

from __future__ import annotations

from treec.program.places import LinePlaces

MAX_LINES = 200
MAX_BLOCKS = 5
_HEADS = frozenset({"for", "if", "elif", "else"})


class Blocks:
    """Follows a program's lines; a line continued in brackets is one line."""

    def __init__(self, lines: LinePlaces, subject: str) -> None:
        self._lines = lines
        self._subject = subject
        self._widths = [0]
        self._count = 0
        self._tokens: list[str] = []  # the first of this line
        self._last = ""
        self._colon: int | None = None
        self._assigned = False

    def begin(self, text: str, at: int) -> None:
        """Process the start of a line."""
        opened = self._colon if self._last == ":" else None
        self._count += 1
        if self._count > MAX_LINES:
            message = f"{self._subject} may have {MAX_LINES:,} lines"
            raise self._lines.error(message, at)
        start = text.rfind("\n", 0, at) + 1
        width = at - start
        if "\t" in text[start:at]:
            raise self._lines.error("this line is indented with a tab", start, width, "use spaces")
        if width > self._widths[-1]:
            if opened is None:
                help = "lines are indented below one that ends in ':'"
                raise self._lines.error("this line is indented", start, width, help)
            self._widths.append(width)
            if len(self._widths) - 1 > MAX_BLOCKS:
                raise self._lines.error(f"more than {MAX_BLOCKS} blocks in each other", at)
        elif opened is not None:
            raise self._lines.error("what belongs to this ':' is missing below it", opened)
        while self._widths[-1] > width:
            self._widths.pop()
        if self._widths[-1] != width:
            help = "indent it like the lines that it belongs to"
            raise self._lines.error("this line is indented like none above it", start, width, help)
        self._tokens, self._colon, self._assigned = [], None, False

    def token(self, text: str) -> None:
        """Process a token of the line."""
        self._last = text
        if len(self._tokens) < 2:
            self._tokens.append(text)

    def colon(self, at: int, *, inside: bool) -> None:
        """Process a ':'."""
        if inside or self._colon is not None or not self._tokens or self._tokens[0] not in _HEADS:
            help = "it only ends the line of a 'for', 'if', 'elif' or 'else'"
            raise self._lines.error("':' cannot stand here", at, 1, help)
        self._colon = at

    def assign(self, at: int, *, alone: bool) -> None:
        """Process a '=' outside of brackets."""
        if not alone or self._assigned or len(self._tokens) != 1:
            help = "write 'name = value'"
            if self._tokens and self._tokens[0] in ("if", "elif"):
                help = "to compare, write '=='"
            raise self._lines.error("this '=' cannot stand here", at, 1, help)
        self._assigned = True

    def end(self, at: int) -> None:
        """Process the end of the text."""
        if self._last == ":" and self._colon is not None:
            raise self._lines.error("what belongs to this ':' is missing below it", self._colon)
