"""Writes plain data as YAML that people can review and that reads back unchanged.

A text of several lines is written as a block if a block preserves it; any other text that could
be misread or holds invisible characters is double-quoted with escapes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping

WIDTH = 96
"""Maximum width of mappings and lists on one line."""
LISTED = 240
"""Maximum width of a list of plain words, which one word per line would make too long."""
LONGEST_KEY = 1000
"""Maximum length of a key: YAML limits it to 1,024 characters."""

_PLAIN = re.compile(r"[A-Za-z][\w./@-]*(?: [\w./@-]+)*", re.ASCII)
_RESERVED = frozenset(["true", "false", "null", "yes", "no", "on", "off", "y", "n"])
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


class Unwritable(ValueError):
    """A value that YAML cannot hold: a surrogate, NaN or infinity, an object."""


def to_yaml(data: Mapping[str, object]) -> str:
    """A mapping as a YAML document. Raises Unwritable."""
    return "\n".join(_block(data, 0)) + "\n"


def _block(value: object, indent: int) -> Iterator[str]:
    """The lines of a mapping or list below its key."""
    pad = " " * indent
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _entry(f"{pad}{_key(key)}:", item, indent)
    else:
        assert isinstance(value, list | tuple)
        for item in value:
            yield from _entry(f"{pad}-", item, indent)


def _entry(head: str, item: object, indent: int) -> Iterator[str]:
    if isinstance(item, str) and _fits_block(item):
        yield f"{head} |{'' if item.endswith(chr(10)) else '-'}"
        inner = " " * (indent + 2)
        for line in item.removesuffix("\n").split("\n"):
            yield inner + line if line else ""
        return
    short = _flow(item)
    wide = LISTED if isinstance(item, list | tuple) and not any(map(_is_long, item)) else WIDTH
    if short is not None and (len(head) + len(short) < wide or not _is_long(item)):
        yield f"{head} {short}"
        return
    if head.endswith("-") and isinstance(item, Mapping):  # the first key stands beside the dash
        lines = list(_block(item, indent + 2))
        yield f"{head} {lines[0].lstrip(' ')}"
        yield from lines[1:]
        return
    yield head
    yield from _block(item, indent + 2)


def _is_long(item: object) -> bool:
    return isinstance(item, Mapping | list | tuple) and bool(item)


def _flow(value: object) -> str | None:
    """A value on one line; None if it contains a text of several lines."""
    if isinstance(value, Mapping):
        pairs = [(_key(key), _flow(item)) for key, item in value.items()]
        if any(text is None for _, text in pairs):
            return None
        return "{" + ", ".join(f"{key}: {text}" for key, text in pairs) + "}"
    if isinstance(value, list | tuple):
        items = [_flow(item) for item in value]
        return None if None in items else "[" + ", ".join(map(str, items)) + "]"
    if isinstance(value, str) and _fits_block(value):
        return None
    return _scalar(value)


def _key(key: object) -> str:
    text = _scalar(key)
    if len(text) > LONGEST_KEY:
        raise Unwritable(f"a key of {len(text):,} characters is longer than YAML allows")
    return text


def _scalar(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float) and math.isfinite(value):
        return repr(float(value))
    raise Unwritable(f"{value!r} cannot stand in a recording")


def _text(value: str) -> str:
    if _PLAIN.fullmatch(value) and value.lower() not in _RESERVED and len(value) < WIDTH:
        return value
    if value.isprintable() and value.count('"') > value.count("'"):
        return "'" + value.replace("'", "''") + "'"
    return '"' + "".join(map(_escape, value)) + '"'


def _escape(character: str) -> str:
    known = _ESCAPES.get(character)
    if known is not None:
        return known
    if character.isprintable():
        return character
    number = ord(character)
    if 0xD800 <= number <= 0xDFFF:
        raise Unwritable("a text holds half of a character (a surrogate), which no file can hold")
    if number < 0x100:
        return f"\\x{number:02X}"
    return f"\\u{number:04X}" if number < 0x10000 else f"\\U{number:08X}"


def _fits_block(text: str) -> bool:
    """Whether a block preserves the text and shows all of it."""
    lines = text.removesuffix("\n").split("\n")
    if len(lines) < 2 or not lines[0] or lines[0][0] == " " or not lines[-1]:
        return False
    return all(
        not line or (line.isprintable() and line[-1] != " " and not line.isspace())
        for line in lines
    )
