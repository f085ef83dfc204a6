"""A chat whose input comes from a pipe, on virtual time.

The next line is said once all earlier ones are answered and the assistant has asked something or
nobody is busy, or after a long wait: a longer one while robots work and no person has work.
`/wait 10s` before a line sets its time after the previous one instead. After the last line the run
ends as soon as nobody is busy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from treec.cli.display import RunDisplay
from treec.cli.terminal_text import safe
from treec.source.durations import parse_duration

if TYPE_CHECKING:
    from treec.run.run import Run, RunOutcome

LOOK = 1.0
"""Simulated seconds between checks whether it is the user's turn."""

PATIENCE, LAST, WATCHING = 30.0, 300.0, 3600.0
"""Simulated seconds after which the user speaks anyway, and leaves after the last line; and for
which somebody without work watches robots that have some."""


class _StoppedReading(Exception):
    """A signal ended the run while it waited for a line."""


class PipedDisplay(RunDisplay):
    """Prints events, and says the lines that it reads. `/quit` ends the input."""

    def __init__(self, out: TextIO, lines: TextIO, *, first: Sequence[str] = ()) -> None:
        super().__init__(out)
        self._first = list(first)
        self._input = lines
        self._next: str | None = None
        self._help = ""
        self._since = 0.0
        self._hold: float | None = None
        self._ended = False
        self._empty = True
        self._is_reading = False

    def run(self, run: Run) -> RunOutcome:
        """Run until all lines are said and nobody is busy."""
        named = ", ".join(scenarios(run)) or "none yet"
        self._help = f"run it in a terminal to talk, or specify a --scenario ({named})"
        self._later(run)
        return super().run(run)

    def stop(self, run: Run) -> None:
        """End the run before its next tick; from a signal, also while it waits for a line."""
        super().stop(run)
        if self._is_reading:
            raise _StoppedReading  # else Python would go on waiting

    def _later(self, run: Run) -> None:
        run.clock.call_at(run.clock.now() + LOOK, lambda: self._look(run))

    def _look(self, run: Run) -> None:
        """Speak if it is the user's turn; end the run if nothing is left to do."""
        waited = run.clock.now() - self._since
        if (
            self._next is None
            and not self._ended
            and (is_everything_answered(run) or waited >= PATIENCE)
        ):
            self._read()
        if self._next is not None and self._due(run, waited):
            self._say(run, self._next)
        elif self._ended and (
            waited >= max(LAST, self._patience(run))
            or (is_everything_answered(run) and not busy(run))
        ):
            self.stop(run)
            return
        self._later(run)

    def _due(self, run: Run, waited: float) -> bool:
        if self._hold is not None:
            return waited >= self._hold
        return waited >= self._patience(run) or (
            is_everything_answered(run) and (asks(run) or not busy(run))
        )

    def _patience(self, run: Run) -> float:
        is_watching = busy(run) and is_everything_answered(run) and not people_work(run)
        return WATCHING if is_watching else PATIENCE

    def _say(self, run: Run, words: str) -> None:
        self._since = run.clock.now()
        self._next = self._hold = None
        run.say(words)

    def _read(self) -> None:
        """Read up to the next line to say, and execute the commands before it."""
        while self._next is None and not self._ended:
            line = self._first.pop(0) if self._first else self._read_line()
            words = line.strip()
            if not line and self._empty:
                self.print(
                    (f"! standard input is empty: the user stays silent; {self._help}", "red")
                )
            self._empty = False
            if not line or words == "/quit":
                self._ended = True
            elif words.startswith("/wait"):
                try:
                    self._hold = parse_duration(words[5:].strip())
                except ValueError as error:
                    self.print((f"! {safe(words)}: {safe(error)}", "red"))
            elif words.startswith("/"):
                self.print((f"! unknown command {safe(words)}: use /wait or /quit", "red"))
            elif words:
                self._next = words

    def _read_line(self) -> str:
        """The next line; empty at the end of the input, and when a signal ends the run."""
        try:
            self._is_reading = True
            line = self._input.readline()
            self._is_reading = False
        except _StoppedReading:
            self._is_reading = False
            self._empty = False
            return ""
        return line


def scenarios(run: Run) -> list[str]:
    """The names of the scenarios of a run's system."""
    library = run.view.library
    entries = library.of_kind("scenario")
    return sorted(it.name for it in entries if library.belongs_to(it, run.system))


def is_everything_answered(run: Run) -> bool:
    """Whether everything that people said is answered."""
    people = run.view.people
    return all(u.read and u.answered for u in run.team.chat if u.who in people)


def asks(run: Run) -> bool:
    """Whether a proposal waits for an answer."""
    return bool(run.team.now.open)


def people_work(run: Run) -> bool:
    """Whether a person has something to do."""
    return any(agent.person and (agent.queue or agent.current) for agent in run.team.agents)


def busy(run: Run) -> bool:
    """Whether a robot is working, or could start a subtask of its queue."""
    for agent in run.team.agents:
        if agent.person or agent.status == "Interrupted":
            continue
        if agent.current is not None or run.team.takeable(agent.name) is not None:
            return True
    return False
