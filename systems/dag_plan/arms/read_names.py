"""A sub-task's name as its command and its objects: ``put "apple" into "drawer_floor"``."""

from __future__ import annotations

import re
from typing import NamedTuple

_PAIRS = tuple(zip(*[iter('""“”„“„”””«»»«「」``‘’‚‘‚’’’')] * 2, strict=True))
_WORDS = re.compile(r"[\s_]+")
_SIDE = re.compile(r"\(\s*(?P<side>[^()]*?)\s*\)\s*$")


def _pattern() -> re.Pattern[str]:
    parts = [f"{re.escape(a)}(?:[^{re.escape(a + b)}]*){re.escape(b)}" for a, b in _PAIRS]
    # an apostrophe inside a word ("chef's") opens nothing and closes nothing
    parts.append(r"(?<!\w)'(?:[^']|(?<=\w)'(?=\w))*'(?!\w)")
    return re.compile("|".join(parts))


QUOTED = _pattern()
"""An object in quotes."""


class ParsedName(NamedTuple):
    """The words of a name without its objects, in lower case, and the objects in order."""

    command: str
    objects: tuple[str, ...]
    places: tuple[tuple[int, int], ...]
    """Where each object stands in the name: offset and length, without the quotes."""


def read_name(name: str) -> ParsedName:
    """Take a name apart. Objects stand in quotes of any kind; the rest is the command."""
    found = list(QUOTED.finditer(name))
    rest = QUOTED.sub(" ", name)
    places = []
    for match in found:
        inner = match[0][1:-1]
        start = match.start() + 1 + len(inner) - len(inner.lstrip())
        places.append((start, len(inner.strip())))
    command = " ".join(rest.split()).strip(" .:;,-–").casefold()
    return ParsedName(command, tuple(name[at : at + n] for at, n in places), tuple(places))


def same_command(one: str, other: str) -> bool:
    """Whether two commands are written alike, whatever joins their words: switch_on, switch on."""
    return fold(one) == fold(other)


def fold(command: str) -> str:
    """A command in the one form in which commands are compared."""
    return _WORDS.sub(" ", command).strip().casefold()
