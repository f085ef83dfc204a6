"""Dishes by their position in the menu: "number three", "the last one on the list"."""

from __future__ import annotations

import re
from collections.abc import Collection

from treec.skills.kitchen.hearing.clauses import Clause

COUNTED = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    *("tenth", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"),
)
_COUNT = "|".join((*COUNTED[:10], *COUNTED[20:]))
_PLACE = "|".join(COUNTED[10:20])
_NUMBERED = re.compile(
    rf"\b(?:number|option|no|choice|dish|recipe) (?P<number>{_COUNT})\b|"
    r"\b(?P<end>top|bottom) of (?:the|your|that) (?:list|menu|card)\b|"
    rf"\b(?P<one>{_PLACE}|last) (?:dish|recipe|option|choice)\b|"
    rf"\b(?P<place>{_PLACE}|last)(?: (?:one|dish|recipe|option|choice|item|thing|entry))? "
    r"(?:on|of|from|in|off) (?:the|your|our|that|this) (?:list|menu|card|recipes|board)\b"
)


def place_on_menu(clause: Clause, size: int, plain: Collection[str]) -> int | None:
    """The position that a clause names; nearly all of its words must be words of choosing."""
    match = _NUMBERED.search(clause.words)
    if match is None or any(c.kind in ("not", "no", "O", "A") for c in clause.core):
        return None
    word = (
        match["number"]
        or match["place"]
        or match["one"]
        or {"top": "first"}.get(match["end"], "last")
    )
    place = size - 1 if word == "last" else COUNTED.index(word) % 10
    odd = [c for c in clause.core if c.kind in ("W", "V") and c.key not in plain]
    return place if len(odd) <= 1 and 0 <= place < size else None


def lone_count(clause: Clause, size: int) -> int | None:
    """The position, among the offered dishes, of a number alone: "two!"."""
    place = COUNTED.index(clause.words) if clause.words in COUNTED else size
    return place if place < size else None
