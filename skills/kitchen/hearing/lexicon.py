"""Wordings in tables: `[x]` is optional, `(x|y)` is a choice, `~` inflects the first word.

A chunk is found by its longest wording.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from treec.skills.kitchen.hearing import asides, phrasebook, predicates, proverbs
from treec.skills.kitchen.hearing.words import gerunds, name_words, pasts, thirds

Way = tuple[str, ...]


SAYINGS = (
    "YES",
    "OK",
    "GOOD",
    "NO",
    "PUTOFF",
    "WAIT",
    "NEVERMIND",
    "THANKS",
    "HELLO",
    "UM",
    "PLEASE",
    "DONE",
)
"""Kinds that may be a whole utterance."""
MIDST = ("FLOAT", "PLEASE", "HEDGE", "FIRST", "NEARLY", "ONLY", "ALLBUT", "FINE", "POOR", "DONE",
         "OTHERS", "TALE")  # fmt: skip
"""Kinds that stand among other words."""


@cache
def sayings() -> dict[Way, str]:
    """Each fixed saying, as words, and its kind."""
    return _ways(SAYINGS)


@cache
def adverbials() -> dict[Way, str]:
    """Each wording that stands among other words, and its kind."""
    return _ways(MIDST)


def _ways(kinds: tuple[str, ...]) -> dict[Way, str]:
    found: dict[Way, str] = {}
    for book in (phrasebook, asides, predicates, proverbs):
        for kind, entry in table_entries(book.TABLE):
            if kind in kinds:
                for way in expand(entry):
                    found.setdefault(way, kind)
    return found


def table_entries(table: str) -> Iterator[tuple[str, str]]:
    """Each kind and wording of a table; an indented line continues the one before."""
    for line in table.strip().replace("\n  ", " ").splitlines():
        kind, _, entries = line.partition(":")
        for entry in entries.split(";"):
            yield kind, entry


def expand(entry: str) -> Iterator[Way]:
    """All wordings that an entry stands for; `~` in front makes all forms of the first word."""
    text = entry.strip()
    for plain in _choices(text.removeprefix("~")):
        words = name_words(plain)
        if not words:
            continue
        yield words
        if text.startswith("~"):
            for form in inflections(words[0]):
                yield (form, *words[1:])


def inflections(verb: str) -> dict[str, str]:
    """The other forms of a verb: form → base, s, ing or past."""
    found = {thirds(verb): "s"}
    found.update(dict.fromkeys(pasts(verb), "past"))
    found.update(dict.fromkeys(gerunds(verb), "ing"))
    return found


def _choices(text: str) -> list[str]:
    """The text with its groups expanded in every way, the outermost first."""
    start = next((i for i, c in enumerate(text) if c in "(["), None)
    if start is None:
        return [text]
    depth, cuts = 0, [start]
    end = start
    for end in range(start, len(text)):
        depth += (text[end] in "([") - (text[end] in ")]")
        if depth == 0:
            break
        if depth == 1 and text[end] == "|":
            cuts.append(end)
    cuts.append(end)
    options = [text[a + 1 : b] for a, b in pairwise(cuts)] + ["" for _ in "[" if text[start] == "["]
    inner = [choice for option in options for choice in _choices(option)]
    rest = _choices(text[end + 1 :])
    return [f"{text[:start]}{choice}{other}" for choice in inner for other in rest]
