"""Mutants of a system's behaviour: files that are right to `treec check`, and do something else.

One guard, effect, rule or contract is another. The slips are those that people make: a condition is
turned round, always or never so; one of its terms is left out; a limit is off by one; a whole line
or answer is left out; two steps or rules stand in the other order; an agent is named where any is
meant.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from treec.files.view import View

KINDS = {
    "contract": ("contract",),
    "guard": ("tree",),
    "effect": ("skill",),
    "rule": ("action", "decision", "program", "task"),
}
"""The files that mutants of each kind are of."""

SLIPS = ("turned", "term", "limit", "left out", "order", "agent")

_CONDITION = re.compile(
    r"^\s*(?:- )?\{?(?:when|while|until|fail_if|require): (?!>|never)([^\n]+?)"
    r"(?=, (?:choose|answer|do|within): |\}\n|\n)",
    re.M,
)
_FOLDED = re.compile(r"^ *(?:require|when|until): (>-\n(?: +[^\n:]+\n)+)", re.M)
_LINE = re.compile(r"^  - [^\n]+\n", re.M)
_ANSWER = re.compile(r"^(?:    do:\n(?:      .*\n)+|  - \{when[^\n]*\}\n)", re.M)
_NUMBER = re.compile(r"(?:[<>=+-] |\b(?:retry|low|high): )(\d+)\b(?!s)")
_COMPARISON = re.compile(r" (<=?|>=?) (?=\d)")
_AGENT = re.compile(r"(?<=[(\s])agent(?=[,)])|\$\w+\.agent\b|(?<= )\w\.agent(?=,)")
_LIST = re.compile(r"^( *)- [^\n]*\n(?:\1 [^\n]*\n)*", re.M)

Change = tuple[int, int, str]
"""From where to where a text is replaced, and by what."""


@dataclass(frozen=True)
class Mutant:
    """A file with one place that is another."""

    system: str
    kind: str
    slip: str
    path: str
    text: str
    what: str


def mutants(system: str, root: Path, view: View) -> Iterator[Mutant]:
    """All mutants of a system."""
    for kind, files in KINDS.items():
        for entry in sorted(view.entries, key=lambda entry: entry.path):
            if entry.kind not in files or not (root / entry.path).exists():
                continue
            text = entry.file.text
            for slip in SLIPS:
                for start, end, new in dict.fromkeys(_changes(slip, kind, text, view)):
                    if new != text[start:end]:
                        what = f"{text[start:end].strip()} -> {new.strip() or 'left out'}"
                        changed = text[:start] + new + text[end:]
                        yield Mutant(system, kind, slip, entry.path, changed, what)


def draw(all_: Sequence[Mutant], seed: int) -> Iterator[Mutant]:
    """One of each system, kind and slip in turn, in random order: fewer are a part of more."""
    rng = random.Random(seed)
    groups: dict[tuple[str, str, str], list[Mutant]] = {}
    for one in all_:
        groups.setdefault((one.system, one.kind, one.slip), []).append(one)
    order = list(groups.values())
    rng.shuffle(order)
    for found in order:
        rng.shuffle(found)
    while any(order):
        for found in order:
            if found:
                yield found.pop()


def _changes(slip: str, kind: str, text: str, view: View) -> Iterator[Change]:
    match slip:
        case "turned":
            for start, end, condition in _conditions(text):
                if kind == "effect":
                    continue
                yield from ((start, end, new) for new in (f"not ({condition})", "true", "false"))
        case "term":
            for start, end, condition in _conditions(text):
                for word in (" and ", " or "):
                    parts = split_outside(condition, word)
                    if len(parts) > 1 and (word == " or " or len(split_outside(condition)) == 1):
                        for number in range(len(parts)):
                            yield start, end, word.join(parts[:number] + parts[number + 1 :])
        case "limit":
            for found in _NUMBER.finditer(text):
                number = int(found[1])
                yield from ((*found.span(1), str(new)) for new in (number - 1, number + 1))
            for found in _COMPARISON.finditer(text):
                new = found[1][0] if found[1][1:] else f"{found[1]}="
                yield found.start(1), found.end(1), new
            for found in re.finditer(r"(?<=within: )(\d+)s", text):
                yield from ((*found.span(), new) for new in ("5s", "15s"))
        case "left out":
            if kind in ("effect", "contract"):
                yield from ((*found.span(), "") for found in _LINE.finditer(text))
            for found in _ANSWER.finditer(text) if kind == "rule" else ():
                yield *found.span(), "" if "when" in found[0] else "    do: []\n"
            for found in re.finditer(r", (?:first|to): \$[\w.]+", text):
                yield *found.span(), ""
            for found in re.finditer(r"^ +(?:retry|while|fail_if): [^\n]+\n", text, re.M):
                yield *found.span(), ""
        case "order":
            yield from _swapped(kind, text)
        case "agent":
            robots = sorted(name for name, it in view.all("agent").items() if it.model.skills)
            for found in _AGENT.finditer(text) if kind != "contract" else ():
                if not text[: found.start()].endswith("with: {"):
                    for name in robots:
                        yield *found.span(), name if found[0][0] == "$" else f"'{name}'"


def _conditions(text: str) -> Iterator[tuple[int, int, str]]:
    """Where the conditions of a file are, and what each says in one line."""
    for found in _CONDITION.finditer(text):
        yield found.start(1), found.end(1), found[1].strip()
    for found in _FOLDED.finditer(text):
        yield found.start(1), found.end(1) - 1, " ".join(found[1].split()[1:])


def split_outside(condition: str, word: str = " or ") -> list[str]:
    """The parts of a condition between words that are in no brackets and no quotes."""
    parts, start, depth, quote = [], 0, 0, ""
    for at, char in enumerate(condition):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif depth == 0 and condition.startswith(word, at):
            parts.append(condition[start:at])
            start = at + len(word)
    return [*parts, condition[start:]]


def _swapped(kind: str, text: str) -> Iterator[Change]:
    """Two steps, rules or effects that follow each other, each in the place of the other."""
    if kind == "contract":
        return
    rules = text.partition("\nsystem:")[0]  # what follows are prompts
    found = list(_LIST.finditer(rules))
    if kind == "guard":  # children are in one another
        indents = sorted({len(match[1]) for match in found})
        found = []
        for indent in indents:
            pattern = rf"^( {{{indent}}})- [^\n]*\n(?:\1 [^\n]*\n)*"
            found += re.finditer(pattern, text, re.M)
    for one, other in pairwise(found):
        if one.end() == other.start() and len(one[1]) == len(other[1]):
            yield one.start(), other.end(), other[0] + one[0]
    steps = re.search(r"^steps: \|\n((?:  [^\n]+\n)+)", text, re.M)
    if steps is not None:
        lines = steps[1].splitlines(keepends=True)
        for number in range(len(lines) - 1):
            new = [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]]
            yield steps.start(1), steps.end(1), "".join(new)
