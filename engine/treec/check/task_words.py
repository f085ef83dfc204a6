"""Matches the words of subtasks with the patterns of tasks, and explains mismatches."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from treec.check.environments import world
from treec.check.unreadable import unreadable_kinds
from treec.files.types import Named
from treec.files.view import View, per_view
from treec.frozen import frozen
from treec.source.diagnostics import Severity, likely_meant, list_names
from treec.source.text import shorten
from treec.team.knowledge import ANYTHING, knowledge_of
from treec.team.language import language_of

_OWN_WORDS = re.compile(r"[^<]*")


@frozen
class WrongWords:
    """Why words match no task, and a suggestion."""

    message: str
    help: str | None
    slip: bool
    """Whether it looks like a typo: nearly the same words would match."""
    severity: Severity
    """In a recipe: an error, unless an agent can do `anything`."""


class TaskWords:
    """The patterns of a view's tasks."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._anything = any(ANYTHING in agent.can for agent in view.agents.values())
        self._seen: dict[str, WrongWords | None] = {}

    def wrong(self, words: str, spared: Callable[[str], bool] | None = None) -> WrongWords | None:
        """Explain why a subtask's words match no task; None if they match one.

        ``spared``: words that are no typo, however near known ones are.
        """
        if words not in self._seen:
            matches = knowledge_of(self._view).words.match(words)
            self._seen[words] = None if matches else self._wrong(words)
        found = self._seen[words]
        if found is None or not found.slip or spared is None:
            return found
        nearly = knowledge_of(self._view).words.nearly(words)
        if not spared(nearly[1] if nearly else ""):
            return found
        return replace(found, severity="warning") if self._anything else replace(found, help=None)

    def _wrong(self, words: str) -> WrongWords | None:
        found = _patterns(self._view).problem(words)
        if found is None:
            return None
        message, help, slip = found
        return WrongWords(message, help, slip, "error" if slip or not self._anything else "warning")


def spared_words(view: View, language: str | None, names: Iterable[str]) -> Callable[[str], bool]:
    """What is no typo in a recipe: words of another language, and what its parts are called."""
    if language not in (None, language_of(view).language):
        return lambda _: True  # Dutch "breng" is no slip of "bring"
    known = "\n".join(names)

    def is_part(phrase: str) -> bool:
        stem = re.sub(r"^the |e?s$", "", phrase, flags=re.IGNORECASE)
        return (
            re.search(rf"(?<!\w){re.escape(stem)}(?:e?s)?(?!\w)", known, re.IGNORECASE) is not None
        )

    return lambda phrase: bool(phrase) and is_part(phrase)


@per_view
def task_words(view: View) -> TaskWords | None:
    """Return a view's patterns, cached; None if a file that may have more is unreadable."""
    if not view.scenes or unreadable_kinds(view.library) & {"task", "scene", "agent"}:
        return None
    return TaskWords(view)


@per_view
def _patterns(view: View) -> _Patterns:
    return _Patterns(view)


class _Patterns:
    """Every task's patterns, by the words they begin with."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._words = knowledge_of(view).words
        self._begin: dict[str, list[str]] = {}
        for entry in view.all("task").values():
            for pattern in entry.model.says:
                own = _OWN_WORDS.match(pattern)
                begin = " ".join(own[0].split()).lower() if own else ""
                if begin:
                    self._begin.setdefault(begin, []).append(pattern)
        self._lengths = sorted({len(begin.split()) for begin in self._begin}, reverse=True)

    def problem(self, words: str) -> tuple[str, str | None, bool] | None:
        """Return a message, its help, and whether nearly the same words would match."""
        words = " ".join(words.split())
        nearly = self._words.nearly(words)
        if nearly is not None:
            task, phrase, kind = nearly
            known = world(self._view).things_of(Named(kind))
            if phrase.removeprefix("the ") in known:  # its type is unknown: reported by TC208
                return None
            near = likely_meant(phrase, known)
            message = f"'{shorten(words, 120)}' is '{task}' with an unknown {kind} '{phrase}'"
            if near is not None and ". " not in words:  # a cookbook's sentences are no slip
                return message, f"did you mean '{words.replace(phrase, near)}'?", True
            return message, f"{kind}s: {list_names(known)}", False
        message = f"no task matches '{shorten(words, 120)}'"
        begin, instead = self._nearest(words)
        if instead is not None and self._words.match(instead) is not None:
            return message, f"did you mean '{instead}'?", True
        if begin is not None:
            return message, f"did you mean '{self._begin[begin][0]}'?", False
        patterns = [pattern for group in self._begin.values() for pattern in group]
        known_words = list_names(patterns, "no task has patterns ('says')")
        return message, f"write a task for it, or use the words of one: {known_words}", False

    def _nearest(self, words: str) -> tuple[str | None, str | None]:
        """Find the nearest beginning of a pattern, and the words with it in its place."""
        tokens = words.split()
        heads = [n for n in self._lengths if n <= len(tokens)]
        for length in heads:
            head = " ".join(tokens[:length]).lower()
            if head in self._begin:
                return head, None
        for length in heads:
            near = likely_meant(" ".join(tokens[:length]), self._begin)
            if near is not None:
                return near, " ".join([near, *tokens[length:]])
        return None, None
