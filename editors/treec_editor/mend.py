"""Texts that cannot be read while somebody types: what is open is closed, or lines are left out.

Every line keeps its number, and what stands on it before what was open its column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from treec.source.text import SourceFile
from treec.source.yaml import read_documents
from treec.source.yaml_rules import SYNTAX

MOST_LINES = 4
"""So many lines are left out at most."""
_BLOCK = re.compile(r"(?:^|[:\s-]\s)[|>][+-]?\d?[+-]?\s*(?:#.*)?$")
_STARTS = re.compile(
    r"\s*(?:- |-$|[^\s#'\"{}\[\],:]+(?: [^\s#'\"{}\[\],:]+)*:(?:\s|$)|['\"][^'\"]*['\"]:\s|---)"
)
_PAIRS = {"{": "}", "[": "]"}


def mended(file: SourceFile) -> SourceFile | None:
    """Return a file as it can be read: itself, or changed where its syntax is broken.

    None if that cannot be had with few changes.
    """
    wrong = _broken_line(file)
    if wrong is None:
        return file
    closed = SourceFile(file.path, "\n".join(_closed(file.text.split("\n"))))
    for text in dict.fromkeys((closed.text, file.text)):
        tried = SourceFile(file.path, text)
        for _ in range(MOST_LINES):
            wrong = _broken_line(tried)
            if wrong is None:
                return tried
            lines = tried.text.split("\n")
            at = min(wrong, len(lines)) - 1
            while at > 0 and not lines[at].strip():
                at -= 1
            lines[at] = ""
            tried = SourceFile(file.path, "\n".join(lines))
    return None


def _broken_line(file: SourceFile) -> int | None:
    """Return the number of the line at which the first error of syntax is."""
    _, problems = read_documents(file)
    lines = [problem.span.line for problem in problems if problem.code == SYNTAX.code]
    return min(lines, default=None)


def _closed(lines: list[str]) -> Iterator[str]:
    """Yield lines with what they leave open closed at their ends, if the next begins anew."""
    block: int | None = None
    for number, written in enumerate(lines):
        margin = len(written) - len(written.lstrip())
        line = " " * margin + written[margin:] if "\t" in written[:margin] else written
        indent = len(line) - len(line.lstrip())
        if block is not None and (indent > block or not line.strip()):
            yield line
            continue
        block = indent if _BLOCK.search(line) else None
        following = next((it for it in lines[number + 1 :] if it.strip()), "---")
        left = len(following) - len(following.lstrip())
        closers, end, missing = _left_open(line)
        for at, text in reversed(missing):
            line = line[:at] + text + line[at:]
            end += len(text)
        if closers and left <= indent and _STARTS.match(following):
            yield line[:end] + closers + line[end:]
        elif closers and left <= indent + 2 and line.lstrip().startswith("- "):
            yield (line[:end] + closers + line[end:]) if _STARTS.match(following) else line
        else:
            yield line


def unclosed(line: str) -> str:
    """Return what closes the quotes and brackets that a line leaves open, the innermost last."""
    return _left_open(line)[0][::-1]


def _left_open(line: str) -> tuple[str, int, list[tuple[int, str]]]:
    """Return what closes the quotes and brackets that a line opens, where the line ends, and what
    is missing before brackets inside of it: offsets, and what closes there.
    """
    stack: list[str] = []
    missing: list[tuple[int, str]] = []
    quote = ""
    end = len(line.rstrip())
    before = " "
    for at, letter in enumerate(line):
        if quote:
            if letter == quote and not (quote == '"' and before == "\\"):
                quote = ""
        elif letter == "#" and before.isspace():
            end = len(line[:at].rstrip())
            break
        elif letter in "'\"" and before in " {[,:":
            quote = letter
        elif letter in _PAIRS and (stack or before in " -"):
            stack.append(_PAIRS[letter])
        elif letter in stack:
            above = len(stack) - 1 - stack[::-1].index(letter)
            if above + 1 < len(stack):
                missing.append((at, "".join(reversed(stack[above + 1 :]))))
            del stack[above:]
        before = letter
    return quote + "".join(reversed(stack)), end, missing
