"""Names of routines in what was asked: "the Zed coffee" is a coffee that is called Zed."""

from __future__ import annotations

import re

_SPEAKER = re.compile(r"<\w+>")


def without_speakers(text: str) -> str:
    """A dialogue without its marks of who speaks, which say nothing of what is meant."""
    return _SPEAKER.sub(" ", text)


def routine_names(key: str) -> list[tuple[str, str]]:
    """The names in a remembered request, each with what it is: ("Mary", "breakfast")."""
    return re.findall(r"\b[Tt]he ([A-Z]\w+) ([a-z]\w+)", key)


def names_routine(text: str, key: str) -> bool:
    """Whether a text says a name of a remembered request, with an article or without."""
    return any(
        re.search(rf"\b{re.escape(name)}(?:'s)? {re.escape(noun)}\b", text, re.IGNORECASE)
        for name, noun in routine_names(key)
    )
