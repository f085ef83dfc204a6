"""Syntax errors of YAML: where libyaml stopped, and what is reported instead."""

from __future__ import annotations

import re

from treec.frozen import frozen
from treec.source.text import SourceFile, shorten

UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]"
)
"""Characters that YAML does not allow, and line breaks of YAML 1.1 that editors do not show."""


@frozen
class YamlStop:
    """Where and why libyaml stopped, the last scalar before, and the innermost open bracket."""

    file: SourceFile
    problem: str
    context: str
    at: int
    context_at: int | None
    scalar_start: int
    scalar_end: int
    scalar_style: str
    open_at: int | None

    @property
    def text(self) -> str:
        """The whole text of the file."""
        return self.file.text

    def line_start(self, offset: int) -> int:
        """Return the offset at which the line of an offset starts."""
        return self.text.rfind("\n", 0, offset) + 1

    def line_end(self, offset: int) -> int:
        """Return the offset at which the line of an offset ends, without blanks and a comment."""
        end = self.text.find("\n", offset)
        line = self.text[offset : len(self.text) if end < 0 else end]
        comment = re.search(r"(?:^|\s)#", line)
        return offset + len((line[: comment.start()] if comment else line).rstrip())


@frozen
class SyntaxProblem:
    """A mistake: ``length`` characters from ``offset``."""

    offset: int
    length: int
    message: str
    help: str | None


def describe_character(text: str, offset: int) -> SyntaxProblem:
    """Describe a character that is not allowed in a file."""
    code = ord(text[offset])
    escape = f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    return SyntaxProblem(
        offset,
        1,
        f"the character U+{code:04X} is not allowed in a YAML file",
        f'remove it; if it is meant, write it as "{escape}" in double quotes',
    )


def quote(text: str) -> str:
    """Return a value in quotes that need no escaping if possible, shortened if it is long."""
    text = shorten(text)
    if "'" in text and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return "'" + text.replace("'", "''") + "'"
