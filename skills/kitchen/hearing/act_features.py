"""Features of a single act, for `act_model.py`.

The words of the utterance form two lines: the words, and their kinds. In both, a word that names
the object of the act is replaced by a mark, so that "stir yes, sauce no" reads "[verb] yes ,
[other] no" for one proposal and "[other] …, [thing] no" for the other. The features are n-grams of
up to four words, skip-grams, how the parts begin, the words of the parts that name the object and
of the others, and the relations; short ones are also combined with the state and the most telling
relations.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.single_acts import AGENT, ELSE, OTHER, THING, VERB, Evidence
from treec.skills.kitchen.hearing.words import word_set

BITS = 22
SIZE = 1 << BITS
"""Number of hash buckets; a few features share one."""
_LONGEST = 48
_RUN = 4
_SHORT = 2
_PARTS = frozenset({",", ".", "?", "and", "but", "then"})
_NAMED = frozenset({"O", "A", "R"})
_OWN = frozenset({"[thing]", "[agent]", "[verb]"})
_TELLING = word_set(
    "thing task otherthing nothing agent otheragent mine robots named unnamed none user robot "
    "proposedsame proposedother proposed othertask notnamed chosen isoffered othernamed i0 last n1 "
    "nobodynamed"
)
_STATUS = ("st:", "sub:")
Word = tuple[str, str, int]
"""A word: its text, its kind, and the index of its chunk."""


def words(chunks: Sequence[Chunk]) -> list[Word]:
    """The words of an utterance; names are replaced by their kinds."""
    found: list[Word] = []
    for index, chunk in enumerate(chunks):
        if chunk.kind == "BRK":
            mark = "?" if chunk.key == "?" else "." if chunk.key in (".", "!") else ","
            found.append((mark, mark, index))
            continue
        words = [chunk.kind] if chunk.kind in _NAMED else chunk.key.split() or [chunk.kind]
        found += [(word, _kind(chunk, word), index) for word in words]
    return found[:_LONGEST]


def _kind(chunk: Chunk, word: str) -> str:
    if chunk.classes:
        return "/".join(min(chunk.classes))
    if chunk.verb:
        return f"verb/{chunk.verb[0][1]}"
    return chunk.kind if chunk.kind.isupper() and chunk.kind != "W" else word


class ActFeatures:
    """The features of the single acts of one utterance in one state."""

    def __init__(self, chunks: Sequence[Chunk], state: str) -> None:
        self._words = words(chunks)
        self._state = state
        self._lines: dict[tuple[int, ...], tuple[list[bytes], list[bytes]]] = {}

    def of(self, evidence: Evidence) -> set[int]:
        """The hashed features of a single act."""
        marks = tuple(evidence.marks[index] for _, _, index in self._words)
        if marks not in self._lines:
            words = self._word_features(marks)
            brief = [sign for sign in words if sign[0] in "ab" and sign.count("_") < _SHORT]
            self._lines[marks] = (_bytes(words), _bytes(brief))
        every, short = self._lines[marks]
        kind = str(evidence.single[0])
        found = _numbers(f"{kind}|", every)
        found |= _numbers(f"{kind}|{self._state}|", short)
        for relation in evidence.relations:
            if relation in _TELLING or relation.startswith(_STATUS):
                found |= _numbers(f"{kind}&{relation}|", short)
        alone = _bytes(evidence.relations)
        found |= _numbers(f"{kind}&", alone) | _numbers(f"{kind}{self._state}&", alone)
        pairs = (f"{one}&{other}" for one, other in combinations(evidence.relations, 2))
        return found | _numbers(f"{kind}&", _bytes(pairs))

    def _word_features(self, marks: Sequence[int]) -> set[str]:
        """The features of the words, for all kinds of acts."""
        words = [
            _with_mark(mark, word) for mark, (word, _, _) in zip(marks, self._words, strict=True)
        ]
        sort = [
            _with_mark(mark, kind) for mark, (_, kind, _) in zip(marks, self._words, strict=True)
        ]
        found = {f"a:{run}" for run in _runs(words)} | {f"b:{run}" for run in _runs(sort)}
        found |= {f"s:{run}" for run in _gaps(words)} | {f"t:{run}" for run in _gaps(sort)}
        parts = _parts(words)
        for part, kinds in zip(parts, _parts(sort), strict=False):
            own = not _OWN.isdisjoint(part)
            found.add(f"{'P' if own else 'Q'}:{' '.join(part[:5])}")
            found.add(f"{'X' if own else 'Y'}:{' '.join(kinds[:5])}")
            found |= {f"{'in' if own else 'out'}:{word}" for word in part}
            if own:
                found |= {f"kin:{kind}" for kind in kinds} | {f"head:{part[0]}"}
        found |= {f"^{word[:4]}" for word in words if len(word) > 4}
        return found | {f"len{min(len(words) // 3, 5)}", f"parts{min(len(parts), 4)}"}


def _with_mark(mark: int, word: str) -> str:
    for one, name in ((THING, "[thing]"), (AGENT, "[agent]"), (ELSE, "[else]"), (OTHER, "[other]")):
        if mark & one:
            return name
    return "[verb]" if mark & VERB else word


def _runs(line: Sequence[str]) -> Iterator[str]:
    line = ["<", *line, ">"]
    for size in range(1, _RUN + 1):
        for at in range(len(line) - size + 1):
            yield "_".join(line[at : at + size])


def _gaps(line: Sequence[str]) -> Iterator[str]:
    line = ["<", *line, ">"]
    for gap in (2, 3):
        for one, other in zip(line, line[gap:], strict=False):
            yield f"{one}_{'*' * (gap - 1)}_{other}"


def _parts(line: Iterable[str]) -> list[list[str]]:
    found: list[list[str]] = [[]]
    for word in line:
        if word in _PARTS:
            found.append([])
        else:
            found[-1].append(word)
    return [part for part in found if part]


def _bytes(signs: Iterable[str]) -> list[bytes]:
    return [sign.encode() for sign in signs]


def _numbers(prefix: str, signs: Iterable[bytes]) -> set[int]:
    checksum = zlib.crc32(prefix.encode())
    mask = SIZE - 1
    return {zlib.crc32(sign, checksum) & mask for sign in signs}
