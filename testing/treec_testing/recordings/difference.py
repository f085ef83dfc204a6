"""Differences between two questions, by part, line and word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from treec_models.fingerprint import FingerprintParts

_TOKENS = re.compile(r"\s+|\w+|[^\w\s]")
MAX_WORDS = 8
"""Changed words listed one by one; with more, the line is called rewritten."""
WIDTH = 88
"""Maximum length of a line shown."""
MAX_LINES = 3
"""Changed lines shown per part."""


@dataclass(frozen=True, slots=True)
class LineDifference:
    """A line that differs: its part and number, the text before and after.

    ``words`` are pairs of replaced words, old and new; empty for a rewritten line.
    """

    part: str
    line: int
    before: str | None
    after: str | None
    words: tuple[tuple[str, str], ...] = ()

    @property
    def summary(self) -> str:
        """One sentence: `instructions, line 1: 'exactly' → 'just'`."""
        where = f"{self.part}, line {self.line}"
        if self.before is None:
            return f"{where}: a line was added"
        if self.after is None:
            return f"{where}: a line was taken out"
        if not self.words:
            return f"{where} was rewritten"
        return f"{where}: " + ", ".join(_word(old, new) for old, new in self.words)

    def lines(self) -> Iterator[str]:
        """The line before (`-`) and after (`+`), cut to the part that differs."""
        start = _first_difference(self.before or "", self.after or "")
        if self.before is not None:
            yield f"- {_cut(self.before, start)}"
        if self.after is not None:
            yield f"+ {_cut(self.after, start)}"


def difference(before: FingerprintParts, after: FingerprintParts) -> list[LineDifference]:
    """Every line that differs, part by part.

    What the node `knows` comes first, since changes in it cause changes in other parts.
    """
    old, new = before.parts(), after.parts()
    order = ("knows", *(part for part in new if part != "knows"))
    return [change for part in order for change in _lines(part, old[part], new[part])]


def changed_parts(changes: list[LineDifference]) -> list[str]:
    """The names of the parts that have changed, each once."""
    return list(dict.fromkeys(change.part for change in changes))


def diff_lines(changes: list[LineDifference]) -> Iterator[str]:
    """The changes as a small diff."""
    for part in changed_parts(changes):
        own = [change for change in changes if change.part == part]
        for change in own[:MAX_LINES]:
            yield change.summary
            yield from (f"  {line}" for line in change.lines())
        if len(own) > MAX_LINES:
            yield f"{part}: {len(own) - MAX_LINES} more lines"


def _lines(part: str, before: str, after: str) -> Iterator[LineDifference]:
    if before == after:
        return
    old, new = before.split("\n"), after.split("\n")
    if not before:
        old = []
    if not after:
        new = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        for k in range(max(i2 - i1, j2 - j1)):
            was = old[i1 + k] if i1 + k < i2 else None
            now = new[j1 + k] if j1 + k < j2 else None
            both = was is not None and now is not None
            number = j1 + k + 1 if now is not None else i1 + k + 1
            yield LineDifference(
                part, number, was, now, _words(was or "", now or "") if both else ()
            )


def _words(before: str, after: str) -> tuple[tuple[str, str], ...]:
    old, new = _TOKENS.findall(before), _TOKENS.findall(after)
    if len(old) * len(new) > 250_000:
        return ()
    found = [
        ("".join(old[i1:i2]).strip(), "".join(new[j1:j2]).strip())
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if tag != "equal"
    ]
    found = [(was, now) for was, now in found if was or now] or [("a space", "another")]
    many = sum(max(len(was.split()), len(now.split())) for was, now in found) > MAX_WORDS
    return () if many else tuple(found)


def _word(old: str, new: str) -> str:
    if not old:
        return f"'{new}' was added"
    if not new:
        return f"'{old}' was taken out"
    return f"'{old}' → '{new}'"


def _first_difference(one: str, other: str) -> int:
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _cut(line: str, at: int) -> str:
    """An excerpt of a long line around the first difference."""
    if len(line) <= WIDTH:
        return line
    start = max(0, min(at - WIDTH // 2, len(line) - WIDTH))
    left, right = "…" if start else "", "…" if start + WIDTH < len(line) else ""
    return f"{left}{line[start : start + WIDTH]}{right}"
