"""Matching words to tasks: ``get steel crate`` is get(item='steel crate').

A task's patterns (``says: [get <item>, fetch <item>]``) are matched against whole texts, those with
the most words of their own first. An argument must be the name of a thing of its type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from treec.frozen import frozen

_ARGUMENT = re.compile(r"<([A-Za-z_][A-Za-z0-9_]*)>")
MOST_KEPT = 4_000
"""Texts whose task is kept."""
MOST_WORDS = 12
"""Words of an argument; unbounded, a long text against four arguments takes minutes."""

_NO_THING = ("text", "number", "integer", "bool", "mapping")


@frozen
class BoundTask:
    """A task with the things that are its arguments."""

    task: str
    args: Mapping[str, str]


@frozen
class _Pattern:
    task: str
    says: str
    first: str | None
    """Its first word in lower case; None if an argument is part of it."""
    weight: int
    types: Mapping[str, str]

    @property
    def regex(self) -> re.Pattern[str]:
        """It as a regular expression, compiled when words begin as it does."""
        return compile_pattern(self.says)


def pattern_arguments(pattern: str) -> list[str]:
    """The names of a pattern's arguments, in order."""
    return _ARGUMENT.findall(pattern)


@lru_cache(maxsize=4096)
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """A pattern as a regular expression over whole words, ignoring case."""
    parts = _ARGUMENT.split(pattern.strip())
    regex = ""
    for index, part in enumerate(parts):
        if index % 2 and part in parts[1:index:2]:
            regex += "(?!)"  # an argument twice, which the check reports, matches nothing
        elif index % 2:
            regex += rf"(?P<{part}>\S+(?:\s+\S+){{0,{MOST_WORDS - 1}}}?)"
        else:
            words = [re.escape(word) for word in part.split()]
            joined = r"\s+".join(words)
            if part.startswith(" ") and joined:
                joined = r"\s+" + joined
            if part.endswith(" ") or (part.isspace() and index):
                joined += r"\s+"
            regex += joined
    return re.compile(regex, re.IGNORECASE)


def any_of(words: Iterable[str]) -> str:
    """A regular expression of any of these words; of none, of nothing."""
    return "|".join(map(re.escape, words)) or "(?!)"


def find_repeated_thing(types: Mapping[str, str], args: Mapping[str, object]) -> str | None:
    """The thing that is the value of two arguments; texts and numbers may be equal."""
    seen: set[object] = set()
    for name, value in args.items():
        if not isinstance(value, str) or types.get(name) in _NO_THING:
            continue
        if value in seen:
            return value
        seen.add(value)
    return None


class Words:
    """Matches words to the tasks of a library and the things of a scene."""

    def __init__(
        self,
        tasks: Mapping[str, tuple[Iterable[str], Mapping[str, str]]],
        things: Mapping[str, tuple[str, Iterable[str]]],
        is_a: Callable[[str, str], bool],
        articles: re.Pattern[str],
        endings: Iterable[str] = (),
    ) -> None:
        """``tasks``: patterns and argument types by name; ``things``: type and other names.

        ``endings``: in which a name may differ, such as that of the plural.
        """
        self._is_a = is_a
        self._articles = articles
        self._endings = tuple(endings)
        self._things: dict[str, list[tuple[str, str]]] = {}
        self._stems: dict[str, list[tuple[str, str]]] = {}
        """The things by their names without an ending."""
        for name, (kind, also) in things.items():
            for word in (name, *also):
                plain = self._plain(word)
                self._things.setdefault(plain, []).append((name, kind))
                for stem in self._stems_of(plain):
                    self._stems.setdefault(stem, []).append((name, kind))
        patterns = [
            _Pattern(
                task,
                says,
                _first(says),
                len(_ARGUMENT.sub("", says).split()),
                types,
            )
            for task, (all_says, types) in tasks.items()
            for says in all_says
        ]
        self._matches: dict[str, BoundTask | None] = {}
        self._patterns = sorted(patterns, key=lambda p: (-p.weight, p.task))
        self._begin = {
            first: [p for p in self._patterns if p.first in (None, first)]
            for first in {pattern.first for pattern in self._patterns}
        }

    def _plain(self, words: str) -> str:
        return self._articles.sub("", " ".join(words.lower().replace("_", " ").split()))

    def _stems_of(self, plain: str) -> set[str]:
        return {plain, *(plain.removesuffix(end) for end in self._endings if len(plain) > 3)}

    def thing(self, words: str, kind: str | None = None) -> str | None:
        """The thing of a type that the words name; in another number, if only one can be meant."""
        plain = self._plain(words)
        if named := self._exactly(plain, kind):
            return named
        near = {one for stem in self._stems_of(plain) for one in self._stems.get(stem, ())}
        alike = set(self._of_kind(near, kind))
        return alike.pop() if len(alike) == 1 else None

    def _exactly(self, plain: str, kind: str | None) -> str | None:
        return next(iter(self._of_kind(self._things.get(plain, ()), kind)), None)

    def _of_kind(self, things: Iterable[tuple[str, str]], kind: str | None) -> list[str]:
        if kind is None or kind in ("text", "any"):
            return [name for name, _ in things]
        return [name for name, own in things if self._is_a(own, kind)]

    def match(self, words: str) -> BoundTask | None:
        """The task that the words match, with its arguments; None if none does."""
        if words not in self._matches:
            if len(self._matches) == MOST_KEPT:
                self._matches.clear()
            self._matches[words] = self._match(" ".join(words.split()))
        return self._matches[words]

    def _match(self, text: str) -> BoundTask | None:
        for pattern in self._patterns_for(text):
            found = pattern.regex.fullmatch(text)
            if found is None:
                continue
            args: dict[str, str] = {}
            for name, phrase in found.groupdict().items():
                kind = pattern.types.get(name, "any")
                thing = phrase if kind == "text" else self.thing(phrase, kind)
                if thing is None:
                    break
                args[name] = thing
            else:
                return BoundTask(pattern.task, args)
        return None

    def _patterns_for(self, text: str) -> list[_Pattern]:
        """Patterns that can match a text by its first word, most words first."""
        if not text.isascii():  # beyond ASCII, equal letters may differ in lower case
            return self._patterns
        first = text.partition(" ")[0].lower()
        return self._begin.get(first) or self._begin.get(None, [])

    def nearly(self, words: str) -> tuple[str, str, str] | None:
        """For messages: a task whose pattern matches, the phrase without a thing, its type."""
        text = " ".join(words.split())
        for pattern in self._patterns_for(text):
            found = pattern.regex.fullmatch(text)
            if found is None:
                continue
            for name, phrase in found.groupdict().items():
                kind = pattern.types.get(name, "any")
                if kind != "text" and self._exactly(self._plain(phrase), kind) is None:
                    return pattern.task, phrase, kind
        return None


def _first(pattern: str) -> str | None:
    begin, *arguments = _ARGUMENT.split(pattern.strip())
    words = begin.split()
    if not words or not words[0].isascii():
        return None
    alone = len(words) > 1 or begin.endswith(" ") or not arguments
    return words[0].lower() if alone else None
