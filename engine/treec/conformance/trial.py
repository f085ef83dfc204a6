"""Trials: what is tried, what would be right, and a short example, all in a docstring."""

from __future__ import annotations

import inspect
import linecache
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from treec.source.diagnostics import Diagnostic
from treec.source.text import Span


@dataclass(frozen=True, slots=True)
class CodePlace:
    """A line of somebody's code."""

    file: str
    line: int


class Misbehaviour(Exception):
    """A trial has found something; ``place`` is where, if that is known."""

    def __init__(self, what: str, place: CodePlace | None = None) -> None:
        super().__init__(what)
        self.place = place


class NotTried(Exception):
    """A trial cannot be made: it does not apply, or rests on one that failed."""


@dataclass(frozen=True)
class Trial:
    """One way to misbehave that is tried.

    ``method`` names the method that is shown where no line is known.
    """

    id: str
    tried: str
    right: str
    example: str
    method: str = field(repr=False)
    play: Callable[[Any], None] = field(repr=False, compare=False)


class Trials:
    """The trials of one kind of code; used as a decorator."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._found: dict[str, Trial] = {}

    @property
    def all(self) -> tuple[Trial, ...]:
        """All of them, in the order of their ids."""
        return tuple(self._found[id] for id in sorted(self._found))

    def __call__(
        self, id: str, method: str = ""
    ) -> Callable[[Callable[[Any], None]], Callable[[Any], None]]:
        """Add a trial; its docstring has what is tried, what would be right, and an example.

        ``method`` names the method that is shown where no line is known.
        """

        def add(play: Callable[[Any], None]) -> Callable[[Any], None]:
            tried, _, rest = (inspect.getdoc(play) or "").partition("\n\n")
            right, _, example = rest.partition("::\n\n")
            words = " ".join(right.split()).removesuffix(".") + "."
            code = textwrap.dedent(example).rstrip()
            assert id not in self._found, id
            self._found[id] = Trial(id, tried.rstrip("."), words, code, method, play)
            return play

        return add


@dataclass(frozen=True)
class TrialReport:
    """How a trial went: passed, or what was wrong and where, or why it was not made."""

    trial: Trial
    wrong: str = ""
    place: CodePlace | None = None
    not_tried: str = ""

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self.wrong

    def diagnostic(self, show: Callable[[str], str]) -> Diagnostic:
        """The finding as `treec check` prints one; ``show`` gives the shown path of a file."""
        trial, place = self.trial, self.place or CodePlace("<unknown>", 1)
        line = linecache.getline(place.file, place.line).rstrip()
        start, end = len(line) - len(line.lstrip()) + 1, len(line) + 1
        span = Span(show(place.file), place.line, start, place.line, end)
        help = f"tried: {trial.tried}\n{trial.right}"
        if trial.example:
            help += f"\n\n{textwrap.indent(trial.example, '    ')}"
        return Diagnostic(trial.id, "error", span, self.wrong, help)


def make_trials(
    trials: Iterable[Trial], bench: Any, place_of: Callable[[str], CodePlace | None]
) -> tuple[TrialReport, ...]:
    """Make each trial on a bench; ``place_of`` gives the line of a method."""
    return tuple(make_trial(trial, bench, place_of) for trial in trials)


def make_trial(
    trial: Trial, bench: Any, place_of: Callable[[str], CodePlace | None]
) -> TrialReport:
    """Make one trial."""
    try:
        trial.play(bench)
    except Misbehaviour as error:
        return TrialReport(trial, str(error), error.place or place_of(trial.method))
    except NotTried as error:
        return TrialReport(trial, not_tried=str(error))
    return TrialReport(trial)
