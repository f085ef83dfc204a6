"""Transposed letters in words of commands and answers: "sotp", "plesae", "contineu"."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache

from treec.skills.kitchen.hearing.common import COMMON
from treec.skills.kitchen.hearing.words import plainly, word_set

_COMMANDS = word_set(
    "stop wait pause halt freeze continue resume please fetch bring chop slice stir pour wash "
    "prepare start hold okay thanks sure fine great good perfect done finished forget skip cancel "
    "yeah right sounds agreed instead robot robots later"
)


@cache
def _slips() -> dict[str, str]:
    own = {slip: word for word in sorted(_COMMANDS) for slip in _transpositions(word)}
    return {slip: word for slip, word in own.items() if slip not in COMMON | _COMMANDS}


def _transpositions(word: str) -> Iterator[str]:
    """The word with two adjacent letters transposed, or its last letter doubled."""
    yield word + word[-1]
    for place in range(1, len(word) - 1):
        yield word[:place] + word[place + 1] + word[place] + word[place + 2 :]


def correct_slip(word: str) -> str:
    """The word meant, if two letters of a common one are transposed."""
    return _slips().get(word, word)


def nearest_word(word: str, vocabulary: Collection[str]) -> str:
    """The only known word that differs by a transposition or by an extra or missing double letter.

    Only for longer words: short ones are too similar to others.
    """
    if len(word) < 6 or not word.isalpha() or word in vocabulary or word in COMMON:
        return word
    near = {plainly(way) for way in _untransposed(word) if way in vocabulary or way in COMMON
            or plainly(way) in vocabulary}  # fmt: skip
    return near.pop() if len(near) == 1 else word


def _untransposed(word: str) -> Iterator[str]:
    for place in range(1, len(word) - 1):
        one, two = word[place], word[place + 1]
        if one == two:
            yield word[:place] + word[place + 1 :]
        else:
            yield word[:place] + two + one + word[place + 2 :]
