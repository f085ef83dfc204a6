"""Words of an utterance with the place where each stands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from treec.frozen import frozen

_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[.!?;:,\n…—–-]")
_HARD = frozenset(".!?;\n…")


@frozen
class SpokenWord:
    """A word as it is matched; characters `start` to `end` of the utterance say it.

    `breaks` is what stands before it: 0 nothing, 1 a comma, colon or dash, 2 the end of a sentence.
    """

    text: str
    start: int
    end: int
    breaks: int = 0


def split_words(text: str, spellings: Mapping[str, str]) -> tuple[SpokenWord, ...]:
    """The words of a text in lower case, contractions and the like written out."""
    found: list[SpokenWord] = []
    breaks = 2
    for match in _TOKEN.finditer(text):
        token = match[0].lower().replace("’", "'")
        if not token[0].isalnum():
            breaks = max(breaks, 2 if token in _HARD else 1)
            continue
        for part in _written_out(token, spellings).split():
            found.append(SpokenWord(part, *match.span(), breaks))
            breaks = 0
    return tuple(found)


def _written_out(token: str, spellings: Mapping[str, str]) -> str:
    """A token as its spelling says, or as one for its ending does ("*'s": "* is")."""
    if token in spellings:
        return spellings[token]
    stem, quote, ending = token.rpartition("'")
    form = spellings.get(f"*'{ending}") if quote else None
    return form.replace("*", stem) if form else token


def stands(words: Sequence[SpokenWord], at: int, phrase: tuple[str, ...]) -> bool:
    """Whether a phrase begins at a word."""
    return tuple(word.text for word in words[at : at + len(phrase)]) == phrase


def plain_words(text: str, spellings: Mapping[str, str]) -> tuple[str, ...]:
    """The same without the places, for names and templates."""
    tokens = (token.lower().replace("’", "'") for token in _TOKEN.findall(text))
    parts = (_written_out(token, spellings) for token in tokens if token[0].isalnum())
    return tuple(word for part in parts for word in part.split())
