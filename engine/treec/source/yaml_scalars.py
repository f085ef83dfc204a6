"""Resolves plain scalars by YAML 1.2's core schema, in which ``yes`` and a date are text."""

from __future__ import annotations

import re

LONGEST_NUMBER = 300

_WORDS: dict[str, bool | float | None] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
for _sign, _factor in (("", 1.0), ("+", 1.0), ("-", -1.0)):
    for _word in (".inf", ".Inf", ".INF"):
        _WORDS[_sign + _word] = _factor * float("inf")
for _word in (".nan", ".NaN", ".NAN"):
    _WORDS[_word] = float("nan")

_NUMBER_STARTS = frozenset("+-.0123456789")
_INTEGER = re.compile(r"[-+]?[0-9]+")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")


class NumberTooLong(Exception):
    """A number with too many digits."""


def resolve(text: str) -> str | int | float | bool | None:
    """Return the value of a plain scalar. Raises NumberTooLong."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMBER_STARTS:
        return text
    if _INTEGER.fullmatch(text):
        _check_length(text)
        return int(text)
    if _BASED.fullmatch(text):
        _check_length(text)
        return int(text[2:], 8 if text[1] == "o" else 16)
    if _FLOAT.fullmatch(text):
        _check_length(text)
        return float(text)
    return text


def _check_length(text: str) -> None:
    if len(text) > LONGEST_NUMBER:  # Python itself refuses beyond 4,300 digits
        raise NumberTooLong
