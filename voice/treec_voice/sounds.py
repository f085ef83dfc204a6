"""How words sound, and how alike two of them do: phonemes of CMU's dictionary.

Words that are not in it are read letter by letter, which is rough and enough to compare names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import chain, islice, product
from pathlib import Path

_VOWELS = frozenset(("AA", "AE", "AH", "AO", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "OW", "UW"))
_CLASSES = (
    *("P B", "T D", "K G", "F V TH DH", "S Z SH ZH", "CH JH SH ZH", "M N NG", "L R W", "ER R"),
    *("AA AO AH AW", "AE EH", "EH EY IH", "IH IY", "UH UW", "AH UH ER", "AE AA"),
)
"""Sounds that are mistaken for each other."""
_ALIKE = frozenset(
    frozenset((a, b)) for line in _CLASSES for a in line.split() for b in line.split() if a != b
)
NEAR, VOWEL, FAR, SKIP = 0.3, 0.6, 1.0, 0.7
"""Cost of a sound for an alike one, a vowel for another, anything else, and one too many."""

WAYS = 12
"""Ways to say a text at most that are compared with a name."""

_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_READ = "AE B K D EH F G HH IH JH K L M N AA P K R S T AH V W K Y Z"
_LETTERS = dict(zip(_ALPHABET, _READ.split(" "), strict=True))
_NAMED = (
    "EY,B IY,S IY,D IY,IY,EH F,JH IY,EY CH,AY,JH EY,K EY,EH L,EH M,EH N,OW,P IY,K Y UW,AA R,EH S,"
    "T IY,Y UW,V IY,D AH B AH L Y UW,EH K S,W AY,Z IY"
)
_SPELT = dict(zip(_ALPHABET, _NAMED.split(","), strict=True))
_DIGITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_PART = re.compile(r"[a-z']+|\d")


def sounds_of(text: str) -> tuple[str, ...]:
    """The phonemes of a text; "R2" is read as a letter and a number."""
    return tuple(phone for part in _PART.findall(text.lower()) for phone in _ways(part)[0])


def all_sounds_of(text: str) -> list[tuple[str, ...]]:
    """The same in every way that its words are said, `WAYS` at most: "our" is "are" to many."""
    ways = map(_ways, _PART.findall(text.lower()))
    return [tuple(chain.from_iterable(one)) for one in islice(product(*ways), WAYS)]


def _ways(part: str) -> Sequence[Sequence[str]]:
    """The phonemes of a word, a letter or a digit, in each way that it is said."""
    word = _DIGITS[int(part)] if part.isdigit() else part
    if len(word) == 1 and word.isalpha():
        return [_SPELT[word].split()]
    spelt = [_LETTERS[letter] for letter in word if letter in _LETTERS]
    return _dictionary().get(word) or [spelt]


def spelt_words() -> Sequence[str]:
    """The words of the dictionary, without their other ways to be said."""
    return [word for word in _dictionary() if word.isalpha()]


def is_spelt(words: Iterable[str]) -> bool:
    """Whether all words are in the dictionary."""
    return all(word in _dictionary() for word in words)


def likeness(a: Sequence[str], b: Sequence[str]) -> float:
    """How alike two rows of phonemes sound: 1 for the same, 0 for nothing in common."""
    if not a or not b:
        return 0.0
    row = [SKIP * n for n in range(len(b) + 1)]
    for one in a:
        before, row = row, [row[0] + SKIP]
        for n, other in enumerate(b):
            row.append(min(before[n] + _cost(one, other), before[n + 1] + SKIP, row[n] + SKIP))
    return max(0.0, 1 - row[-1] / max(len(a), len(b)))


def _cost(a: str, b: str) -> float:
    if a == b:
        return 0.0
    if frozenset((a, b)) in _ALIKE:
        return NEAR
    return VOWEL if a in _VOWELS and b in _VOWELS else FAR


@cache
def _dictionary() -> Mapping[str, list[tuple[str, ...]]]:
    """CMU's dictionary, as PocketSphinx brings it; empty without it."""
    spec = find_spec("pocketsphinx")
    if spec is None or spec.origin is None:
        return {}
    path = Path(spec.origin).parent / "model/en-us/cmudict-en-us.dict"
    if not path.is_file():
        return {}
    found: dict[str, list[tuple[str, ...]]] = {}
    for line in path.read_text("utf-8").splitlines():
        word, *phones = line.split()
        found.setdefault(word.partition("(")[0] or word, []).append(tuple(phones))
    return found
