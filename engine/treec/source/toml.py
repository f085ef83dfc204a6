"""Parses TOML with source positions.

``tomllib`` parses the data but drops positions. Valid text is scanned a second time for the
positions of keys and values; the nodes are those of YAML files.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

from treec.source.diagnostics import Diagnostic
from treec.source.text import SourceFile
from treec.source.yaml_nodes import Mapping, Scalar, Sequence, YamlNode
from treec.source.yaml_rules import SYNTAX

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(r"[ \t]*(?:\"((?:[^\"\\\n]|\\.)*)\"|'([^'\n]*)'|([A-Za-z0-9_-]+))[ \t]*")
_TEXT = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'', re.DOTALL
)
_OTHER = re.compile(r"[^,\]}#\n]+")

_Tree = dict[str, tuple[Scalar, "YamlNode | _Tree"]]


def read_toml(file: SourceFile) -> tuple[dict[str, Any], Mapping, list[Diagnostic]]:
    """Return a file's data, the nodes with its positions, and its syntax errors."""
    nowhere = Mapping(file, 0, 0, (), False)
    try:
        data = tomllib.loads(file.text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        found = _PLACE.search(message)
        offset = len(file.text.rstrip())
        if found is not None and found[1] is not None:
            offset = file.offset(int(found[1]), int(found[2]))
        text = message[: found.start()] if found is not None else message
        text = f"this is not TOML: {text[:1].lower()}{text[1:]}"
        return {}, nowhere, [SYNTAX.at(file.span(offset), text)]
    return data, _Places(file).root(), []


class _Places:
    """Scans valid TOML for the positions of keys and values."""

    def __init__(self, file: SourceFile) -> None:
        self._file = file
        self._text = file.text
        self._at = 0

    def root(self) -> Mapping:
        """Return the nodes of the whole text."""
        top: _Tree = {}
        table = top
        while self._skip():
            if self._text[self._at] == "[":
                while self._text[self._at] == "[":
                    self._at += 1
                keys = list(self._keys())
                table = _inner(top, keys)
                self._at = self._text.find("\n", self._at)
                if self._at < 0:
                    break
            else:
                self._pair(table)
        return self._mapping(top, 0, 0)

    def _skip(self) -> bool:
        """Skip blanks and comments; return whether anything is left."""
        blank = _BLANK.match(self._text, self._at)
        self._at = blank.end() if blank else self._at
        return self._at < len(self._text)

    def _keys(self) -> Iterator[Scalar]:
        """Scan the parts of a dotted key, and the sign after it."""
        while (match := _KEY.match(self._text, self._at)) is not None:
            text = next(part for part in match.groups() if part is not None)
            start = match.start(match.lastindex or 0)
            self._at = match.end()
            yield Scalar(self._file, start, start + len(text), text, text, "plain")
            if self._text[self._at : self._at + 1] != ".":
                return
            self._at += 1

    def _pair(self, table: _Tree) -> None:
        *outer, key = self._keys()
        self._at += 1  # the sign between them
        self._skip()
        _inner(table, outer)[key.text] = (key, self._value())

    def _value(self) -> YamlNode:
        start = self._at
        if self._text[start] == "[":
            self._at += 1
            items = []
            while self._skip() and self._text[self._at] != "]":
                items.append(self._value())
                self._comma()
            self._at += 1
            return Sequence(self._file, start, self._at, tuple(items), True)
        if self._text[start] == "{":
            self._at += 1
            table: _Tree = {}
            while self._skip() and self._text[self._at] != "}":
                self._pair(table)
                self._comma()
            self._at += 1
            return self._mapping(table, start, self._at)
        found = _TEXT.match(self._text, start) or _OTHER.match(self._text, start)
        assert found is not None
        self._at = found.end()
        end = start + len(found[0].rstrip())
        text = self._text[start:end]
        return Scalar(self._file, start, end, text, text, "plain")

    def _comma(self) -> None:
        if self._skip() and self._text[self._at] == ",":
            self._at += 1

    def _mapping(self, table: _Tree, start: int, end: int) -> Mapping:
        entries = tuple(
            (key, self._mapping(value, key.start, key.end) if isinstance(value, dict) else value)
            for key, value in table.values()
        )
        return Mapping(self._file, start, end, entries, False)


def _inner(table: _Tree, keys: list[Scalar]) -> _Tree:
    """Return the table at a path of keys; create it if there is none."""
    for key in keys:
        _, inner = table.setdefault(key.text, (key, {}))
        table = inner if isinstance(inner, dict) else {}
    return table
