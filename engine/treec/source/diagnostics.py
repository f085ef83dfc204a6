"""Diagnostics: a problem in a file, its place, and a help; as text and as JSON."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache, total_ordering
from typing import Literal

from treec.frozen import frozen
from treec.source.text import SourceFile, Span

Severity = Literal["error", "warning"]

EXCERPT_COLUMNS = 100
SHOWN = 6
"""How many names a help line lists."""

LONGEST_NAME = 80
"""Longer names get no suggestions: they are rarely typos, and comparing them is slow."""

FEW_NAMES = 60
"""Up to so many known names are all compared with an unknown one."""

_TWICE = re.compile(r"(.)\1")
_VOWELS = frozenset("aeiouy")

COMPARED_NAMES = 16
"""How many of more names are compared."""

_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_COLOURS = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m"}
_BOLD, _BLUE, _CYAN, _RESET = "\x1b[1m", "\x1b[1;34m", "\x1b[36m", "\x1b[0m"


@total_ordering
@frozen(slots=False)
class Diagnostic:
    """One problem at one place; sorted by path, line, column and code."""

    code: str
    severity: Severity
    span: Span
    message: str
    help: str | None = None

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        """Path, line, column, code; then the message, to make the order deterministic."""
        return (self.span.path, self.span.line, self.span.column, self.code, self.message)

    def __lt__(self, other: Diagnostic) -> bool:
        return self.sort_key < other.sort_key


def to_json(diagnostic: Diagnostic) -> dict[str, str | int | None]:
    """A diagnostic as a JSON object."""
    span = diagnostic.span
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "path": span.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "message": diagnostic.message,
        "help": diagnostic.help,
    }


def format_text(
    diagnostics: Iterable[Diagnostic],
    sources: Mapping[str, SourceFile],
    colour: bool = False,
) -> str:
    """Format diagnostics in the given order, each with an excerpt, separated by empty lines.

    Diagnostics of files that are not in ``sources`` have no excerpt.
    """
    return "\n".join(_format_one(item, sources.get(item.span.path), colour) for item in diagnostics)


def format_summary(diagnostics: Iterable[Diagnostic]) -> str:
    """Return ``3 errors, 1 warning in 2 files``, or ``no problems``."""
    found = list(diagnostics)
    parts = []
    for severity in ("error", "warning"):
        number = sum(item.severity == severity for item in found)
        if number:
            parts.append(plural(number, severity))
    if not parts:
        return "no problems"
    return f"{', '.join(parts)} in {plural(len({item.span.path for item in found}), 'file')}"


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """Return the known name nearest to an unknown one, or None if none is near."""
    if not 0 < len(name) <= LONGEST_NAME:
        return None
    return _known_names(tuple(known)).nearest(name)


def likely_meant(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that an unknown one is a slip of, or None.

    Word by word, a slip swaps two letters that stand together, doubles one or has one once, has
    one letter more or less (of four letters or more if it stands alone) or another vowel behind
    its first (tin is no ton), or differs in one of seven letters or two of eight and more.
    Stricter than `did_you_mean`: for names that need not be known, and for what a model is asked.
    """
    words = _words(name[:LONGEST_NAME])
    for one in known:
        others = _words(one)
        if one == name or not 0 < len(one) <= LONGEST_NAME:
            continue
        if "".join(words) == "".join(others):
            return one
        if len(words) == len(others) and all(
            _is_slip(word, other, least=4 if len(words) == 1 else 2)
            for word, other in zip(words, others, strict=True)
        ):
            return one
    return None


def _words(name: str) -> list[str]:
    return re.sub("[_-]", " ", name.casefold()).split()


def _is_slip(word: str, meant: str, least: int) -> bool:
    """Whether a word of ``least`` letters or more is another one, or mistyped for it."""
    if word == meant or _TWICE.sub(r"\1", word) == _TWICE.sub(r"\1", meant):
        return True
    if sorted(word[:2]) != sorted(meant[:2]) and len({word[:1], meant[:1]} - _VOWELS) == 2:
        return False
    from rapidfuzz.distance import OSA  # only a mistake needs it

    shorter = min(len(word), len(meant))
    edits = OSA.distance(word, meant, score_cutoff=2)
    if edits != 1 or shorter >= 7:
        return edits == 1 or (edits == 2 and shorter >= 8)
    if len(word) != len(meant):
        return shorter >= least
    at = [n for n in range(shorter) if word[n] != meant[n]]
    is_vowel = _VOWELS.issuperset(word[at[0]] + meant[at[0]]) and shorter >= 4
    return len(at) == 2 or (is_vowel and not _VOWELS.isdisjoint(word[: at[0]]))


class _KnownNames:
    """Names to suggest; of many, only the few that share most with a name are compared with it."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._folded: dict[str, str] = {}
        for item in names:
            if 0 < len(item) <= LONGEST_NAME:
                self._folded.setdefault(item.casefold(), item)
        self._having: dict[str, list[str]] = {}
        if len(self._folded) > FEW_NAMES:
            for folded in self._folded:
                for part in _parts(folded):
                    self._having.setdefault(part, []).append(folded)

    def nearest(self, name: str) -> str | None:
        folded = name.casefold()
        near = difflib.get_close_matches(folded, self._candidates(folded, name), 1, 0.65)
        return self._folded[near[0]] if near else None

    def _candidates(self, folded: str, name: str) -> list[str]:
        if not self._having:
            found = list(self._folded)
        else:
            lists = [self._having[part] for part in _parts(folded) if part in self._having]
            lists.sort(key=len)
            rare = [names for names in lists if len(names) <= FEW_NAMES] or lists[:1]
            counted = Counter(item for names in rare for item in names[:FEW_NAMES])
            found = [item for item, _ in counted.most_common(COMPARED_NAMES)]
        return [item for item in found if self._folded[item] != name]


_known_names = lru_cache(maxsize=64)(_KnownNames)


def _parts(name: str) -> set[str]:
    """Return all runs of three characters, the ends included."""
    text = f"\0\0{name}\0\0"
    return {text[at : at + 3] for at in range(len(text) - 2)}


def list_names(names: Iterable[str], empty: str = "there are none") -> str:
    """Format names for a help line, at most the first few."""
    found = list(names)
    if not found:
        return empty
    shown = ", ".join(found[:SHOWN])
    return f"{shown}, …" if len(found) > SHOWN else shown


def suggestion(name: str, known: Iterable[str], what: str = "known") -> str:
    """Suggest the nearest known name, or list the known names after ``what``."""
    names = tuple(known)
    near = _nearest(name, names)
    if near:
        return f"did you mean '{near}'?"
    return f"{what}: {list_names(names)}" if names else "there are none"


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """Return ``unknown task 'fetchh'; did you mean 'fetch'?``, or the known names."""
    problem = f"unknown {what} '{name}'" if name else f"the name of the {what} is missing"
    return f"{problem}; {suggestion(name, known)}"


@lru_cache(maxsize=256)
def _nearest(name: str, names: tuple[str, ...]) -> str | None:
    """Cached, since one missing file can be named in a thousand places."""
    return did_you_mean(name, names)


def plural(number: int, noun: str) -> str:
    """Return ``1 file`` or ``3 files``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _format_one(diagnostic: Diagnostic, file: SourceFile | None, colour: bool) -> str:
    span = diagnostic.span

    def paint(code: str, text: str) -> str:
        return f"{code}{text}{_RESET}" if colour else text

    place = _clean(f"{span.path}:{span.line}:{span.column}")
    kind = paint(_COLOURS[diagnostic.severity], f"{diagnostic.severity} {diagnostic.code}")
    lines = [f"{paint(_BOLD, place)}: {kind}: {paint(_BOLD, _clean(diagnostic.message))}"]
    gutter = " " * (len(str(span.line)) + 1)
    if file is not None:
        excerpt, before, carets = _excerpt(file, span)
        bar = paint(_BLUE, "|")
        mark = paint(_COLOURS[diagnostic.severity], "^" * carets)
        lines.append(f"{gutter}{bar}")
        lines.append(f"{paint(_BLUE, str(span.line))} {bar} {excerpt}".rstrip())
        lines.append(f"{gutter}{bar} {' ' * before}{mark}")
    if diagnostic.help is not None:
        first, *more = diagnostic.help.splitlines() or [""]
        lines.append(f"{gutter}{paint(_BLUE, '=')} {paint(_CYAN, 'help')}: {_clean(first)}")
        lines.extend(f"{gutter}        {_clean(line)}".rstrip() for line in more)
    return "\n".join(lines) + "\n"


def _excerpt(file: SourceFile, span: Span) -> tuple[str, int, int]:
    """Return the displayed line, the columns before the caret, and the number of carets."""
    line = file.line(span.line)
    start = min(max(span.column - 1, 0), len(line))
    end = len(line) if span.end_line > span.line else min(span.end_column - 1, len(line))
    if span.end_line > span.line:  # carets stop where the text of the line stops
        end = max(len(line.rstrip()), start)
    left, right = _window(line, start, end)
    shown = _clean(line[left:right])
    head = "…" if left else ""
    tail = "…" if right < len(line) else ""
    marked = _width(_clean(line[start : min(end, right)]))
    return head + shown + tail, _width(head + _clean(line[left:start])), max(marked, 1)


def _window(line: str, start: int, end: int) -> tuple[int, int]:
    """Return the displayed part of a long line: at most EXCERPT_COLUMNS with ellipses."""
    if len(line) <= EXCERPT_COLUMNS // 2 or _width(line[:1000]) <= EXCERPT_COLUMNS >= len(line):
        return 0, len(line)
    room = EXCERPT_COLUMNS - 2
    marked = min(_width(_clean(line[start : min(end, start + room)])), room)
    context = (room - marked) // 2
    left = start
    while left > 0 and context > 0:
        left -= 1
        context -= _width(_clean(line[left]))
    if _width(_clean(line[:left][-room:])) <= 1:
        left = 0
    right, used = left, 0
    while right < len(line) and used + (width := _width(_clean(line[right]))) <= room:
        used += width
        right += 1
    if right == len(line):  # the end is in sight: show more before it
        while left > 0 and used + (width := _width(_clean(line[left - 1]))) <= room:
            used += width
            left -= 1
    return left, right


def _clean(text: str) -> str:
    """Make text safe for a terminal: a tab becomes a space, other control characters �."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_visible(character) for character in text)


def _visible(character: str) -> str:
    if character == "\t":
        return " "
    if character in _BIDI or unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp"):
        return "�"
    return character


def _width(text: str) -> int:
    """Return the number of terminal columns of cleaned text."""
    if text.isascii():
        return len(text)
    return sum(_character_width(character) for character in text)


def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
