"""A recipe's subtask whose words no task knows.

The words of a subtask are its `do`, or its key. They must fit a pattern under some task's `says`,
and what stands for an argument must be the name of a thing of the argument's type.

Wrong, where `get` says `get <item>`:

    recipe: Caesar Salad
    subtasks:
      gett pepper: {}

Right:

    recipe: Caesar Salad
    subtasks:
      get pepper: {}

An agent who `can: [anything]` also does what no task describes. Beside one, words that are not
plainly a slip of the pen are a warning: nobody but that agent can have such a subtask.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.check.base import entries
from engine.check.broken import broken_kinds
from engine.check.fitting import listed, things_of
from engine.files.types import Named
from engine.files.view import View
from engine.source.diagnostics import Diagnostic, Severity, did_you_mean
from engine.team.knowledge import ANYTHING, knowledge_of
from engine.team.words import Words

CODE = "TC503"

_OWN_WORDS = re.compile(r"[^<]*")


def check(view: View) -> Iterator[Diagnostic]:
    """Subtasks whose words fit no pattern of a task."""
    broken = broken_kinds(view.library)
    recipes = view.all("recipe")
    if not recipes or not view.scenes or broken & {"task", "scene", "agent"}:
        return
    try:
        words = knowledge_of(view).words
    except re.error:  # a pattern that names an argument twice: TC509 says so
        return
    patterns = _Patterns(view, words)
    anything = any(ANYTHING in agent.can for agent in view.agents.values())
    seen: dict[str, tuple[str, str | None, bool] | None] = {}
    for entry in entries(view, "recipe"):
        for id, spec in entry.model.subtasks.items():
            said = spec.do or id
            if said not in seen:
                seen[said] = None if words.match(said) else patterns.problem(said)
            found = seen[said]
            if found is None:
                continue
            message, help, slip = found
            in_do = spec.do is not None
            loc = ("subtasks", id, "do") if in_do else ("subtasks", id)
            span = entry.span(*loc, key=not in_do)
            severity: Severity = "error" if slip or not anything else "warning"
            yield Diagnostic(CODE, severity, span, message, help)


class _Patterns:
    """Every task's patterns, by the words they begin with."""

    def __init__(self, view: View, words: Words) -> None:
        self._view = view
        self._words = words
        self._begin: dict[str, list[str]] = {}
        for entry in view.all("task").values():
            for pattern in entry.model.says:
                own = _OWN_WORDS.match(pattern)
                begin = " ".join(own[0].split()).lower() if own else ""
                if begin:
                    self._begin.setdefault(begin, []).append(pattern)
        self._lengths = sorted({len(begin.split()) for begin in self._begin}, reverse=True)

    def problem(self, said: str) -> tuple[str, str | None, bool] | None:
        """A message, its help, and whether other words, nearly the same, would be right."""
        said = " ".join(said.split())
        nearly = self._words.nearly(said)
        if nearly is not None:
            task, phrase, kind = nearly
            known = things_of(self._view, Named(kind))
            if phrase.removeprefix("the ") in known:  # its type does not exist: that is told
                return None
            near = did_you_mean(phrase, known)
            message = f"'{said}' is '{task}', but '{phrase}' is no {kind} of the scene"
            if near is not None:
                return message, f"did you mean '{said.replace(phrase, near)}'?", True
            return message, f"there are: {listed(known)}", False
        message = f"no task has the words '{said}'"
        begin, instead = self._nearest(said)
        if instead is not None and self._words.match(instead) is not None:
            return message, f"did you mean '{instead}'?", True
        if begin is not None:
            return message, f"did you mean '{self._begin[begin][0]}'?", False
        patterns = [pattern for group in self._begin.values() for pattern in group]
        known_words = listed(patterns, "no task says how people ask for it")
        return message, f"write a task for it, or use the words of one: {known_words}", False

    def _nearest(self, said: str) -> tuple[str | None, str | None]:
        """The nearest beginning of a pattern, and the words with it in its place."""
        tokens = said.split()
        heads = [n for n in self._lengths if n <= len(tokens)]
        for length in heads:
            head = " ".join(tokens[:length]).lower()
            if head in self._begin:
                return head, None
        for length in heads:
            near = did_you_mean(" ".join(tokens[:length]), self._begin)
            if near is not None:
                return near, " ".join([near, *tokens[length:]])
        return None, None
