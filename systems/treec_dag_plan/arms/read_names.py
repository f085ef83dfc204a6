"""Parse a sub-task's name into its command and objects: ``put "apple" into "drawer_floor"``."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_PAIRS = tuple(zip(*[iter('""“”„“„”””«»»«「」``‘’‚‘‚’’’')] * 2, strict=True))
_WORDS = re.compile(r"[\s_]+")


def _pattern() -> re.Pattern[str]:
    parts = [f"{re.escape(a)}(?:[^{re.escape(a + b)}]*){re.escape(b)}" for a, b in _PAIRS]
    # an apostrophe inside a word ("chef's") is not a quote
    parts.append(r"(?<!\w)'(?:[^']|(?<=\w)'(?=\w))*'(?!\w)")
    return re.compile("|".join(parts))


QUOTED = _pattern()
"""An object in quotes."""


class ParsedName(NamedTuple):
    """The words of a name without its objects, in lower case, and the objects in order."""

    command: str
    objects: tuple[str, ...]
    places: tuple[tuple[int, int], ...]
    """Offset and length of each object in the name, without the quotes."""


def read_name(name: str) -> ParsedName:
    """Parse a name. Objects are in quotes of any kind; the rest is the command."""
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
    """Whether two commands differ only in case and word separators: switch_on, switch on."""
    return fold(one) == fold(other)


@lru_cache(maxsize=4096)
def fold(command: str) -> str:
    """Normalise a command for comparison."""
    return _WORDS.sub(" ", command).strip().casefold()
