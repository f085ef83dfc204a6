"""Parses text to Python's syntax tree, within limits, and gives the places of its nodes."""

from __future__ import annotations

import ast

from treec.program.grammar import Grammar
from treec.program.places import LinePlaces, StepsError, TextPlace
from treec.program.scan import check_size, scan

WORDS: dict[str, bool | None] = {"true": True, "false": False, "none": None}
"""Literals as written in the files; those of Python are allowed as well."""

_Node = ast.expr | ast.stmt | ast.keyword


def read_tree(text: str, grammar: Grammar) -> tuple[ast.Module, LinePlaces]:
    """Scan and parse a text. Raises `StepsError` at the first error."""
    check_size(text, grammar)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = LinePlaces(text)
    scan(text, lines, grammar)
    try:
        # Python opens the named file to make a message; '' names none.
        return ast.parse(text, filename=""), lines
    except SyntaxError as error:
        raise _syntax_error(error, text, lines) from None
    except (RecursionError, MemoryError, ValueError):  # the scan should have rejected it
        raise lines.error(f"{grammar.subject} like this cannot be read", 0) from None


def _syntax_error(error: SyntaxError, text: str, lines: LinePlaces) -> StepsError:
    line = text.split("\n")[(error.lineno or 1) - 1 : error.lineno or 1]
    column = min(max(1, error.offset or 1), len(line[0]) + 1 if line else 1)
    offset = lines.offset(error.lineno or 1, 0) + column - 1
    length = 1
    if error.end_offset is not None and error.end_lineno == error.lineno:
        length = max(1, error.end_offset - column)
    message = error.msg.split(".")[0]
    if message == "invalid syntax":
        message = "this cannot stand here"
    return lines.error(message[:1].lower() + message[1:], offset, length)


class SourceReader:
    """Base class of both readers: places and errors."""

    def __init__(self, lines: LinePlaces) -> None:
        self._lines = lines

    def place(self, node: _Node) -> TextPlace:
        """A node's place; for a node on several lines, its start."""
        start = self._lines.offset(node.lineno, node.col_offset)
        end = start + 1
        if node.end_lineno == node.lineno and node.end_col_offset is not None:
            end = self._lines.offset(node.lineno, node.end_col_offset)
        return self._lines.place(start, end - start)

    def error(self, node: _Node, message: str, help: str | None = None) -> StepsError:
        """Make an error about a node."""
        return StepsError(message, self.place(node), help)
